import { sql } from 'kysely'
import { type Forgetting, forgottenKey } from '#server/forgetting.ts'

/** Anonymizes the ratings of a forgotten person; the numbers remain. */
export const forgetRatings: Forgetting = async ({ db }, { contactIds, ticketIds }) => {
  await sql`update ticket_evaluations set conversation_key = ${forgottenKey(contactIds[0] ?? 0)}
    where ticket_id = any(${[...ticketIds]}::bigint[])`.execute(db)
}
