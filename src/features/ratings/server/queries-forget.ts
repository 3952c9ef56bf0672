import { sql } from 'kysely'
import { type Forgetting, forgottenKey } from '#server/forgetting.ts'

/** The evaluations of a person stay as numbers, under no address. */
export const forgetRatings: Forgetting = async ({ db }, { contactIds, ticketIds }) => {
  await sql`update ticket_evaluations set conversation_key = ${forgottenKey(contactIds[0] ?? 0)}
    where ticket_id = any(${[...ticketIds]}::bigint[])`.execute(db)
}
