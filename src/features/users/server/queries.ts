import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

const withQueues = (db: Queryable) =>
  db.selectFrom('users').select([
    'id',
    'name',
    'email',
    'profile',
    'is_online',
    'configs',
    sql<
      { id: number; queue: string }[]
    >`coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'queue', q.queue) order by q.queue)
      from user_queues uq join queues q on q.tenant_id = uq.tenant_id and q.id = uq.queue_id
      where uq.tenant_id = users.tenant_id and uq.user_id = users.id), '[]')`.as('queues'),
  ])

/** A page of active users by name; `after` is the last (name, id) of the page before. */
export async function listUsers(
  db: Queryable,
  input: { search: string | undefined; queueId: number | undefined; after: [string, number] | null; limit: number },
) {
  let query = withQueues(db).where('is_active', '=', true)
  if (input.search) {
    const like = `%${input.search.replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((w) => w.or([w('name', 'ilike', like), w('email', 'ilike', like)]))
  }
  if (input.queueId)
    query = query.where(
      sql<boolean>`exists (select from user_queues uq where uq.user_id = users.id and uq.queue_id = ${input.queueId})`,
    )
  if (input.after) query = query.where(sql<boolean>`(name, id) > (${input.after[0]}, ${input.after[1]})`)
  return query.orderBy('name').orderBy('id').limit(input.limit).execute()
}

/** One user. */
export const findUser = (db: Queryable, id: number) =>
  withQueues(db).where('id', '=', id).where('is_active', '=', true).executeTakeFirst()

/** Stores a user and answers the id. */
export async function insertUser(
  db: Tx,
  row: {
    tenant_id: number
    name: string
    email: string
    username?: string | null
    profile: string
    password_hash: string | null
  },
): Promise<number> {
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Changes a user; false when there is none. */
export async function updateUser(
  db: Tx,
  id: number,
  change: { is_online?: boolean; configs?: string; password_hash?: string },
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
