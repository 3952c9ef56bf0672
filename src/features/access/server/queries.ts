import type { Queryable } from '#server/db/db.ts'

/** Returns queues with their names by id, sorted by name. */
export async function queuesOf(db: Queryable, ids: readonly number[]): Promise<{ id: number; queue: string }[]> {
  if (ids.length === 0) return []
  const queues = db
    .selectFrom('queues')
    .select(['id', 'queue'])
    .where('id', 'in', [...ids])
  return queues.orderBy('queue').execute()
}
