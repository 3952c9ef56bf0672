import { useState } from 'react'
import { distribution } from '#features/distribution/addresses.ts'
import type { Answer, CallInput } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatDate, formatNumber, formatSpan } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import css from './queues.module.css'

type Tried = Answer<typeof distribution.tryRules>
type Rules = Omit<CallInput<typeof distribution.tryRules>['body'], 'queueId'>

const span = (ms: number | null): string => {
  if (ms === null) return '—'
  return ms < 60_000 ? t('menos de 1 min') : formatSpan(ms)
}

const compared: readonly { label: string; of: (outcome: Tried['now']) => string }[] = [
  {
    label: t('Entregues'),
    of: ({ given, arrivals }) =>
      t('{given} de {arrivals}', { given: formatNumber(given), arrivals: formatNumber(arrivals) }),
  },
  { label: t('Espera média'), of: ({ meanWaitMs }) => span(meanWaitMs) },
  { label: t('Maior espera'), of: ({ longestWaitMs }) => span(longestWaitMs) },
  { label: t('Transbordaram'), of: ({ overflowed }) => formatNumber(overflowed) },
]

/** Section that replays yesterday's arrivals with the form's distribution rules; saves nothing. */
export function Trial({ queueId, rules }: { queueId: number; rules: Rules }) {
  const [tried, setTried] = useState<{ of: string; result: Tried }>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const key = JSON.stringify(rules)
  const run = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setTried({ of: key, result: await call(distribution.tryRules, { body: { queueId, ...rules } }, { quiet: true }) })
    } catch (refused) {
      setProblem(sentence(refused))
    }
    setBusy(false)
  }
  const result = tried?.of === key ? tried.result : undefined
  return (
    <section className={css.trial} aria-label={t('Experimentar')}>
      <BusyButton variant="default" busy={busy} doing={t('Experimentando')} onClick={() => void run()}>
        {t('Experimentar com as chegadas de ontem')}
      </BusyButton>
      {problem && <Notice tone="neg">{problem}</Notice>}
      {result && <Compared {...result} />}
    </section>
  )
}

function Compared({ day, now, changed }: Tried) {
  if (now.arrivals === 0)
    return <p role="status">{t('Nada chegou a esta fila em {day}.', { day: formatDate(`${day}T12:00:00`) })}</p>
  const people = [...new Map([...changed.people, ...now.people].map(({ id, name }) => [id, name]))]
  const givenTo = (id: number, outcome: Tried['now']) =>
    formatNumber(outcome.people.find((one) => one.id === id)?.given ?? 0)
  return (
    <div role="status">
      <table>
        <caption>
          {t('{count} em {day}, como se todos começassem livres e estivessem online no seu horário.', {
            count: plural(now.arrivals, t('chegada'), t('chegadas')),
            day: formatDate(`${day}T12:00:00`),
          })}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="g-hidden">{t('O que se compara')}</span>
            </th>
            <th scope="col">{t('Como está')}</th>
            <th scope="col">{t('Com a mudança')}</th>
          </tr>
        </thead>
        <tbody>
          {compared.map(({ label, of }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{of(now)}</td>
              <td>{of(changed)}</td>
            </tr>
          ))}
          {people.map(([id, name]) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{givenTo(id, now)}</td>
              <td>{givenTo(id, changed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
