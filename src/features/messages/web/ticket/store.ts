import type { TicketDelta, TicketRow } from '#features/ledger/ticket-rows.ts'
import { createKeyedStore } from '#web/store.ts'

const rows = createKeyedStore<number, TicketRow>()
// What an event brought is newer than an answer that was asked for before it.
const touched = new Map<number, number>()
// Tickets that this person may no longer see, since when: an answer from before must not bring them back.
const goneSince = new Map<number, number>()
let clock = 0

/** A mark in time: answers asked for before it do not overwrite what events bring after it. */
export const mark = (): number => clock

/** Which tickets events have touched since a mark. */
export const touchedSince = (since: number): number[] => [...touched].filter(([, at]) => at > since).map(([id]) => id)

/** One ticket, live; only its readers are drawn again when it changes. */
export const useTicketRow = (id: number): TicketRow | undefined => rows.use(id)

/** One ticket as it is known now. */
export const ticketRow = (id: number): TicketRow | undefined => rows.get(id)

/** Whether a ticket was taken from this person's sight since a mark. */
export const isGoneSince = (id: number, since: number): boolean => (goneSince.get(id) ?? 0) > since

/** Takes in rows that were asked for at `since`. */
export function putRows(found: readonly TicketRow[], since: number): void {
  for (const row of found) {
    if (isGoneSince(row.id, since)) continue
    if ((touched.get(row.id) ?? 0) > since && rows.get(row.id)) continue
    rows.set(row.id, same(rows.get(row.id), row))
  }
}

/** Takes in a row that was just told; drafts are private and never told, so the known one stays. */
export function applyRow(row: TicketRow): void {
  touch(row.id)
  goneSince.delete(row.id)
  rows.set(row.id, { ...row, draft: rows.get(row.id)?.draft ?? null })
}

/** Takes in what a message changed; false when the ticket is not known or its people have to be asked for. */
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

/** Changes what only this browser knows of a ticket, such as its draft. */
export function changeRow(id: number, change: Partial<TicketRow>): void {
  const row = rows.get(id)
  if (row) rows.set(id, { ...row, ...change })
}

/** Forgets a ticket that may no longer be seen. */
export function removeRow(id: number): void {
  touch(id)
  goneSince.set(id, clock)
  rows.set(id, undefined)
}

function touch(id: number): void {
  clock += 1
  touched.set(id, clock)
}

// Reading a page again brings equal rows: keeping the known object spares their drawing.
function same(known: TicketRow | undefined, row: TicketRow): TicketRow {
  return known && JSON.stringify(known) === JSON.stringify(row) ? known : row
}
