import { centsOf } from './money.ts'

/** Sort orders of cards; omitted: the manual order. */
export const ORDERS = ['valor_desc', 'valor_asc', 'data_desc', 'data_asc', 'fechamento'] as const

/** Sort order of cards. */
export type Order = (typeof ORDERS)[number]

const TOP = 10n ** 18n
const padded = (value: bigint): string => String(value).padStart(19, '0')

/** Returns the SQL sort key of a card: value, creation time or forecast, then id. */
export function sortKey(
  order: Order,
  card: { readonly id: number; readonly value: string; readonly closingForecast: string | null },
): string {
  const [id, cents] = [BigInt(card.id), centsOf(card.value)]
  switch (order) {
    case 'valor_desc':
      return padded(TOP - cents) + padded(TOP - id)
    case 'valor_asc':
      return padded(cents) + padded(id)
    case 'data_desc':
      return padded(TOP - id)
    case 'data_asc':
      return padded(id)
    case 'fechamento':
      return (card.closingForecast ?? '9999-12-31') + padded(id)
  }
}
