import { type SqlBool, sql } from 'kysely'
import type { Profile } from '#domain/access/profiles.ts'
import { firstOf } from '#domain/present.ts'
import { countUpTo } from '#server/db/count.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

const named = (table: 'queues' | 'connections', key: string, column: string, only = sql`true`) => sql<
  { id: number; name: string }[]
>`coalesce((select jsonb_agg(jsonb_build_object('id', n.id, 'name', n.${sql.ref(column)}) order by n.${sql.ref(column)})
    from ${sql.table(`user_${table}`)} m join ${sql.table(table)} n on n.tenant_id = m.tenant_id and n.id = m.${sql.ref(key)}
    where m.tenant_id = users.tenant_id and m.user_id = users.id and ${only}), '[]')`

const people = (db: Queryable) =>
  db
    .selectFrom('users')
    .selectAll('users')
    .select([
      named('queues', 'queue_id', 'queue').as('queues'),
      named('connections', 'connection_id', 'name', sql`not n.is_deleted`).as('connections'),
      sql<string>`app.fold(name)`.as('sort_name'),
      sql<boolean>`exists (select from second_factors f
        where f.tenant_id = users.tenant_id and f.user_id = users.id and f.confirmed_at is not null)`.as(
        'second_factor',
      ),
    ])
    .where('deleted_at', 'is', null)

/** Row of a user with queues and connections, as read by `listPeople` and `findPerson`. */
export type PersonRow = Awaited<ReturnType<typeof listPeople>>[number]

/** Filters of a list of users. */
export type Narrowing = {
  search?: string | undefined
  queueId?: number | undefined
  profiles?: readonly Profile[] | undefined
  status: 'active' | 'inactive' | 'all'
  assignable?: boolean | undefined
}

function narrowing({ search, queueId, profiles, status, assignable }: Narrowing) {
  const all = [
    ...(search
      ? [
          sql`app.fold(name || ' ' || email || ' ' || coalesce(username, '') || ' ' || phone) like app.fold(${patternOf(search)}::text)`,
        ]
      : []),
    ...(queueId
      ? [
          sql`exists (select from user_queues m where m.tenant_id = users.tenant_id and m.user_id = users.id and m.queue_id = ${queueId})`,
        ]
      : []),
    ...(profiles ? [sql`profile = any(${[...profiles]}::text[])`] : []),
    ...(status === 'all' ? [] : [sql`is_active = ${status === 'active'}`]),
    ...(assignable ? [sql`is_active and profile <> 'superadmin' and not is_support`] : []),
  ]
  return all.length > 0 ? sql<SqlBool>`${sql.join(all, sql` and `)}` : sql<SqlBool>`true`
}

/** Returns a page of users by name, ignoring case and accents; `after` is the last (sort_name, id) of the previous page. */
export async function listPeople(
  db: Queryable,
  wanted: Narrowing,
  { after, offset, limit }: PageStart<[string, number]>,
) {
  let query = people(db).where(narrowing(wanted))
  if (after) query = query.where(sql<SqlBool>`(app.fold(name), id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('id').limit(limit).offset(offset).execute()
}

/** Counts the users matching the filters, up to `most`. */
export const countPeople = (db: Queryable, wanted: Narrowing, most: number): Promise<number> =>
  countUpTo(db, people(db).where(narrowing(wanted)), most)

/** Finds a user who has not left. */
export const findPerson = (db: Queryable, id: number) => people(db).where('id', '=', id).executeTakeFirst()

/** Returns the hash of a user's password; null if none. */
export async function findPasswordHash(db: Queryable, id: number): Promise<string | null> {
  const query = db.selectFrom('users').select('password_hash').where('id', '=', id).where('is_active', '=', true)
  return (await query.executeTakeFirst())?.password_hash ?? null
}

/** Returns the number of active users and the plan's limit. */
export async function planOf(db: Queryable): Promise<{ used: number; max: number }> {
  const { rows } = await sql<{ used: number; max: number }>`select max_users as max,
    (select count(*) from users where is_active) as used from tenants where id = app.tenant()`.execute(db)
  return firstOf(rows)
}
