import { Link } from '@tanstack/react-router'
import { Suspense, useDeferredValue } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { EmptyState } from '#web/ui/feedback/states.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { FilterChip, SearchField } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import css from './board.module.css'
import { type Filter, filterLabels } from './board-filter.ts'

// The filter choices load after the cards (`isRead`); chosen ones are shown as chips before.
const BoardChoices = lazyPart(async () => (await import('./BoardChoices.tsx')).BoardChoices)
const keys = ['tag', 'wallet'] as const
const wait = () => {}

/** Search and filters of a board. */
export function BoardFilter({ filter, isRead }: { filter: Filter; isRead: boolean }) {
  const [url, setUrl] = useUrlState()
  const isOpen = useDeferredValue(isRead, false)
  const chips = keys.map((key) => (
    <FilterChip key={key} label={filterLabels[key]} active={filter[key] !== undefined} opened={false} onClick={wait} />
  ))
  return (
    <FilterRow>
      <SearchField
        value={url.busca ?? ''}
        onChange={(busca) => setUrl({ busca })}
        placeholder={t('Nome, número, e-mail ou CPF')}
      />
      <Suspense fallback={chips}>{isOpen ? <BoardChoices filter={filter} /> : chips}</Suspense>
    </FilterRow>
  )
}

/** Placeholder for a board without matching contacts. */
export function NobodyFound() {
  const [, setUrl] = useUrlState()
  return (
    <EmptyState
      title={t('Nenhum contato com este filtro')}
      text={t('Confira o que foi digitado e o que está escolhido, ou veja o painel inteiro.')}
      step={{
        label: t('Limpar filtros'),
        run: () => setUrl({ busca: undefined, etiqueta: undefined, carteira: undefined }),
      }}
    />
  )
}

/** Tabs of the two boards. */
export function BoardTabs() {
  return (
    <nav className={css.tabs} aria-label={t('Painéis')}>
      <Link to="/kanban/kanbans">{t('Por etapa')}</Link>
      <Link to="/kanban/tags">{t('Por etiqueta')}</Link>
    </nav>
  )
}
