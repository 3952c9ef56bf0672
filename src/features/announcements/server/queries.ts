import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'
import type { Announcement } from '../contract.ts'

/** Stores an announcement for all active users of the given companies (none: of all active ones); returns user ids by company. */
export async function insertAnnouncements(
  db: Tx,
  given: { batch: string; message: string; authorName: string; tenantIds: readonly number[] },
  now: Date,
): Promise<Map<number, number[]>> {
  const some = given.tenantIds.length > 0
  const { rows } = await sql<{ tenantId: number; userId: number }>`
    insert into announcements (tenant_id, batch, user_id, message, author_name, created_at)
    select u.tenant_id, ${given.batch}::uuid, u.id, ${given.message}, ${given.authorName}, ${now}
    from users u join tenants t on t.id = u.tenant_id
    where u.is_active and t.status = 'active' and (${!some}::boolean or t.id = any(${[...given.tenantIds]}::bigint[]))
    order by u.tenant_id, u.id
    returning tenant_id as "tenantId", user_id as "userId"`.execute(db)
  const byCompany = new Map<number, number[]>()
  for (const { tenantId, userId } of rows) byCompany.set(tenantId, [...(byCompany.get(tenantId) ?? []), userId])
  return byCompany
}

const SOURCE = sql`announcements a
  join users u on u.tenant_id = a.tenant_id and u.id = a.user_id
  join tenants t on t.id = a.tenant_id`

const matches = (search: string | undefined) =>
  search ? sql`app.fold(concat_ws(' ', a.message, u.name, t.name)) like app.fold(${patternOf(search)})` : sql`true`

/** Returns announcements, newest first; requires platform database access. */
export async function listAnnouncements(
  db: Queryable,
  search: string | undefined,
  { after, offset, limit }: PageStart<[number]>,
): Promise<(Omit<Announcement, 'createdAt'> & { createdAt: Date })[]> {
  const { rows } = await sql<Omit<Announcement, 'createdAt'> & { createdAt: Date }>`
    select a.id, a.message, a.user_id as "userId", u.name as "userName", a.tenant_id as "tenantId", t.name as "tenantName",
      a.is_read as "isRead", a.created_at as "createdAt"
    from ${SOURCE} where ${matches(search)} and ${after ? sql`a.id < ${after[0]}` : sql`true`}
    order by a.id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** Counts announcements, up to `most`; requires platform database access. */
export async function countAnnouncements(db: Queryable, search: string | undefined, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from ${SOURCE} where ${matches(search)} limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/** Returns a user's unread announcements, oldest first, at most `most`. */
export const listUnread = (db: Queryable, userId: number, most: number) =>
  db
    .selectFrom('announcements')
    .select(['id', 'message', 'author_name', 'created_at'])
    .where('user_id', '=', userId)
    .where('is_read', '=', false)
    .orderBy('id')
    .limit(most)
    .execute()

/** Marks an announcement as read; returns false if the user has not received it. */
export async function markRead(db: Tx, id: number, userId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update announcements set is_read = true, read_at = coalesce(read_at, ${now})
    where tenant_id = app.tenant() and id = ${id} and user_id = ${userId} returning id`.execute(db)
  return rows.length > 0
}

/** Removes one announcement, or (null) all of a batch; returns their number; requires platform database access. */
export async function deleteAnnouncements(db: Tx, id: number | null): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('announcements')
    .$if(id !== null, (those) => those.where('id', '=', id))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
