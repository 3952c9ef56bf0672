import type { Queryable } from '#server/db/db.ts'

const connections = (db: Queryable) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'type', 'status', 'number', 'is_default', 'queue_id', 'updated_at'])
    .where('is_deleted', '=', false)

/** All connections that were not removed, by name. */
export const listConnections = (db: Queryable) => connections(db).orderBy('name').orderBy('id').execute()

/** One connection that was not removed. */
export const findConnection = (db: Queryable, id: number) => connections(db).where('id', '=', id).executeTakeFirst()

/** The default connection, of one kind if a kind is named. */
export const findDefaultConnection = (db: Queryable, type: string | undefined) =>
  connections(db)
    .where('is_default', '=', true)
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .orderBy('id')
    .executeTakeFirst()
