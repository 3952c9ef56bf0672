import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

const connections = (db: Queryable) =>
  db.selectFrom('connections').select(['id', 'type', 'status', 'queue_id']).where('is_deleted', '=', false)

/** One connection that was not removed. */
export const findConnection = (db: Queryable, id: number) => connections(db).where('id', '=', id).executeTakeFirst()

/** The default connection, of one type if a type is named. */
export const findDefaultConnection = (db: Queryable, type: string | undefined) =>
  connections(db)
    .where('is_default', '=', true)
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .orderBy('id')
    .executeTakeFirst()

/** How many conversations are open or waiting on each connection that has any. */
export async function openTicketsByConnection(db: Queryable): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; open: number }>`
    select connection_id as id, count(*)::int as open from tickets where status in ('open', 'pending')
    group by connection_id`.execute(db)
  return new Map(rows.map(({ id, open }) => [id, open]))
}
