import type { Queryable } from '#server/db/db.ts'

const connections = (db: Queryable) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'type', 'status', 'number', 'is_default', 'queue_id', 'updated_at'])
    .where('is_deleted', '=', false)

/** All connections that were not removed, by name. */
export const listConnections = (db: Queryable) => connections(db).orderBy('name').orderBy('id').execute()
