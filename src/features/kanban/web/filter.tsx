import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useChoices } from '#web/choices.ts'
import { t } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { FilterRow, SearchField } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import css from './board.module.css'

/** What a board is narrowed to. */
export type Filter = { readonly searchParam?: string; readonly tag?: number[]; readonly wallet?: number[] }

const idsOf = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)
const textOf = (ids: readonly number[]): number | string => (ids.length === 1 ? (ids[0] as number) : ids.join(','))

/** The filter in the address. */
export function useBoardFilter(): Filter {
  const [{ busca, etiqueta, carteira }] = useUrlState()
  return useMemo(() => {
    const [tag, wallet] = [idsOf(etiqueta), idsOf(carteira)]
    return {
      ...(busca ? { searchParam: busca } : {}),
      ...(tag.length > 0 ? { tag } : {}),
      ...(wallet.length > 0 ? { wallet } : {}),
    }
  }, [busca, etiqueta, carteira])
}

/** Search and filters of a board. */
export function BoardFilter({ filter }: { filter: Filter }) {
  const [url, setUrl] = useUrlState()
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  return (
    <FilterRow>
      <SearchField
        value={url.busca ?? ''}
        onChange={(busca) => setUrl({ busca })}
        placeholder={t('Nome, número, e-mail ou CPF')}
      />
      <ChoiceFilter
        label={t('Etiqueta')}
        options={tags}
        chosen={filter.tag ?? []}
        onChange={(ids) => setUrl({ etiqueta: textOf(ids) })}
      />
      <ChoiceFilter
        label={t('Carteira')}
        options={colleagues}
        chosen={filter.wallet ?? []}
        onChange={(ids) => setUrl({ carteira: textOf(ids) })}
      />
    </FilterRow>
  )
}

/** The two boards, one beside the other. */
export function BoardTabs() {
  return (
    <nav className={css.tabs} aria-label={t('Painéis')}>
      <Link to="/kanban/kanbans">{t('Por etapa')}</Link>
      <Link to="/kanban/tags">{t('Por etiqueta')}</Link>
    </nav>
  )
}
