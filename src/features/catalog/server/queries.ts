import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** Whether any ticket is in the queue. */
export async function queueHasTickets(db: Queryable, queueId: number): Promise<boolean> {
  const ticket = await db.selectFrom('tickets').select('id').where('queue_id', '=', queueId).limit(1).executeTakeFirst()
  return ticket !== undefined
}

/** The users that were given the queue. */
export async function usersOfQueue(db: Queryable, queueId: number): Promise<number[]> {
  const rows = await db.selectFrom('user_queues').select('user_id').where('queue_id', '=', queueId).execute()
  return rows.map((row) => row.user_id)
}

/** Whether any contact or ticket carries the tag. */
export async function tagIsUsed(db: Queryable, tagId: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select
    exists (select from contact_tags where tag_id = ${tagId}) or
    exists (select from ticket_tags where tag_id = ${tagId}) as used`.execute(db)
  return rows[0]!.used
}
