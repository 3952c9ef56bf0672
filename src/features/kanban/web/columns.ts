import { keysBetween, standsBefore } from '#domain/kanban/order.ts'
import type { Answer } from '#kit/contract.ts'
import type { board } from '../board-addresses.ts'
import type { Card } from '../contract.ts'

/** A column as the board shows it: what of it is loaded, and how many it has. */
export type Column = Answer<typeof board.get>['columns'][number]
type Count = Pick<Column, 'kanban' | 'count' | 'countIsCapped'>

const without = (cards: readonly Card[], ids: ReadonlySet<number>) => cards.filter(({ id }) => !ids.has(id))

/** Where a card belongs among those of a column; null: further down than is loaded. */
function indexFor({ contacts, hasMore }: Column, card: Card): number | null {
  const index = contacts.findIndex((other) => standsBefore(card, other))
  if (index >= 0) return index
  return hasMore ? null : contacts.length
}

/** The columns with some cards as the server has them now; those that it did not give (`ids` asks) are no longer there. */
export function refreshCards(
  columns: readonly Column[],
  ids: readonly number[],
  found: { readonly contacts: readonly Card[]; readonly columns: readonly Count[] },
): Column[] {
  const asked = new Set(ids)
  return columns.map((column) => {
    const contacts = without(column.contacts, asked)
    const shown = { ...column, ...found.columns.find(({ kanban }) => kanban === column.kanban), contacts }
    for (const card of found.contacts) {
      const index = card.kanban === column.kanban ? indexFor(shown, card) : null
      if (index !== null) contacts.splice(index, 0, card)
    }
    return shown
  })
}

/** The columns once a card has been dropped at an index of one: with a stage it stays there, without one it finds its place. */
export function moveCard(columns: readonly Column[], card: Card, kanban: number | null, index: number): Column[] {
  const ids = new Set([card.id])
  return columns.map((column) => {
    const contacts = without(column.contacts, ids)
    const left = column.kanban === card.kanban ? column.count - 1 : column.count
    if (column.kanban !== kanban) return { ...column, contacts, count: left }
    const neighbour = (at: number) => contacts[at]?.order ?? null
    const order = kanban === null ? null : keysBetween(neighbour(index - 1), neighbour(index), 1)[0]!
    const moved = { ...card, kanban, order }
    const at = kanban === null ? indexFor({ ...column, contacts }, moved) : index
    if (at !== null) contacts.splice(at, 0, moved)
    return { ...column, contacts, count: left + 1 }
  })
}

/** The columns with the next page of one. */
export function addPage(
  columns: readonly Column[],
  kanban: number | null,
  page: Omit<Column, 'kanban' | 'name' | 'color'>,
): Column[] {
  const fresh = new Set(page.contacts.map(({ id }) => id))
  return columns.map((column) =>
    column.kanban === kanban
      ? { ...column, ...page, contacts: [...without(column.contacts, fresh), ...page.contacts] }
      : column,
  )
}

/** A card, wherever it stands. */
export const cardOf = (columns: readonly Column[], id: number): Card | undefined =>
  columns.flatMap(({ contacts }) => contacts).find((card) => card.id === id)

/** The contact before which a card stands in its column; null where it is the last. */
export function nextOf(columns: readonly Column[], { id, kanban }: Card): number | null {
  const { contacts = [] } = columns.find((column) => column.kanban === kanban) ?? {}
  return contacts[contacts.findIndex((card) => card.id === id) + 1]?.id ?? null
}
