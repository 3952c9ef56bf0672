import type { TicketStatus } from '#domain/tickets/facts.ts'
import { createStore } from '#web/store.ts'

/** Tickets that the person follows, with the status that this tab knows. */
export const followed = createStore<ReadonlyMap<number, TicketStatus>>(new Map())

/** Records a followed ticket's status; returns the new status, or null if it is not followed or unchanged. */
export function noteStatus({ id, status }: { id: number; status: TicketStatus }): TicketStatus | null {
  const before = followed.get().get(id)
  if (before === undefined || before === status) return null
  followed.set(new Map(followed.get()).set(id, status))
  return status
}
