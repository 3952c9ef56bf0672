import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TicketStatus } from '#domain/tickets/facts.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stores that a person follows a ticket; idempotent. Returns false if they already did. */
export async function insertFollower(db: Tx, ticketId: number, userId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`insert into ticket_followers (tenant_id, ticket_id, user_id, created_at)
    values (app.tenant(), ${ticketId}, ${userId}, ${now}) on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** Removes a person from a ticket's followers; returns whether they were one. */
export async function deleteFollower(db: Tx, ticketId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ticket_followers')
    .where('ticket_id', '=', ticketId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns the followed tickets of a user that satisfy the condition, with their status. */
export async function listFollowed(
  db: Queryable,
  { userId, visible }: { userId: number; visible: RawBuilder<SqlBool> },
  most: number,
): Promise<{ id: number; status: TicketStatus }[]> {
  const { rows } = await sql<{ id: number; status: TicketStatus }>`
    select tickets.id, tickets.status from ticket_followers f
    join tickets on tickets.tenant_id = f.tenant_id and tickets.id = f.ticket_id
    where f.tenant_id = app.tenant() and f.user_id = ${userId} and ${visible}
    order by f.created_at desc, tickets.id desc limit ${sql.lit(most)}`.execute(db)
  return rows
}
