import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordedEvent } from '#domain/flow/recording.ts'
import type { ReplayOutcome } from '#domain/flow/replay.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { PageStart } from '#server/paging.ts'
import type { StoredConversation } from './replay-thread.ts'

/** Recorded conversation with a flow, and the time at which it entered the flow. */
export type RecordedSession = { readonly id: string; readonly at: Date; readonly events: readonly RecordedEvent[] }

/** Returns conversations that entered a flow in a period, newest first, after a given one. */
export async function listRecorded(
  db: Queryable,
  {
    chatFlowId,
    from,
    to,
    behind,
    limit,
  }: { chatFlowId: number; from: Date; to: Date; behind: RecordedSession | null; limit: number },
): Promise<RecordedSession[]> {
  const { rows } = await sql<RecordedSession>`
    select b.session_id as id, b.at,
      (select jsonb_agg(e.event order by e.id) from flow_events e where e.tenant_id = app.tenant() and e.session_id = b.session_id) as events
    from (
      select session_id, at from flow_steps
      where tenant_id = app.tenant() and chat_flow_id = ${chatFlowId} and begins and at >= ${from} and at < ${to}
        ${behind ? sql`and (at, session_id) < (${behind.at}, ${behind.id}::uuid)` : sql``}
      order by at desc, session_id desc limit ${sql.lit(limit)}) b
    order by b.at desc, b.session_id desc`.execute(db)
  return rows
}

