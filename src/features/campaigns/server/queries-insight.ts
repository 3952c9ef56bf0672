import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** How many messages of a dispatch were written in each hour since a moment; an hour is its beginning (epoch ms). */
export async function sentByHour(db: Queryable, dispatchId: number, since: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ at: number; n: number }>`
    select (floor(extract(epoch from sent_at) / 3600) * 3600000)::float8 as at, count(*)::int as n from dispatch_items
    where tenant_id = app.tenant() and dispatch_id = ${dispatchId} and sent_at >= ${since} group by 1`.execute(db)
  return new Map(rows.map(({ at, n }) => [at, n]))
}

/** What became of each text of a dispatch: how many it reached, who of them answered, and who wants nothing more. */
export async function outcomesByVariant(
  db: Queryable,
  dispatchId: number,
): Promise<{ variant: number; reached: number; replied: number; optedOut: number }[]> {
  const { rows } = await sql<{ variant: number; reached: number; replied: number; optedOut: number }>`
    select variant, count(*)::int as reached, count(replied_at)::int as replied, count(opted_out_at)::int as "optedOut"
    from dispatch_items where tenant_id = app.tenant() and dispatch_id = ${dispatchId} and state in ('sent', 'delivered', 'read')
    group by variant order by variant`.execute(db)
  return rows
}

/** How many conversations a connection began by dispatches since a moment, and when the last message to a list left. */
export async function firstContactsSince(
  db: Queryable,
  connectionId: number,
  since: Date,
): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*) filter (where is_first)::int as count, max(sent_at) as "lastAt" from dispatch_items
    where tenant_id = app.tenant() and connection_id = ${connectionId} and sent_at > ${since}`.execute(db)
  return rows[0]!
}
