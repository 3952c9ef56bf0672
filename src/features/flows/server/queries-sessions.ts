import { type SqlBool, sql } from 'kysely'
import type { RecordedEvent } from '#domain/flow/recording.ts'
import type { Branch, FlowSession, StepCause } from '#domain/flow/session.ts'
import { firstOf } from '#domain/present.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stored session of a conversation with a flow. */
export type StoredSession = { id: string; ticketId: number; state: FlowSession; isEnded: boolean }

const sessions = (db: Tx) =>
  db.selectFrom('flow_sessions').select(['id', 'ticket_id as ticketId', 'state', 'ended_at as endedAt'])

const stored = (row: { id: string; ticketId: number; state: FlowSession; endedAt: Date | null }): StoredSession => {
  return { id: row.id, ticketId: row.ticketId, state: row.state, isEnded: row.endedAt !== null }
}

/** Returns the active sessions of tickets, which the caller has locked. */
export const listLive = async (db: Tx, ticketIds: readonly number[]): Promise<StoredSession[]> =>
  (
    await sessions(db)
      .where(sql<SqlBool>`ticket_id = any(${[...ticketIds]}::bigint[])`)
      .where('ended_at', 'is', null)
      .execute()
  ).map(stored)

/** Returns a session; the caller has locked its ticket. */
export const findSession = async (db: Tx, id: string): Promise<StoredSession | undefined> =>
  (await sessions(db).where('id', '=', id).execute()).map(stored)[0]

/** Returns the ticket of a session that has not ended. */
export const ticketOfSession = async (db: Tx, id: string): Promise<number | undefined> =>
  (
    await db
      .selectFrom('flow_sessions')
      .select('ticket_id')
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
  )?.ticket_id

/** Inserts sessions and ends those still active in their tickets. */
export async function insertSessions(
  db: Tx,
  begun: readonly { readonly ticketId: number; readonly session: FlowSession }[],
  now: Date,
): Promise<void> {
  const ticketIds = begun.map(({ ticketId }) => ticketId)
  await Promise.all([
    db
      .updateTable('flow_sessions')
      .set({ ended_at: now, updated_at: now })
      .where(sql<SqlBool>`ticket_id = any(${ticketIds}::bigint[])`)
      .where('ended_at', 'is', null)
      .execute(),
    sql`
      insert into flow_sessions (tenant_id, id, ticket_id, chat_flow_id, version, state, created_at, updated_at)
      select app.tenant(), (s.session->>'id')::uuid, s."ticketId", (s.session->>'chatFlowId')::bigint, (s.session->>'version')::int,
        s.session, ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(begun)}::jsonb) as s ("ticketId" bigint, session jsonb)`.execute(db),
  ])
}

/** Returns the newest active session in a ticket of the same contact that was resolved since a time. */
export async function findClosing(
  db: Tx,
  { id, contact_id: contactId, connection_id: connectionId }: LedgerTicket,
  since: Date,
): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('tickets as t')
    .innerJoin('flow_sessions as s', (join) =>
      join.onRef('s.tenant_id', '=', 't.tenant_id').onRef('s.ticket_id', '=', 't.id'),
    )
    .select(['s.id', 's.ticket_id as ticketId', 's.state', 's.ended_at as endedAt'])
    .where('t.contact_id', '=', contactId)
    .where('t.connection_id', '=', connectionId)
    .where('t.id', '<>', id)
    .where('t.status', '=', 'closed')
    .where('t.closed_at', '>=', since)
    .where('s.ended_at', 'is', null)
    .orderBy('t.closed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && stored(row)
}

/** Moves a session to another ticket. */
export async function moveSession(db: Tx, id: string, ticketId: number): Promise<void> {
  await db.updateTable('flow_sessions').set({ ticket_id: ticketId }).where('id', '=', id).execute()
}

/** Marks a session as ended. */
export async function endSession(db: Tx, id: string, now: Date): Promise<void> {
  await db.updateTable('flow_sessions').set({ ended_at: now, updated_at: now }).where('id', '=', id).execute()
}

/** Stores the states of sessions. */
export async function updateSessions(db: Tx, reached: readonly FlowSession[], now: Date): Promise<void> {
  await sql`
    update flow_sessions f set state = s.state, chat_flow_id = (s.state->>'chatFlowId')::bigint, version = (s.state->>'version')::int,
      updated_at = ${now}, ended_at = case when s.state->>'end' is null then f.ended_at else ${now} end
    from jsonb_array_elements(${JSON.stringify(reached)}::jsonb) as s (state)
    where f.tenant_id = app.tenant() and f.id = (s.state->>'id')::uuid and f.id = any(${reached.map(({ id }) => id)}::uuid[])`.execute(
    db,
  )
}

/** Step of a session in a version of a flow; `begins`: the session enters that flow with it. */
export type SessionStep = {
  readonly sessionId: string
  readonly number: number
  readonly chatFlowId: number
  readonly version: number
  readonly begins: boolean
  readonly nodeId: string | null
  readonly why: string
  readonly isEntry: boolean
  readonly branch: Branch | undefined
  readonly cause: StepCause | undefined
}

