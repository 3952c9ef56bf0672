import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { flowReplays } from '../../insight-addresses.ts'
import css from './builder.module.css'
import type { Draft } from './draft.ts'
import { type Outcome, Pairs } from './Pairs.tsx'
import { SidePanel } from './SidePanel.tsx'

type Replay = NonNullable<Answer<typeof flowReplays.latest>['last']>

const dayMs = 86_400_000
const periods = [
  { value: '1', label: t('Último dia') },
  { value: '7', label: t('Últimos 7 dias') },
  { value: '30', label: t('Últimos 30 dias') },
  { value: '90', label: t('Últimos 90 dias') },
]
const outcomes: readonly (readonly [Outcome, string])[] = [
  ['stuck', t('Ficam paradas')],
  ['end', t('Terminam em outro lugar')],
  ['way', t('Vão por outro caminho')],
  ['words', t('Recebem outras palavras')],
  ['same', t('Ficam iguais')],
]

/** Conversations shown side by side. */
type Opened = { readonly replay: Replay; readonly outcome: Outcome; readonly title: string }

/** Panel that replays a period's conversations on the draft: the number that change, and each beside its original. */
export function ReplayPanel(props: { draft: Draft; panel: Ref<HTMLElement>; onClose: () => void }) {
  const { draft, panel, onClose } = props
  const { id } = draft.state.use().detail
  const params = { id }
  const client = useQueryClient()
  const latest = query(flowReplays.latest, { params })
  const { data, error, refetch } = useQuery(latest)
  const [days, setDays] = useState('30')
  const [isBusy, setBusy] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const run = async () => {
    setBusy(true)
    await attempt(async () => {
      if (!(await draft.flush())) return
      const to = Date.now()
      const body = { from: to - Number(days) * dayMs, to }
      // It may take a minute, and wait for another tenant's replay.
      await call(flowReplays.create, { params, body }, { quiet: true, long: true })
      await client.invalidateQueries({ queryKey: latest.queryKey })
    })
    setBusy(false)
  }
  const last = data?.last
  const night = data?.night
  return (
    <SidePanel kind={t('Fluxo')} title={t('Repetir conversas')} panel={panel} onClose={onClose}>
      <p>
        {t('As conversas reais acontecem de novo no rascunho, sem enviar nada: veja o que mudaria para os clientes.')}
      </p>
      <Select
        label={t('Conversas de')}
        allowDeselect={false}
        data={periods}
        value={days}
        onChange={(value) => value && setDays(value)}
      />
      <BusyButton busy={isBusy} doing={t('Repetindo')} onClick={() => void run()}>
        {t('Repetir no rascunho')}
      </BusyButton>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {last && <ReplayResult last={last} setOpened={setOpened} />}
      {night && <NightResult night={night} />}
      {opened && (
        <Pairs
          id={id}
          replayId={opened.replay.id}
          {...opened}
          onCase={(results) => draft.reviewed(results)}
          onClose={() => setOpened(null)}
        />
      )}
    </SidePanel>
  )
}

function NightResult({ night }: { night: Replay }) {
  const otherwise = night.total - night.same
  return (
    <p className={css.summary}>
      {otherwise === 0
        ? t('Na última noite, {count} na sua própria versão, todas iguais.', {
            count: plural(night.total, t('conversa foi repetida'), t('conversas foram repetidas')),
          })
        : t(
            'Na última noite, {count} de {total} conversas não se repetiram iguais na sua própria versão. Avise o suporte.',
            {
              count: formatNumber(otherwise),
              total: formatNumber(night.total),
            },
          )}
    </p>
  )
}

function ReplayResult({ last, setOpened }: { last: Replay; setOpened: (next: Opened) => void }) {
  return (
    <section className={css.part} aria-label={t('Resultado')}>
      <p role="status">
        {plural(last.total, t('conversa repetida'), t('conversas repetidas'))} · {formatDateTime(last.at)}
        {last.isCapped && ` · ${t('só as mais novas')}`}
      </p>
      <ul className={css.counts}>
        {outcomes.map(([outcome, text]) => (
          <li key={outcome}>
            <span>{text}</span>
            <button
              type="button"
              disabled={last[outcome] === 0}
              aria-label={t('{count}: {text}, ver lado a lado', { count: formatNumber(last[outcome]), text })}
              onClick={() => setOpened({ replay: last, outcome, title: text })}
            >
              {formatNumber(last[outcome])}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
