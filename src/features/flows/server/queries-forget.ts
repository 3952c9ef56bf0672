import { sql } from 'kysely'
import type { Forgetting } from '#server/forgetting.ts'

/** Deletes flow sessions and cases of a forgotten person's tickets. */
export const forgetSessions: Forgetting = async ({ db }, { ticketIds }) => {
  const ids = [...ticketIds]
  await sql`delete from flow_sessions where ticket_id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from flow_cases where ticket_id = any(${ids}::bigint[])`.execute(db)
}
