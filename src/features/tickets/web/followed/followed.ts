import type { TicketStatus } from '#domain/tickets/facts.ts'
import { createStore } from '#web/store.ts'

/** The tickets that the person follows, with where they stand as far as this tab knows. */
export const followed = createStore<ReadonlyMap<number, TicketStatus>>(new Map())

/** Takes in where a followed ticket stands now; null where it is not followed, or stands where it stood. */
export function noteStatus({ id, status }: { id: number; status: TicketStatus }): TicketStatus | null {
  const before = followed.get().get(id)
  if (before === undefined || before === status) return null
  followed.set(new Map(followed.get()).set(id, status))
  return status
}
