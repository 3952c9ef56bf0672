import { plural, t } from '#web/t.ts'
import { CloseIcon } from '#web/ui/icons.ts'
import { useColleagues, useConnections, useQueues, useStages, useTags } from '../choices/choices.ts'
import css from '../lists/list.module.css'
import type { ListFilter } from '../lists/list-filter.ts'

type Part = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void }

/** Chips of the active filters; a click removes one. */
export function ActiveFilters({ filter, onFilter }: Part) {
  const queues = useQueues()
  const connections = useConnections()
  const tags = useTags()
  const stages = useStages()
  const colleagues = useColleagues()
  const one = (id: number, name: string | undefined, label: string, change: Partial<ListFilter>) =>
    [`${label}-${id}`, `${label}: ${name ?? '…'}`, change] as const
  const without = (ids: readonly number[], id: number) => ids.filter((other) => other !== id)
  const { queuesIds, whatsappIds, kanban, selectedUser, waitingMinutes, sla, from, to } = filter
  const narrowed = filter.showAll
    ? [['all', t('Todos os atendimentos'), { showAll: false }] as const]
    : [
        ...queuesIds.map((id) =>
          one(id, queues?.find((row) => row.id === id)?.queue, t('Fila'), { queuesIds: without(queuesIds, id) }),
        ),
        ...whatsappIds.map((id) =>
          one(id, connections?.find((row) => row.id === id)?.name, t('Canal'), {
            whatsappIds: without(whatsappIds, id),
          }),
        ),
        ...(selectedUser === null
          ? []
          : [
              one(selectedUser, colleagues?.find(({ id }) => id === selectedUser)?.name, t('Responsável'), {
                selectedUser: null,
              }),
            ]),
        ...filter.tags.map((id) =>
          one(id, tags?.find((row) => row.id === id)?.tag, t('Etiqueta'), { tags: without(filter.tags, id) }),
        ),
        ...kanban.map((id) =>
          one(id, stages?.find((row) => row.id === id)?.name, t('Etapa'), { kanban: without(kanban, id) }),
        ),
        ...(filter.withUnreadMessages ? [['unread', t('Não lidas'), { withUnreadMessages: false }] as const] : []),
      ]
  const shown = [
    ...narrowed,
    ...(waitingMinutes === null
      ? []
      : [['waits', t('Esperando há {span}', { span: spanOf(waitingMinutes) }), { waitingMinutes: null }] as const]),
    ...(sla === null
      ? []
      : [['sla', sla === 'missed' ? t('Prazo estourado') : t('Prazo em risco'), { sla: null }] as const]),
    ...(from || to ? [['days', periodText(from, to), { from: null, to: null }] as const] : []),
  ]
  return (
    <div className={`${css.chips} ${css.active}`} role="group" aria-label={t('Filtros em uso')}>
      {shown.map(([key, name, change]) => (
        <Chip key={key} name={name} onRemove={() => onFilter(change)} />
      ))}
    </div>
  )
}

function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <button type="button" aria-label={t('Tirar o filtro {name}', { name })} onClick={onRemove}>
      <span className="g-cut">{name}</span>
      <CloseIcon size={13} />
    </button>
  )
}

/** Formats the days of a filter for its chip. */
function periodText(from: string | null, to: string | null): string {
  const shown = (day: string) => day.split('-').reverse().join('/')
  if (!to) return t('Desde {day}', { day: shown(from!) })
  if (!from) return t('Até {day}', { day: shown(to) })
  return from === to ? t('Em {day}', { day: shown(to) }) : t('De {from} a {to}', { from: shown(from), to: shown(to) })
}

const spanOf = (minutes: number): string =>
  minutes < 60
    ? plural(minutes, t('minuto'), t('minutos'))
    : minutes < 1440
      ? plural(minutes / 60, t('hora'), t('horas'))
      : plural(minutes / 1440, t('dia'), t('dias'))
