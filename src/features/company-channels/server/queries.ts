import { type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import { countUpTo } from '#server/db/count.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Search by company, channel or number, and a filter: connected, or down after having been connected. */
type Wanted = { readonly search: string | undefined; readonly only: 'connected' | 'down' | undefined }

const isConnected = sql`c.status = 'CONNECTED'`
const isDown = sql`(c.status <> 'CONNECTED' and c.first_connected_at is not null)`

const matching = ({ search, only }: Wanted) => {
  const found = search
    ? sql`app.fold(concat_ws(' ', t.name, c.name, c.number)) like app.fold(${patternOf(search)}::text)`
    : sql`true`
  const kind = only === 'connected' ? isConnected : only === 'down' ? isDown : sql`true`
  return sql<SqlBool>`not c.is_deleted and ${found} and ${kind}`
}

const all = (db: Queryable) => db.selectFrom('connections as c').innerJoin('tenants as t', 't.id', 'c.tenant_id')

/** Returns a page of channels by company, oldest first in each; requires platform database access. */
export async function listChannels(
  db: Queryable,
  wanted: Wanted,
  { after, offset, limit }: PageStart<[string, number, number]>,
) {
  let query = all(db)
    .select(['c.id', 'c.tenant_id', 'c.name', 'c.type', 'c.status', 'c.cause', 'c.number', 'c.is_default'])
    .select(['c.first_connected_at', 'c.updated_at', 't.name as tenant_name', 't.status as tenant_status'])
    .select(sql<string>`app.fold(t.name)`.as('sort_name'))
    .where(matching(wanted))
  if (after)
    query = query.where(
      sql<SqlBool>`(app.fold(t.name), t.id, c.id) > (${after[0]}::text, ${after[1]}::bigint, ${after[2]}::bigint)`,
    )
  return query.orderBy('sort_name').orderBy('t.id').orderBy('c.id').limit(limit).offset(offset).execute()
}

/** Counts the channels found, up to `most`; requires platform database access. */
export const countChannels = (db: Queryable, wanted: Wanted, most: number): Promise<number> =>
  countUpTo(db, all(db).select('c.id').where(matching(wanted)), most)

/** Counts the connected channels and those that are down; requires platform database access. */
export async function sumChannels(db: Queryable): Promise<{ all: number; connected: number; down: number }> {
  const { rows } = await sql<{ all: number; connected: number; down: number }>`
    select count(*)::int as "all", count(*) filter (where ${isConnected})::int as connected,
      count(*) filter (where ${isDown})::int as down
    from connections c where not c.is_deleted`.execute(db)
  return firstOf(rows)
}
