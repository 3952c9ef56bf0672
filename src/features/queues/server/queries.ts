import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Queues } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { containing } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

const queues = (db: Queryable) =>
  db
    .selectFrom('queues')
    .selectAll('queues')
    .select([
      sql<number>`(select count(*) from user_queues m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        where m.tenant_id = queues.tenant_id and m.queue_id = queues.id and u.is_active)`.as('user_count'),
      sql<string>`app.fold(queue)`.as('sort_name'),
    ])

/** A queue as `listQueues` and `findQueue` read it. */
export type QueueRecord = Awaited<ReturnType<typeof listQueues>>[number]

/** A page of queues by name; `after` is the last (sort_name, id) of the page before. */
export async function listQueues(
  db: Queryable,
  search: string | undefined,
  { after, offset, limit }: PageStart<[string, number]>,
) {
  let query = queues(db).where(containing('queue', search))
  if (after) query = query.where(sql<SqlBool>`(app.fold(queue), id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('id').limit(limit).offset(offset).execute()
}

/** How many there are, counted up to `most`. */
export async function countQueues(db: Queryable, search: string | undefined, most: number): Promise<number> {
  const counted = db.selectFrom('queues').select('id').where(containing('queue', search)).limit(most)
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** One queue. */
export const findQueue = (db: Queryable, id: number) => queues(db).where('id', '=', id).executeTakeFirst()

/** Whether the queue is there; it is held until the transaction ends. */
export async function lockQueue(db: Tx, id: number): Promise<boolean> {
  return (await db.selectFrom('queues').select('id').where('id', '=', id).forUpdate().executeTakeFirst()) !== undefined
}

/** Stores a queue and answers the id. */
export async function insertQueue(db: Tx, row: Updateable<Queues> & { queue: string }): Promise<number> {
  const made = await db
    .insertInto('queues')
    .values({ ...row, tenant_id: sql<number>`app.tenant()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Changes a queue. */
export async function updateQueue(db: Tx, id: number, change: Updateable<Queues>): Promise<void> {
  await db
    .updateTable('queues')
    .set({ ...change, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .execute()
}

/** Removes a queue that nothing points to any more. */
export async function deleteQueue(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('queues').where('id', '=', id).execute()
}

/** Whether any ticket is in the queue. */
export async function queueHasTickets(db: Queryable, id: number): Promise<boolean> {
  const ticket = await db.selectFrom('tickets').select('id').where('queue_id', '=', id).limit(1).executeTakeFirst()
  return ticket !== undefined
}

/** The people that were given the queue. */
export async function usersOfQueue(db: Queryable, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('user_queues')
    .select('user_id')
    .where('queue_id', '=', id)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}
