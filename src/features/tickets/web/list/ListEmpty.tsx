import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { EmptyState } from '#web/ui/feedback/states.tsx'
import { StartConversationIcon } from '#web/ui/icons.ts'
import css from '../lists/list.module.css'
import { countChoices, isFigure, type ListFilter, plainFilter } from '../lists/list-filter.ts'
import { type Counts, useCounts } from '../lists/lists.ts'
import { NoHits } from '../visibility/NoHits.tsx'

const titles = {
  open: t('Nenhum atendimento aberto'),
  pending: t('Nenhum atendimento pendente'),
  closed: t('Nenhum atendimento resolvido'),
  live: t('Nenhum atendimento'),
  snoozed: t('Nada foi adiado'),
  chatbot: t('Nada com o chatbot'),
} as const

const texts: Partial<Record<keyof typeof titles, string>> = {
  closed: t('O que for resolvido fica guardado aqui.'),
  snoozed: t('O que for adiado espera aqui, até a hora marcada ou até o cliente escrever.'),
  chatbot: t('O que o chatbot atende aparece aqui até uma pessoa assumir.'),
}

/** Empty state of the list: offers to clear a filter without results, else explains what appears here. */
export function ListEmpty(props: {
  filter: ListFilter
  onFilter: (change: Partial<ListFilter>) => void
  onStart: (() => void) | undefined
  onOpen: (id: number) => void
}) {
  const { filter, onFilter, onStart, onOpen } = props
  const { tab, isGroup } = filter
  const counts = useCounts()
  if (filter.search)
    return (
      <div className={css.nothing}>
        <NoHits filter={filter} onOpen={onOpen} />
      </div>
    )
  if (countChoices(filter) > 0 || filter.scope || isFigure(filter))
    return (
      <EmptyState
        title={t('Nada com esses filtros')}
        text={t('Há atendimentos que os filtros escondem, ou ainda não chegou nenhum assim.')}
        step={{
          label: t('Limpar filtros'),
          run: () => onFilter({ ...plainFilter, ...(isFigure(filter) ? {} : { tab, isGroup }) }),
        }}
      />
    )
  return (
    <EmptyState
      title={isGroup ? t('Nenhum grupo aqui') : titles[tab]}
      text={texts[tab] ?? t('Quando um cliente escrever, ele aparece aqui na hora.')}
      {...(onStart && {
        step: { label: t('Iniciar conversa'), run: onStart, icon: <StartConversationIcon size={17} /> },
      })}
      {...elsewhere(tab, isGroup ? undefined : counts, onFilter)}
    />
  )
}

/** Returns where matching conversations are, with their number: “2 em Pendentes”. */
function elsewhere(
  tab: ListFilter['tab'],
  counts: Counts | undefined,
  onFilter: (change: Partial<ListFilter>) => void,
) {
  if (tab !== 'open' && tab !== 'pending') return {}
  const other = tab === 'open' ? 'pending' : 'open'
  const count = counts?.[other] ?? 0
  if (count === 0 && tab === 'pending') return {}
  const where = other === 'pending' ? t('Pendentes') : t('Abertos')
  const label = count > 0 ? t('{count} em {where}', { count: formatNumber(count), where }) : t('Ver pendentes')
  return { other: { label, run: () => onFilter({ tab: other }) } }
}
