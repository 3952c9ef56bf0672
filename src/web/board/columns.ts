import { keysBetween, standsBefore } from '#domain/kanban/order.ts'
import { firstOf } from '#domain/present.ts'

/** Board's view of a card: its name, its column (null: the one without keys), and its key there. */
export type BoardCard = {
  readonly id: number
  readonly name: string
  readonly columnId: number | null
  readonly order: string | null
}

/**
 * Facts below a column's name, for boards with more than counts: total value of its cards, and percentage of the cards that
 * left it which advanced.
 */
export type Facts = { readonly value: string; readonly advances: number | null }

/** Loaded page of a column, and its number of cards. */
export type Page<C> = {
  readonly cards: readonly C[]
  readonly count: number
  readonly countIsCapped: boolean
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** Column of a board; in a sorted one the cards' keys decide their places. */
export type Column<C> = Page<C> & {
  readonly id: number | null
  readonly name: string
  readonly color: string
  readonly facts?: Facts
  readonly isSorted?: boolean
}

/** Number of cards of a column. */
export type Count = {
  readonly id: number | null
  readonly count: number
  readonly countIsCapped: boolean
  readonly facts?: Facts
}

const without = <C extends BoardCard>(cards: readonly C[], ids: ReadonlySet<number>): C[] =>
  cards.filter(({ id }) => !ids.has(id))

/** Returns the index of a card in its column; null: below the loaded cards. */
function indexFor<C extends BoardCard>(
  { cards, hasMore }: Pick<Column<C>, 'cards' | 'hasMore'>,
  card: C,
): number | null {
  const index = cards.findIndex((other) => standsBefore(card, other))
  if (index >= 0) return index
  return hasMore ? null : cards.length
}

/**
 * Returns the columns with some cards replaced by the server's current ones; requested cards (`ids`) that are missing in the
 * answer are removed.
 */
export function refreshCards<C extends BoardCard>(
  columns: readonly Column<C>[],
  ids: readonly number[],
  found: { readonly cards: readonly C[]; readonly columns: readonly Count[] },
): Column<C>[] {
  const asked = new Set(ids)
  return columns.map((column) => {
    const cards = without(column.cards, asked)
    const shown = { ...column, ...found.columns.find(({ id }) => id === column.id), cards }
    for (const card of found.cards) {
      const index = card.columnId === column.id ? indexFor(shown, card) : null
      if (index !== null) cards.splice(index, 0, card)
    }
    return shown
  })
}

/**
 * Returns the columns after a card was dropped at an index of one: with keys it stays there, in a sorted column or one
 * without keys it finds its own place.
 */
export function moveCard<C extends BoardCard>(
  columns: readonly Column<C>[],
  card: C,
  columnId: number | null,
  index: number,
): Column<C>[] {
  const ids = new Set([card.id])
  return columns.map((column) => {
    const cards = without(column.cards, ids)
    const left = column.id === card.columnId ? column.count - 1 : column.count
    if (column.id !== columnId) return { ...column, cards, count: left }
    const neighbour = (at: number) => cards[at]?.order ?? null
    const isPlaced = columnId !== null && !column.isSorted
    const own = columnId === null ? null : card.order
    const order = isPlaced ? firstOf(keysBetween(neighbour(index - 1), neighbour(index), 1)) : own
    const moved = { ...card, columnId, order }
    const at = isPlaced ? index : indexFor({ ...column, cards }, moved)
    if (at !== null) cards.splice(at, 0, moved)
    return { ...column, cards, count: left + 1 }
  })
}

/** Returns the columns with the next page of one. */
export function addPage<C extends BoardCard>(
  columns: readonly Column<C>[],
  columnId: number | null,
  page: Page<C>,
): Column<C>[] {
  const fresh = new Set(page.cards.map(({ id }) => id))
  return columns.map((column) =>
    column.id === columnId ? { ...column, ...page, cards: [...without(column.cards, fresh), ...page.cards] } : column,
  )
}

/** Finds a card by its id, in any column. */
export const cardOf = <C extends BoardCard>(columns: readonly Column<C>[], id: number): C | undefined =>
  columns.flatMap(({ cards }) => cards).find((card) => card.id === id)

/** Returns the card after a card in its column; null if it is the last. */
export function nextOf<C extends BoardCard>(
  columns: readonly Column<C>[],
  { id, columnId }: Pick<BoardCard, 'id' | 'columnId'>,
): number | null {
  const { cards = [] } = columns.find((column) => column.id === columnId) ?? {}
  return cards[cards.findIndex((card) => card.id === id) + 1]?.id ?? null
}
