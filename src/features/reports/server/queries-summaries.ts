import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'
import type { Condition } from './queries-facts.ts'

type Named = { key: string; label: string }

/** What bots did with the tickets within a condition, by flow: conversations that began in a time, and how they ended. */
export async function countBots(
  db: Queryable,
  { from, before, where }: { from: Date; before: Date; where: Condition },
): Promise<(Named & { sessions: number; ended: number; attended: number; alone: number })[]> {
  const isAttended = sql`tickets.started_attendance_at >= s.created_at`
  const { rows } = await sql<Named & { sessions: number; ended: number; attended: number; alone: number }>`
    select f.id::text as key, f.name as label, count(*)::int as sessions,
      count(s.ended_at)::int as ended, (count(*) filter (where ${isAttended}))::int as attended,
      (count(*) filter (where tickets.status = 'closed' and (${isAttended}) is not true))::int as alone
    from flow_sessions s
    join chat_flows f on f.tenant_id = s.tenant_id and f.id = s.chat_flow_id
    join tickets on tickets.tenant_id = s.tenant_id and tickets.id = s.ticket_id
    where s.created_at >= ${from} and s.created_at < ${before} and ${where}
    group by f.id, f.name order by count(*) desc, f.name, f.id`.execute(db)
  return rows
}

/** What became of the recipients of dispatches that begin in a time, the latest first. */
export async function countDispatches(
  db: Queryable,
  { from, before, connections }: { from: Date; before: Date; connections: readonly number[] | undefined },
  most: number,
): Promise<(Named & { isCampaign: boolean; counts: Record<string, number> })[]> {
  const narrowed = connections?.length ? sql`d.connection_id = any(${[...connections]}::bigint[])` : sql`true`
  const { rows } = await sql<Named & { isCampaign: boolean; counts: Record<string, number> }>`
    select d.id::text as key, d.name as label, d.kind = 'campaign' as "isCampaign",
      (select coalesce(jsonb_object_agg(n.state, n.amount), '{}') from (
        select i.state, count(*)::int as amount from dispatch_items i
        where i.tenant_id = d.tenant_id and i.dispatch_id = d.id group by i.state
        union all select 'replied', count(i.replied_at)::int from dispatch_items i
        where i.tenant_id = d.tenant_id and i.dispatch_id = d.id
        union all select 'optedOut', count(i.opted_out_at)::int from dispatch_items i
        where i.tenant_id = d.tenant_id and i.dispatch_id = d.id) n) as counts
    from dispatches d where d.start_at >= ${from} and d.start_at < ${before} and ${narrowed}
    order by d.start_at desc, d.id desc limit ${most}`.execute(db)
  return rows
}