/** Inserts steps of sessions. */
export async function insertSteps(db: Tx, steps: readonly SessionStep[], now: Date): Promise<void> {
  if (steps.length === 0) return
  await sql`insert into flow_steps (tenant_id, session_id, number, node_id, why, at, chat_flow_id, version, begins, is_entry, branch_node, branch, cause)
    select app.tenant(), s."sessionId", s.number, s."nodeId", s.why, ${now}, s."chatFlowId", s.version, s.begins, s."isEntry",
      s.branch->>'nodeId', (s.branch->>'index')::int, s.cause
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as s ("sessionId" uuid, number int, "nodeId" text, why text, "chatFlowId" bigint, version int, begins boolean, "isEntry" boolean, branch jsonb, cause text)`.execute(
    db,
  )
}

/** Inserts events of sessions. */
export async function insertEvents(
  db: Tx,
  events: readonly { readonly sessionId: string; readonly event: RecordedEvent }[],
): Promise<void> {
  await sql`insert into flow_events (tenant_id, session_id, event) select app.tenant(), e."sessionId", e.event
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e ("sessionId" uuid, event jsonb)`.execute(db)
}

/** Returns the events of the newest session in a ticket that started with a flow, in order; null if there is none. */
export async function findEvents(db: Queryable, ticketId: number, chatFlowId: number): Promise<RecordedEvent[] | null> {
  const { rows } = await sql<{ events: RecordedEvent[] }>`
    select jsonb_agg(e.event order by e.id) as events
    from flow_sessions s join flow_events e on e.tenant_id = s.tenant_id and e.session_id = s.id
    where s.ticket_id = ${ticketId}
    group by s.id, s.created_at
    having (array_agg(e.event order by e.id))[1]->'chatFlowId' = to_jsonb(${chatFlowId}::bigint)
    order by s.created_at desc limit 1`.execute(db)
  return rows[0]?.events ?? null
}

/** Returns the newest session of a ticket, or that of a message (`effect`: its number there), with its steps in order. */
export async function findStory(db: Queryable, ticketId: number, messageId: string | null) {
  const { rows } = await sql<{
    id: string
    chatFlowId: number
    version: number
    name: string
    startedWith: number | null
    effect: number | null
  }>`
    select s.id, s.chat_flow_id as "chatFlowId", s.version, f.name, split_part(m.id_front, ':', 2)::int as effect,
      (select (e.event->>'chatFlowId')::bigint from flow_events e where e.tenant_id = s.tenant_id and e.session_id = s.id order by e.id limit 1)
        as "startedWith"
    from flow_sessions s join chat_flows f on f.tenant_id = s.tenant_id and f.id = s.chat_flow_id
    left join messages m on m.tenant_id = s.tenant_id and m.id = ${messageId}::uuid and m.ticket_id = s.ticket_id
      and m.send_type = 'bot' and m.id_front like s.id || ':%'
    where s.ticket_id = ${ticketId} and (${messageId}::uuid is null or m.id is not null)
    order by s.created_at desc limit 1`.execute(db)
  const [session] = rows
  if (!session) return null
  const steps = await db
    .selectFrom('flow_steps')
    .select(['number', 'at', 'node_id as nodeId', 'why', 'chat_flow_id as chatFlowId', 'version'])
    .where('session_id', '=', session.id)
    .orderBy('number')
    .limit(1000)
    .execute()
  return { ...session, steps }
}

/** Facts that decide whether and how a flow attends a ticket. */
export type Situation = {
  ticketId: number
  number: string | null
  isChatbotBlocked: boolean
  isByAgent: boolean
  isFirstTicket: boolean
  /** True if a flow has attended the ticket before. */
  wasAttended: boolean
  connectionFlowId: number | null
  queueId: number | null
  userId: number | null
}

/** Returns the situation of each ticket. */
export async function findSituations(db: Tx, ticketIds: readonly number[]): Promise<Map<number, Situation>> {
  const { rows } = await sql<Situation>`
    select t.id as "ticketId", c.number, c.chatbot_blocked as "isChatbotBlocked", t.is_active_demand as "isByAgent", w.chat_flow_id as "connectionFlowId",
      w.queue_id as "queueId", w.user_id as "userId",
      not exists (select from tickets o where o.tenant_id = t.tenant_id and o.contact_id = t.contact_id and o.id <> t.id) as "isFirstTicket",
      exists (select from flow_sessions s where s.tenant_id = t.tenant_id and s.ticket_id = t.id) as "wasAttended"
    from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    join connections w on w.tenant_id = t.tenant_id and w.id = t.connection_id
    where t.id = any(${[...ticketIds]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.ticketId, row]))
}

/** Returns the queue and user of a connection. */
export const receiversOf = (db: Tx, connectionId: number): Promise<{ queueId: number | null; userId: number | null }> =>
  db
    .selectFrom('connections')
    .select(['queue_id as queueId', 'user_id as userId'])
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow()

/** Checks that a queue is active, and that a user is active. */
export async function mayReceive(db: Tx, { queueId, userId }: { queueId: number | null; userId: number | null }) {
  const { rows } = await sql<{ queue: boolean; user: boolean }>`
    select exists (select from queues where id = ${queueId} and is_active) as queue,
      exists (select from users where id = ${userId} and is_active) as user`.execute(db)
  return firstOf(rows)
}
