import { useQuery } from '@tanstack/react-query'
import { ALL_SWITCHES, SWITCHES, type TimeSwitch } from '#domain/reports/switches.ts'
import { choices } from '#web/choices.ts'
import { useMay } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { MoneyFilter } from '#web/ui/inputs/MoneyFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import { FilterChip } from '#web/ui/layout/page.tsx'
import { useFilters } from './chosen.tsx'

type Id = number | 'none'

const STATUSES = [
  { id: 'open' as const, name: t('Em atendimento') },
  { id: 'pending' as const, name: t('Pendentes') },
  { id: 'closed' as const, name: t('Resolvidos') },
]

const TIMES = ALL_SWITCHES.map((id) => ({ id, name: SWITCHES[id].name }))

/** Period and filters of a report, stored in the URL; `isWhole` adds those of ticket lists only, `hasTimes` the time switches. */
export function ReportFilters({ isWhole = false, hasTimes = false }: { isWhole?: boolean; hasTimes?: boolean }) {
  const { url, setUrl, asked } = useFilters()
  const may = useMay()
  const canChoose = viewer()?.profile !== 'user'
  const queues = useQuery({ ...choices('queues'), enabled: may('queues:read') }).data ?? []
  const tags = useQuery(choices('tags')).data ?? []
  const users = useQuery({ ...choices('users'), enabled: canChoose }).data ?? []
  const connections = useQuery(choices('connections')).data ?? []
  const reasons = useQuery({ ...choices('reasons'), enabled: isWhole }).data ?? []
  const types = [...new Set(connections.map(({ type }) => type))]
  const set = (name: string) => (ids: readonly (string | number)[]) => setUrl({ [name]: ids.join(',') || undefined })
  return (
    <>
      <PeriodFilter from={asked.startDate} to={asked.endDate} onChange={setUrl} />
      <ChoiceFilter<Id>
        label={t('Fila')}
        options={[...queues.map(({ id, queue }) => ({ id, name: queue })), { id: 'none', name: t('Sem fila') }]}
        chosen={(asked.queues ?? []) as Id[]}
        onChange={set('filas')}
      />
      {canChoose && (
        <ChoiceFilter<Id>
          label={t('Pessoa')}
          options={[...users.map(({ id, name }) => ({ id, name })), { id: 'none', name: t('Sem responsável') }]}
          chosen={(asked.userId ?? []) as Id[]}
          onChange={set('pessoas')}
        />
      )}
      <ChoiceFilter
        label={t('Etiqueta')}
        options={tags}
        chosen={(asked.tags ?? []) as number[]}
        onChange={set('etiquetas')}
      />
      <ChoiceFilter
        label={t('Canal')}
        options={types.map((id) => ({ id, name: channelLook(id).name }))}
        chosen={(asked.channel ?? []) as string[]}
        onChange={set('canais')}
      />
      {hasTimes && (
        <ChoiceFilter
          label={t('Tempos')}
          options={TIMES}
          chosen={asked.times as TimeSwitch[]}
          onChange={set('tempos')}
        />
      )}
      {isWhole && (
        <>
          <ChoiceFilter
            label={t('Nome do canal')}
            options={connections}
            chosen={(asked.whatsappId ?? []) as number[]}
            onChange={set('conexoes')}
          />
          <ChoiceFilter<Id>
            label={t('Motivo')}
            options={[...reasons, { id: 'none', name: t('Sem motivo') }]}
            chosen={(asked.reasons ?? []) as Id[]}
            onChange={set('demandas')}
          />
          <ChoiceFilter
            label={t('Status')}
            options={STATUSES}
            chosen={(asked.status ?? []) as ('open' | 'pending' | 'closed')[]}
            onChange={set('status')}
          />
          <MoneyFilter
            min={url.valorMin}
            max={url.valorMax}
            onChange={({ min, max }) => setUrl({ valorMin: min, valorMax: max })}
          />
          <FilterChip
            label={t('Com grupos')}
            active={url.grupos === 'sim'}
            onClick={() => setUrl({ grupos: url.grupos ? undefined : 'sim' })}
          />
        </>
      )}
    </>
  )
}
