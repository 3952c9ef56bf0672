import { sql } from 'kysely'
import type { Forgetting } from '#server/forgetting.ts'

/** Deletes the webchat visitors of a forgotten person; their browsers become unknown. */
export const forgetVisitors: Forgetting = async ({ db }, { contactIds, identifiers }) => {
  await sql`delete from webchat_visitors
    where contact_id = any(${[...contactIds]}::bigint[]) or id::text = any(${[...identifiers]}::text[])`.execute(db)
}
