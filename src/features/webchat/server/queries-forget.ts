import { sql } from 'kysely'
import type { Forgetting } from '#server/forgetting.ts'

/** The visitors of a site who were a person: their browsers are strangers again. */
export const forgetVisitors: Forgetting = async ({ db }, { contactIds, identifiers }) => {
  await sql`delete from webchat_visitors
    where contact_id = any(${[...contactIds]}::bigint[]) or id::text = any(${[...identifiers]}::text[])`.execute(db)
}
