import { type Arrival, decideArrival, LETS_ALL_IN, NO_CONVERSATION } from '#domain/tickets/arrival.ts'
import { findActive } from '#features/ledger/server/changes/index.ts'
import type { Queryable } from '#server/db/db.ts'

/** What becomes of what is said next in a conversation, as far as its live ticket decides it. */
export async function decideNext(db: Queryable, arrival: Arrival, connectionId: number, conversationKey: string) {
  const live = (await findActive(db, connectionId, conversationKey)) ?? null
  return decideArrival(arrival, { ...NO_CONVERSATION, live }, LETS_ALL_IN)
}
