import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Counts the conversations with contacts: tickets, messages, files, ratings, scheduled messages. */
export async function surveyTicketsOf(db: Queryable, contactIds: readonly number[]) {
  const tickets = sql`array(select id from tickets where contact_id = any(${bigints(contactIds)}))`
  const { rows } = await sql<{
    tickets: number
    live: number
    messages: number
    files: number
    ratings: number
    schedules: number
  }>`
    select count(*)::int as tickets, (count(*) filter (where status <> 'closed'))::int as live,
      (select count(*)::int from messages m where m.ticket_id = any(${tickets})) as messages,
      (select count(distinct m.file_id)::int from messages m where m.ticket_id = any(${tickets}) and m.file_id is not null) as files,
      (select count(*)::int from ticket_evaluations e where e.ticket_id = any(${tickets})) as ratings,
      (select count(*)::int from messages m where m.ticket_id = any(${tickets}) and m.send_at is not null
        and m.status = 'pending') as schedules
    from tickets where contact_id = any(${bigints(contactIds)})`.execute(db)
  return firstOf(rows)
}

/** Returns and locks at most `most` tickets of contacts. */
export async function lockTicketsOf(db: Tx, contactIds: readonly number[], most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where contact_id = any(${bigints(contactIds)}) or origin_contact_id = any(${bigints(contactIds)})
    order by id limit ${most} for update`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes tickets with everything that belongs to them. */
export async function deleteTickets(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`delete from tickets where id = any(${bigints(ids)})`.execute(db)
}

/** Returns the live tickets of a contact, at most `most`. */
export async function liveTicketsOf(db: Queryable, contactId: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where contact_id = ${contactId} and status in ('open', 'pending') order by id limit ${most}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
