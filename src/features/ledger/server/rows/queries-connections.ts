import { sql } from 'kysely'
import type { TicketStatus } from '#domain/tickets/facts.ts'
import type { Queryable } from '#server/db/db.ts'

const connections = (db: Queryable) =>
  db.selectFrom('connections').select(['id', 'type', 'status', 'queue_id']).where('is_deleted', '=', false)

/** Returns all connections that are not removed, with their names. */
export const listConnections = (db: Queryable) => connections(db).select(['name', 'is_default']).orderBy('id').execute()

/** Returns one connection that is not removed. */
export const findConnection = (db: Queryable, id: number) => connections(db).where('id', '=', id).executeTakeFirst()

/** Returns the default connection, of a given type if any. */
export const findDefaultConnection = (db: Queryable, type: string | undefined) =>
  connections(db)
    .where('is_default', '=', true)
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .orderBy('id')
    .executeTakeFirst()

/** Returns a ticket's conversation and connection, with the connection's own addresses. */
export const findTicketAddresses = (db: Queryable, ticketId: number) =>
  db
    .selectFrom('tickets')
    .innerJoin('connections', 'connections.id', 'tickets.connection_id')
    .select(['connection_id as connectionId', 'conversation_key as conversationKey', 'connections.number', 'config'])
    .where('tickets.id', '=', ticketId)
    .executeTakeFirstOrThrow()

/** Counts open and pending tickets of each connection that has any. */
export async function openTicketsByConnection(db: Queryable): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; open: number }>`
    select connection_id as id, count(*)::int as open from tickets where status in ('open', 'pending')
    group by connection_id`.execute(db)
  return new Map(rows.map(({ id, open }) => [id, open]))
}

/** Returns at most `most` tickets of a connection with a status, oldest first. */
export async function ticketsOfConnection(
  db: Queryable,
  { connectionId, status }: { connectionId: number; status: TicketStatus },
  most: number,
): Promise<number[]> {
  const tickets = db.selectFrom('tickets').select('id').where('connection_id', '=', connectionId)
  return (await tickets.where('status', '=', status).orderBy('id').limit(most).execute()).map(({ id }) => id)
}

/** Returns those of the tickets whose connection is not connected. */
export async function ticketsAway(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('tickets')
    .innerJoin('connections', 'connections.id', 'tickets.connection_id')
    .select('tickets.id')
    .where('tickets.id', 'in', [...ids])
    .where('connections.status', '<>', 'CONNECTED')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
