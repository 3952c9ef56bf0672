import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Filter of conversations that entered a version of a flow, from and before a moment. */
export type Walks = {
  readonly chatFlowId: number
  readonly version: number
  readonly from: Date
  readonly to: Date
}

/** Maximum number of conversations counted, newest first. */
export const MOST_WALKS = 50_000

// One row per visit of a step, with the way of leaving it; taken from the next step of the same conversation.
const visits = ({ chatFlowId, version, from, to }: Walks) => sql`
  begun as materialized (
    select session_id from (
      select session_id from flow_steps
      where tenant_id = app.tenant() and chat_flow_id = ${chatFlowId} and version = ${version} and begins and at >= ${from} and at < ${to}
      order by at desc limit ${sql.lit(MOST_WALKS)}) newest
    group by session_id),
  moves as (
    select s.session_id, s.number, s.at, s.node_id, s.chat_flow_id, s.version, s.is_entry, lead(s.number) over later as next,
      lead(s.at) over later as left_at, lead(s.branch_node) over later as from_node, lead(s.branch) over later as branch,
      lead(s.cause) over later as cause
    from begun join flow_steps s on s.tenant_id = app.tenant() and s.session_id = begun.session_id
    where s.is_entry or s.branch is not null or s.cause is not null
    window later as (partition by s.session_id order by s.number)),
  visits as (
    select m.session_id, m.number, m.at, m.node_id, m.left_at, f.ticket_id,
      case when m.cause is not null then m.cause
        when m.from_node = m.node_id then 'branch'
        when m.next is not null or f.ended_at is not null then 'other'
        when t.chat_flow_id is null then 'person'
        else 'here' end as way,
      case when m.cause is null and m.from_node = m.node_id then m.branch end as index
    from moves m
    join flow_sessions f on f.tenant_id = app.tenant() and f.id = m.session_id
    join tickets t on t.tenant_id = app.tenant() and t.id = f.ticket_id
    where m.is_entry and m.node_id is not null and m.chat_flow_id = ${chatFlowId} and m.version = ${version})`

/** Counts the visits of each step with their median duration (`way` null), and the ways of leaving it. */
export async function countVisits(db: Queryable, walks: Walks) {
  const { rows } = await sql<{
    nodeId: string
    way: string | null
    index: number | null
    count: number
    medianMs: number | null
  }>`with ${visits(walks)}
    select node_id as "nodeId", way, index, count(*)::int as count,
      (percentile_cont(0.5) within group (order by extract(epoch from left_at - at)::float8 * 1000))::bigint as "medianMs"
    from visits group by grouping sets ((node_id), (node_id, way, index)) order by node_id, way nulls first, index`.execute(
    db,
  )
  return rows
}

/** Counts the conversations, up to the maximum. */
export async function countWalks(db: Queryable, { chatFlowId, version, from, to }: Walks): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from flow_steps
    where tenant_id = app.tenant() and chat_flow_id = ${chatFlowId} and version = ${version} and begins and at >= ${from} and at < ${to}
    limit ${sql.lit(MOST_WALKS + 1)}) counted`.execute(db)
  return firstOf(rows).count
}

/** Returns the visits of a step in tickets that the user may see, newest first. */
export async function listVisits(
  db: Queryable,
  walks: Walks,
  { nodeId, way, index }: { nodeId: string; way: string | null; index: number | null },
  visible: RawBuilder<SqlBool>,
  { after, offset, limit }: PageStart<[number, string, number]>,
) {
  const micros = sql`(extract(epoch from v.at) * 1000000)::bigint`
  const behind = after
    ? sql`and (${micros}, v.session_id, v.number) < (${after[0]}::bigint, ${after[1]}::uuid, ${after[2]}::int)`
    : sql``
  const { rows } = await sql<{
    sessionId: string
    number: number
    position: number
    at: Date
    ticketId: number
    status: string
    contactName: string
  }>`with ${visits(walks)}
    select v.session_id as "sessionId", v.number, ${micros} as position, v.at, tickets.id as "ticketId", tickets.status, c.name as "contactName"
    from visits v
    join tickets on tickets.tenant_id = app.tenant() and tickets.id = v.ticket_id
    join contacts c on c.tenant_id = app.tenant() and c.id = tickets.contact_id
    where v.node_id = ${nodeId} and ${way === null ? sql`true` : sql`v.way = ${way}`}
      and ${index === null ? sql`true` : sql`v.index = ${index}`} and ${visible} ${behind}
    order by 3 desc, 1 desc, 2 desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db)
  return rows
}
