import { Button, SegmentedControl } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { TrialIcon } from '#web/ui/icons.ts'
import { rules } from '../addresses.ts'
import type { Trial } from '../contract.ts'
import { DecidedList } from './DecidedList.tsx'
import css from './rules.module.css'

const SHOWN = 20

/**
 * Section that tests a rule being edited on past events, without effects. `prepare` returns the rule if valid; `labels`
 * describe its actions.
 */
export function TrialPart({ prepare, labels }: { prepare: () => Promise<object | null>; labels: readonly string[] }) {
  const [trial, setTrial] = useState<Trial | null>(null)
  const [busy, setBusy] = useState(false)
  const [all, setAll] = useState(false)
  const [most, setMost] = useState(SHOWN)
  const part = useRef<HTMLElement>(null)
  // The section is at the form's end, out of view.
  useEffect(() => {
    if (trial) part.current?.scrollIntoView({ block: 'start' })
  }, [trial])
  const run = async () => {
    setBusy(true)
    const body = await prepare()
    if (body)
      await attempt(async () => {
        setTrial(await call(rules.try, { body: body as never }, { quiet: true }))
        setMost(SHOWN)
      })
    setBusy(false)
  }
  const events = (trial?.events ?? []).filter(({ matches }) => all || matches)
  return (
    <section ref={part} className={css.trial} aria-label={t('Teste')}>
      <BusyButton
        variant="default"
        busy={busy}
        doing={t('Testando')}
        leftSection={<TrialIcon size={17} />}
        onClick={() => void run()}
      >
        {t('Testar com o que já aconteceu')}
      </BusyButton>
      {trial && (
        <>
          <p role="status">{summaryOf(trial)}</p>
          <p className={css.hint}>
            {t(
              'Nada foi feito. Situação, responsável e fila são os daquele momento; etiquetas, etapa e carteira, os de hoje.',
            )}
          </p>
          {trial.total > 0 && <ShownSwitch all={all} setAll={setAll} />}
          <EventList events={events} most={most} labels={labels} />
          {events.length > most && (
            <Button variant="subtle" onClick={() => setMost(most + SHOWN)}>
              {t('Mostrar mais')}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

function ShownSwitch({ all, setAll }: { all: boolean; setAll: (next: boolean) => void }) {
  return (
    <SegmentedControl
      aria-label={t('O que mostrar')}
      value={all ? 'all' : 'matched'}
      onChange={(next) => setAll(next === 'all')}
      data={[
        { value: 'matched', label: t('Onde valeria') },
        { value: 'all', label: t('Tudo') },
      ]}
    />
  )
}

function EventList({ events, most, labels }: { events: Trial['events']; most: number; labels: readonly string[] }) {
  return (
    <ol className={css.events}>
      {events.slice(0, most).map((event, index) => (
        <li key={index} data-matches={event.matches}>
          <p>
            {/* Beside what is being written, which stays. */}
            <a href={`/atendimento/${event.ticketId}`} target="_blank" rel="noreferrer">
              {event.contactName} · #{event.ticketId}
            </a>
            <time>{formatDateTime(event.at)}</time>
          </p>
          {event.text !== '' && <q>{event.text}</q>}
          <DecidedList decided={event.decided} />
          {event.matches && (
            <ul>
              {event.steps.map((step, nth) => (
                <li key={nth} data-wrong={step.refusal !== null}>
                  {labels[nth]}
                  {step.body !== null && <q>{step.body}</q>}
                  {step.refusal ? <em>{step.refusal}</em> : step.isSame && <em>{t('Já estava assim.')}</em>}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}

function summaryOf({ total, matched, refused }: Trial): string {
  if (total === 0) return t('Ainda não aconteceu nada em que testar.')
  const of = plural(total, t('acontecimento'), t('acontecimentos'))
  const would = t('Teria valido em {matched} de {of}.', { matched, of })
  if (refused === 0) return would
  return `${would} ${t('Em {count}, nada teria sido feito, porque uma ação é recusada.', { count: refused })}`
}