/** Returns the stored conversations by session; texts only if unedited. */
export async function findStored(db: Queryable, ids: readonly string[]): Promise<Map<string, StoredConversation>> {
  const number = sql`split_part(m.id_front, ':', 2)::int`
  const { rows } = await sql<StoredConversation & { id: string }>`
    select s.id, s.state,
      coalesce((select jsonb_agg(jsonb_build_object('number', p.number, 'nodeId', p.node_id, 'why', p.why) order by p.number)
        from flow_steps p where p.tenant_id = s.tenant_id and p.session_id = s.id), '[]') as steps,
      coalesce((select jsonb_agg(jsonb_build_object('number', ${number}, 'body', m.body) order by ${number})
        from messages m where m.tenant_id = s.tenant_id
        and m.id_front = any(array(select s.id || ':' || n from generate_series(1, (s.state->>'effects')::int) n)) and m.send_type = 'bot' and not m.is_note and not m.is_deleted and m.edition is null), '[]') as texts
    from flow_sessions s where s.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...stored }) => [id, stored]))
}

/** Counts of a replay: total, unplayable, and by outcome. */
export type ReplayCounts = Readonly<Record<ReplayOutcome | 'total' | 'unplayable', number>> & {
  /** True if there were more conversations, or too little time. */
  readonly isCapped: boolean
}

/** Inserts a replay with the outcome of each conversation; returns its id. */
export async function insertReplay(
  db: Tx,
  row: {
    readonly chatFlowId: number
    readonly definition: object | null
    readonly from: Date
    readonly to: Date
    readonly counts: ReplayCounts
    readonly sessions: readonly { readonly id: string; readonly at: Date; readonly outcome: ReplayOutcome }[]
  },
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('flow_replays')
    .values({
      tenant_id: sql`app.tenant()`,
      chat_flow_id: row.chatFlowId,
      definition: row.definition && JSON.stringify(row.definition),
      from_at: row.from,
      to_at: row.to,
      counts: JSON.stringify(row.counts),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // A contact may have been forgotten meanwhile.
  await sql`insert into flow_replay_sessions (tenant_id, replay_id, session_id, begun_at, outcome)
    select app.tenant(), ${id}, s.id, r.at, r.outcome
    from jsonb_to_recordset(${JSON.stringify(row.sessions)}::jsonb) as r (id uuid, at timestamptz, outcome text)
    join flow_sessions s on s.tenant_id = app.tenant() and s.id = r.id`.execute(db)
  return id
}

const replays = (db: Queryable, chatFlowId: number) =>
  db
    .selectFrom('flow_replays')
    .select(['id', 'definition', 'counts', 'created_at'])
    .where('chat_flow_id', '=', chatFlowId)

/** Returns a stored replay of a flow. */
export const findReplay = (db: Queryable, chatFlowId: number, id: number) =>
  replays(db, chatFlowId).where('id', '=', id).executeTakeFirst()

/** Returns the newest replay of a flow, on its draft or of a night. */
export const newestReplay = (db: Queryable, chatFlowId: number, isNight: boolean) =>
  replays(db, chatFlowId)
    .where('definition', isNight ? 'is' : 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the flow of a replay and its newest ticket with a different outcome; undefined if there is none. */
export async function differentIn(
  db: Queryable,
  replayId: number,
): Promise<{ name: string; ticketId: number } | undefined> {
  const { rows } = await sql<{ name: string; ticketId: number }>`
    select f.name, s.ticket_id as "ticketId" from flow_replays r
    join chat_flows f on f.tenant_id = r.tenant_id and f.id = r.chat_flow_id
    join flow_replay_sessions o on o.tenant_id = r.tenant_id and o.replay_id = r.id
    join flow_sessions s on s.tenant_id = o.tenant_id and s.id = o.session_id
    where r.tenant_id = app.tenant() and r.id = ${replayId} and o.outcome <> 'same' order by o.begun_at desc, o.session_id desc limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Returns a page of a replay's conversations in tickets that the user may see, newest first. */
export async function listReplayed(
  db: Queryable,
  replayId: number,
  outcome: ReplayOutcome,
  visible: RawBuilder<SqlBool>,
  { after, offset, limit }: PageStart<[number, string]>,
) {
  const micros = sql`(extract(epoch from r.begun_at) * 1000000)::bigint`
  const { rows } = await sql<{
    id: string
    position: number
    at: Date
    ticketId: number
    contactName: string
    events: readonly RecordedEvent[]
  }>`
    with page as materialized (
      select r.session_id as id, ${micros} as position, r.begun_at as at, s.ticket_id, tickets.contact_id
      from flow_replay_sessions r
      join flow_sessions s on s.tenant_id = app.tenant() and s.id = r.session_id
      join tickets on tickets.tenant_id = app.tenant() and tickets.id = s.ticket_id
      where r.tenant_id = app.tenant() and r.replay_id = ${replayId} and r.outcome = ${outcome} and ${visible}
        ${after ? sql`and (${micros}, r.session_id) < (${after[0]}::bigint, ${after[1]}::uuid)` : sql``}
      order by r.begun_at desc, r.session_id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)})
    select p.id, p.position, p.at, p.ticket_id as "ticketId", c.name as "contactName",
      (select jsonb_agg(e.event order by e.id) from flow_events e where e.tenant_id = app.tenant() and e.session_id = p.id) as events
    from page p join contacts c on c.tenant_id = app.tenant() and c.id = p.contact_id
    order by p.position desc, p.id desc`.execute(db)
  return rows
}

/** Returns the published flows without a nightly replay since a moment. */
export async function flowsToCheck(db: Queryable, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from chat_flows f where is_active and not is_deleted and published_version is not null and not exists (
      select from flow_replays r where r.tenant_id = f.tenant_id and r.chat_flow_id = f.id and r.definition is null and r.created_at >= ${since})
    order by id limit 500`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the ids of all tenants; requires platform database access. */
export const listCompanies = async (db: Tx): Promise<number[]> =>
  (await db.selectFrom('tenants').select('id').orderBy('id').execute()).map(({ id }) => id)

/** Deletes old replays, whose draft has changed since. */
export const removeReplays: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from flow_replays where tenant_id = ${tenantId} and id in
      (select id from flow_replays where tenant_id = ${tenantId} and created_at < ${before} limit ${most})`,
  )
