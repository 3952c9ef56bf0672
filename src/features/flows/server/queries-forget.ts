import { sql } from 'kysely'
import type { Forgetting } from '#server/forgetting.ts'

/** Erases a person's flow sessions with their events and steps. */
export const forgetSessions: Forgetting = async ({ db }, { ticketIds }) => {
  const ids = [...ticketIds]
  await sql`delete from flow_sessions where ticket_id = any(${ids}::bigint[])`.execute(db)
  await sql`delete from flow_cases where ticket_id = any(${ids}::bigint[])`.execute(db)
}
