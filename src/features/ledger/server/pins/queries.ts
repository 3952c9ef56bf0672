import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Tx } from '#server/db/db.ts'

/** Pins a message that is not revoked; false if there is none, or it is already pinned. */
export async function insertPin(
  db: Tx,
  { messageId, userId, now }: { messageId: string; userId: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into pinned_messages (tenant_id, message_id, ticket_id, user_id, created_at)
    select m.tenant_id, m.id, m.ticket_id, ${userId}, ${now} from messages m where m.tenant_id = app.tenant() and m.id = ${messageId}
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** Unpins a message; returns whether it was pinned. */
export async function deletePin(db: Tx, messageId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pinned_messages')
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Counts a ticket's pinned messages, without revoked ones. */
export async function countPins(db: Tx, ticketId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pinned_messages p join messages m on m.tenant_id = p.tenant_id and m.id = p.message_id
    where p.tenant_id = app.tenant() and p.ticket_id = ${ticketId} and not m.is_deleted`.execute(db)
  return firstOf(rows).n
}
