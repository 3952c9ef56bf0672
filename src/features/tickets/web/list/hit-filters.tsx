import { MESSAGE_TYPE_LABELS, type MessageType } from '#domain/messages/types.ts'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import { useColleagues, useQueues } from '../choices/choices.ts'
import css from '../lists/list.module.css'

/** Filters of a message search: days as `YYYY-MM-DD`, the author as `contact`, `team` or a colleague's id. */
export type HitNarrowing = {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly author: 'contact' | 'team' | number | null
  readonly kinds: readonly MessageType[]
  readonly queues: readonly number[]
}

/** Message search without filters. */
export const notNarrowed: HitNarrowing = { from: undefined, to: undefined, author: null, kinds: [], queues: [] }

const kinds: readonly MessageType[] = ['text', 'image', 'video', 'audio', 'document', 'contact', 'location']
const day = 86_400_000
const startOf = (iso: string) => new Date(`${iso}T00:00`).getTime()

/** Converts the filters to query parameters. */
export const hitQuery = ({ from, to, author, kinds: mediaType, queues: queuesIds }: HitNarrowing) => ({
  ...(from ? { since: startOf(from) } : {}),
  ...(to ? { until: startOf(to) + day } : {}),
  ...(typeof author === 'number' ? { userId: author } : author ? { fromMe: author === 'team' } : {}),
  ...(mediaType.length > 0 ? { mediaType: [...mediaType] } : {}),
  ...(queuesIds.length > 0 ? { queuesIds: [...queuesIds] } : {}),
})

/** Filter chips above the found messages: author, period, kind, queue. */
export function HitFilters({ value, onChange }: { value: HitNarrowing; onChange: (value: HitNarrowing) => void }) {
  const colleagues = useColleagues() ?? []
  const queues = useQueues() ?? []
  const set = (part: Partial<HitNarrowing>) => onChange({ ...value, ...part })
  return (
    <div className={css.hitFilters} role="group" aria-label={t('Filtrar as mensagens')}>
      <ChoiceFilter<'contact' | 'team' | number>
        label={t('De')}
        options={[
          { id: 'contact', name: t('Clientes') },
          { id: 'team', name: t('Equipe') },
          ...colleagues.map(({ id, name }) => ({ id, name })),
        ]}
        chosen={value.author === null ? [] : [value.author]}
        onChange={(ids) => set({ author: ids.at(-1) ?? null })}
      />
      <PeriodFilter from={value.from} to={value.to} onChange={({ de, ate }) => set({ from: de, to: ate })} />
      <ChoiceFilter
        label={t('Tipo')}
        options={kinds.map((id) => ({ id, name: MESSAGE_TYPE_LABELS[id] }))}
        chosen={value.kinds}
        onChange={(ids) => set({ kinds: ids })}
      />
      {queues.length > 0 && (
        <ChoiceFilter
          label={t('Fila')}
          options={queues.map(({ id, queue, color }) => ({ id, name: queue, color }))}
          chosen={value.queues}
          onChange={(ids) => set({ queues: ids })}
        />
      )}
    </div>
  )
}
