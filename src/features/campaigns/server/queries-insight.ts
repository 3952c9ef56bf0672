import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** Returns the number of a dispatch's messages per hour since a time; keys are the beginnings of hours (epoch ms). */
export async function sentByHour(db: Queryable, dispatchId: number, since: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ at: number; n: number }>`
    select (floor(extract(epoch from sent_at) / 3600) * 3600000)::float8 as at, count(*)::int as n from dispatch_items
    where tenant_id = app.tenant() and dispatch_id = ${dispatchId} and sent_at >= ${since} group by 1`.execute(db)
  return new Map(rows.map(({ at, n }) => [at, n]))
}

/** Returns the results of each text of a dispatch: recipients reached, replied, opted out. */
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

/** Returns the number of first contacts of a connection by dispatches since a time, and the time of the last message. */
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
