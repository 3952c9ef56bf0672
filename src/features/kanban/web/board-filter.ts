import { useMemo } from 'react'
import { t } from '#web/t.ts'
import { useUrlState } from '#web/url-state.ts'

/** Filter of a board. */
export type Filter = { readonly searchParam?: string; readonly tag?: number[]; readonly wallet?: number[] }

/** Display names of the filters. */
export const filterLabels = { tag: t('Etiqueta'), wallet: t('Carteira') } as const

const idsOf = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)

/** Hook with the board filter from the URL. */
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

/** Whether a filter matches no contact in any column. */
export const showsNobody = (filter: Filter, columns: readonly { count: number }[]): boolean =>
  Object.keys(filter).length > 0 && columns.length > 0 && columns.every(({ count }) => count === 0)
