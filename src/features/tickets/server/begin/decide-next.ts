import { type Arrival, decideArrival, LETS_ALL_IN, NO_CONVERSATION } from '#domain/tickets/arrival.ts'
import { findActive } from '#features/ledger/server/changes/index.ts'
import type { Queryable } from '#server/db/db.ts'

/** Decides how the next message of a conversation is handled, as far as its active ticket determines that. */
export async function decideNext(db: Queryable, arrival: Arrival, connectionId: number, conversationKey: string) {
  const live = (await findActive(db, connectionId, conversationKey)) ?? null
  return decideArrival(arrival, { ...NO_CONVERSATION, live }, LETS_ALL_IN)
}
