import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Returns the cursor of a message in its ticket's conversation; undefined if it is not part of it. */
export const findMessageCursor = (db: Queryable, ticketId: number, messageId: string) =>
  db
    .selectFrom('messages')
    .select(['timestamp', 'seq'])
    .where('id', '=', messageId)
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst()

/** Moves a person's reading position to a message, never back; whether it moved. */
export async function movePosition(
  db: Tx,
  { userId, messageId, now }: { userId: number; messageId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into reading_positions as p (tenant_id, user_id, ticket_id, message_at, message_seq, read_at)
    select m.tenant_id, ${userId}, m.ticket_id, m.timestamp, m.seq, ${now}
    from messages m where m.tenant_id = app.tenant() and m.id = ${messageId}
    on conflict (tenant_id, user_id, ticket_id) do update
      set message_at = excluded.message_at, message_seq = excluded.message_seq, read_at = excluded.read_at
      where (p.message_at, p.message_seq) < (excluded.message_at, excluded.message_seq)
    returning 1`.execute(db)
  return rows.length > 0
}

/** Counts the customer's messages after a message of the ticket, up to `most`. */
export async function countBehind(db: Tx, ticketId: number, messageId: string, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from messages m, messages seen
      where seen.tenant_id = app.tenant() and seen.id = ${messageId} and m.tenant_id = seen.tenant_id
        and m.ticket_id = ${ticketId} and not m.from_me and not m.is_note and m.sync_time is null
        and (m.timestamp, m.seq) > (seen.timestamp, seen.seq)
      limit ${sql.lit(most)}) behind`.execute(db)
  return firstOf(rows).n
}
