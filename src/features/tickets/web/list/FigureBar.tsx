import { formatSpan } from '#web/format.ts'
import { t } from '#web/t.ts'
import { useColleagues, useQueues } from '../choices/choices.ts'
import css from '../lists/list.module.css'
import { type ListFilter, noFigure } from '../lists/list-filter.ts'

type Part = { filter: ListFilter; onFilter: (change: Partial<ListFilter>) => void }

const tabs = {
  open: t('Abertos'),
  pending: t('Pendentes'),
  closed: t('Resolvidos'),
  live: t('Abertos e pendentes'),
  snoozed: t('Adiados'),
  chatbot: t('Chatbot'),
} as const

/** Bar in place of the tabs while the list shows a dashboard figure: its name, and a way back. */
export function FigureBar({ filter, onFilter }: Part) {
  const { tab, isGroup, onlyQueue, onlyUser, closedToday, sla, waitingMinutes, dueFirst } = filter
  const queue = useQueues()?.find(({ id }) => id === onlyQueue)?.queue
  const person = useColleagues()?.find(({ id }) => id === onlyUser)?.name
  const parts = [
    tabs[tab],
    closedToday && t('de hoje'),
    isGroup === null ? t('com grupos') : isGroup ? t('grupos') : t('sem grupos'),
    onlyQueue === 'none' ? t('sem fila') : onlyQueue !== null && t('fila {queue}', { queue: queue ?? onlyQueue }),
    onlyUser === 'none' ? t('sem responsável') : onlyUser !== null && t('de {name}', { name: person ?? onlyUser }),
    sla === 'missed' ? t('prazo estourado') : sla === 'warned' && t('prazo em risco'),
    waitingMinutes !== null && t('esperando há {span} ou mais', { span: formatSpan(waitingMinutes * 60_000) }),
    dueFirst && t('por prazo'),
  ]
  const back = {
    ...noFigure,
    tab: tab === 'live' ? ('open' as const) : tab,
    isGroup: isGroup ?? false,
    scope: null,
    showAll: false,
    sla: null,
    waitingMinutes: null,
    dueFirst: false,
  }
  return (
    <p className={css.results}>
      <span>{parts.filter(Boolean).join(' · ')}</span>
      <button type="button" onClick={() => onFilter(back)}>
        {t('Limpar')}
      </button>
    </p>
  )
}
