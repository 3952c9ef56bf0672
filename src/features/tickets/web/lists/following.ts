import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import { belongs, type Onlooker } from './belongs.ts'
import { type ListFilter, noFigure, plainFilter } from './list-filter.ts'
import { onlooker } from './lists.ts'

const orderIn = ({ oldestFirst, unansweredFirst, dueFirst }: ListFilter) => ({
  oldestFirst,
  unansweredFirst,
  dueFirst,
})

/** Returns the filter whose list contains a ticket that was just taken, keeping as much of the given filter as possible. */
export function following(row: TicketRow, filter: ListFilter, onlooker: Onlooker): ListFilter {
  if (filter.search || row.status === 'closed') return filter
  const ofRow = { tab: row.status, isGroup: row.isGroup }
  const scope = filter.scope === 'unassigned' ? null : filter.scope
  const next = { ...filter, ...noFigure, ...ofRow, scope }
  return belongs(row, next, onlooker, null) ? next : { ...plainFilter, ...ofRow, ...orderIn(filter) }
}

/** Returns the filter that follows a ticket that was just taken. */
export function followed(filter: ListFilter, id: number): ListFilter {
  const row = ticketRow(id)
  return row ? following(row, filter, onlooker()) : filter
}
