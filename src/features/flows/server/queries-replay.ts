import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordedEvent } from '#domain/flow/recording.ts'
import type { ReplayOutcome } from '#domain/flow/replay.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { PageStart } from '#server/paging.ts'
import type { StoredConversation } from './replay-thread.ts'

/** A conversation with a flow as it was recorded, when it came to it. */
export type RecordedSession = { readonly id: string; readonly at: Date; readonly events: readonly RecordedEvent[] }

/** Conversations that came to a flow in a period, the newest first, behind one of them. */
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

/** What is stored of conversations, by their sessions: texts that nobody has changed since. */
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

/** What a replay has counted: all, those that could not be played, and the others by outcome. */
export type ReplayCounts = Readonly<Record<ReplayOutcome | 'total' | 'unplayable', number>> & {
  /** Whether there were more conversations, or more to do than there was time for. */
  readonly isCapped: boolean
}

/** Stores a replay with how each conversation went; answers its id. */
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
  // Somebody may have been forgotten meanwhile.
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

/** A replay of a flow as it is stored. */
export const findReplay = (db: Queryable, chatFlowId: number, id: number) =>
  replays(db, chatFlowId).where('id', '=', id).executeTakeFirst()

/** The newest replay of a flow on its draft, or of a night. */
export const newestReplay = (db: Queryable, chatFlowId: number, isNight: boolean) =>
  replays(db, chatFlowId)
    .where('definition', isNight ? 'is' : 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The flow of a replay and the newest ticket in it that went otherwise; undefined where none did. */
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

/** A page of conversations of a replay in tickets that somebody sees, the newest first. */
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

/** Published flows of which no night was played since a moment. */
export async function flowsToCheck(db: Queryable, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from chat_flows f where is_active and not is_deleted and published_version is not null and not exists (
      select from flow_replays r where r.tenant_id = f.tenant_id and r.chat_flow_id = f.id and r.definition is null and r.created_at >= ${since})
    order by id limit 500`.execute(db)
  return rows.map(({ id }) => id)
}

/** Every company; as the platform. */
export const listCompanies = async (db: Tx): Promise<number[]> =>
  (await db.selectFrom('tenants').select('id').orderBy('id').execute()).map(({ id }) => id)

/** Replays from before; what they say of a draft is old. */
export const removeReplays: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from flow_replays where tenant_id = ${tenantId} and id in
      (select id from flow_replays where tenant_id = ${tenantId} and created_at < ${before} limit ${most})`,
  )
