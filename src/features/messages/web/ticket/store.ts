import type { TicketDelta, TicketRow } from '#features/ledger/ticket-rows.ts'
import { createKeyedStore } from '#web/store.ts'

const rows = createKeyedStore<number, TicketRow>()
// Clock of the last event per ticket: responses requested before it are older.
const touched = new Map<number, number>()
// Tickets that the person may no longer see, with the clock of their removal: older responses must not restore them.
const goneSince = new Map<number, number>()
let clock = 0

/** Returns the current mark of the event clock; pass it as `since` of a request's response. */
export const mark = (): number => clock

/** Returns the ids of tickets that events changed after a mark. */
export const touchedSince = (since: number): number[] => [...touched].filter(([, at]) => at > since).map(([id]) => id)

/** Returns a ticket's row; only its readers re-render on change. */
export const useTicketRow = (id: number): TicketRow | undefined => rows.use(id)

/** Returns the known row of a ticket. */
export const ticketRow = (id: number): TicketRow | undefined => rows.get(id)

/** Checks whether a ticket became invisible to the person after a mark. */
export const isGoneSince = (id: number, since: number): boolean => (goneSince.get(id) ?? 0) > since

/** Stores rows that were requested at the mark `since`; skips those with newer events. */
export function putRows(found: readonly TicketRow[], since: number): void {
  for (const row of found) {
    if (isGoneSince(row.id, since)) continue
    if ((touched.get(row.id) ?? 0) > since && rows.get(row.id)) continue
    rows.set(row.id, same(rows.get(row.id), row))
  }
}

/** Stores the row of an event; keeps the known draft, which events omit because it is private. */
export function applyRow(row: TicketRow): void {
  touch(row.id)
  goneSince.delete(row.id)
  rows.set(row.id, { ...row, draft: rows.get(row.id)?.draft ?? null })
}

/** Applies a message's ticket delta; returns false if the ticket is unknown or its people must be requested. */
export function applyDelta(delta: Partial<TicketDelta> & { id: number }): boolean {
  const row = rows.get(delta.id)
  touch(delta.id)
  if (!row) return false
  const movedTo = (key: 'userId' | 'queueId') => delta[key] !== undefined && delta[key] !== row[key]
  const next = { ...row, ...delta }
  if (movedTo('userId')) next.username = null
  if (movedTo('queueId')) next.queue = null
  rows.set(delta.id, next)
  return next.username !== null || next.userId === null || !movedTo('userId')
}

/** Changes browser-only fields of a ticket, such as its draft. */
export function changeRow(id: number, change: Partial<TicketRow>): void {
  const row = rows.get(id)
  if (row) rows.set(id, { ...row, ...change })
}

/** Removes a ticket that the person may no longer see. */
export function removeRow(id: number): void {
  touch(id)
  goneSince.set(id, clock)
  rows.set(id, undefined)
}

function touch(id: number): void {
  clock += 1
  touched.set(id, clock)
}

// Reuses the known object if the row is equal, so that it does not re-render.
function same(known: TicketRow | undefined, row: TicketRow): TicketRow {
  return known && JSON.stringify(known) === JSON.stringify(row) ? known : row
}
