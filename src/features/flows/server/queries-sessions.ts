import { sql } from 'kysely'
import type { RecordedEvent } from '#domain/flow/recording.ts'
import type { Branch, FlowSession, StepCause } from '#domain/flow/session.ts'
import type { LedgerTicket } from '#features/conversations/server/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** A conversation with a flow as it is stored. */
export type StoredSession = { id: string; ticketId: number; state: FlowSession; isEnded: boolean }

const sessions = (db: Tx) =>
  db.selectFrom('flow_sessions').select(['id', 'ticket_id as ticketId', 'state', 'ended_at as endedAt'])

const stored = (row: { id: string; ticketId: number; state: unknown; endedAt: Date | null } | undefined) =>
  row && { id: row.id, ticketId: row.ticketId, state: row.state as FlowSession, isEnded: row.endedAt !== null }

/** The session that goes on in a ticket, which the caller has locked. */
export const findLive = async (db: Tx, ticketId: number): Promise<StoredSession | undefined> =>
  stored(await sessions(db).where('ticket_id', '=', ticketId).where('ended_at', 'is', null).executeTakeFirst())

/** A session, whose ticket the caller has locked. */
export const findSession = async (db: Tx, id: string): Promise<StoredSession | undefined> =>
  stored(await sessions(db).where('id', '=', id).executeTakeFirst())

/** The ticket of a session that has not ended. */
export const ticketOfSession = async (db: Tx, id: string): Promise<number | undefined> =>
  (
    await db
      .selectFrom('flow_sessions')
      .select('ticket_id')
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
  )?.ticket_id

/** Begins a session; one that still went on in the ticket has ended. */
export async function insertSession(db: Tx, ticketId: number, session: FlowSession, now: Date): Promise<void> {
  await db
    .updateTable('flow_sessions')
    .set({ ended_at: now, updated_at: now })
    .where('ticket_id', '=', ticketId)
    .where('ended_at', 'is', null)
    .execute()
  await db
    .insertInto('flow_sessions')
    .values({
      tenant_id: sql`app.tenant()`,
      id: session.id,
      ticket_id: ticketId,
      chat_flow_id: session.chatFlowId,
      version: session.version,
      state: JSON.stringify(session),
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** The session that goes on in a conversation of the ticket's contact that was resolved since a time, the newest. */
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
  return stored(row)
}

/** Has a session go on in another ticket. */
export async function moveSession(db: Tx, id: string, ticketId: number): Promise<void> {
  await db.updateTable('flow_sessions').set({ ticket_id: ticketId }).where('id', '=', id).execute()
}

/** Ends a session in which nothing happens any more. */
export async function endSession(db: Tx, id: string, now: Date): Promise<void> {
  await db.updateTable('flow_sessions').set({ ended_at: now, updated_at: now }).where('id', '=', id).execute()
}

/** Stores how far a session is. */
export async function updateSession(db: Tx, session: FlowSession, now: Date): Promise<void> {
  await db
    .updateTable('flow_sessions')
    .set({
      state: JSON.stringify(session),
      chat_flow_id: session.chatFlowId,
      version: session.version,
      updated_at: now,
      ...(session.end === null ? {} : { ended_at: now }),
    })
    .where('id', '=', session.id)
    .execute()
}

/** A step of a session in a version of a flow; `begins`: the session has come to that with it. */
export type SessionStep = {
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

/** Stores why a session went where it is. */
export async function insertSteps(db: Tx, sessionId: string, steps: readonly SessionStep[], now: Date): Promise<void> {
  if (steps.length === 0) return
  await sql`insert into flow_steps (tenant_id, session_id, number, node_id, why, at, chat_flow_id, version, begins, is_entry, branch_node, branch, cause)
    select app.tenant(), ${sessionId}::uuid, s.number, s."nodeId", s.why, ${now}, s."chatFlowId", s.version, s.begins, s."isEntry",
      s.branch->>'nodeId', (s.branch->>'index')::int, s.cause
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as s (number int, "nodeId" text, why text, "chatFlowId" bigint, version int, begins boolean, "isEntry" boolean, branch jsonb, cause text)`.execute(
    db,
  )
}

/** Notes what happened to a session. */
export async function insertEvent(db: Tx, sessionId: string, event: RecordedEvent): Promise<void> {
  await db
    .insertInto('flow_events')
    .values({ tenant_id: sql`app.tenant()`, session_id: sessionId, event: JSON.stringify(event) })
    .execute()
}

/** What happened in the newest session of a ticket that began with a flow, in order; null where there is none. */
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

/** What a flow did in a ticket: its newest session, or that of a message (`effect`: its number there), with the steps in order. */
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

/** What decides whether and how a flow attends a ticket. */
export async function findSituation(db: Tx, ticketId: number) {
  const { rows } = await sql<{
    number: string | null
    isChatbotBlocked: boolean
    isByAgent: boolean
    isFirstTicket: boolean
    connectionFlowId: number | null
    queueId: number | null
    userId: number | null
  }>`
    select c.number, c.chatbot_blocked as "isChatbotBlocked", t.is_active_demand as "isByAgent", w.chat_flow_id as "connectionFlowId",
      w.queue_id as "queueId", w.user_id as "userId",
      not exists (select from tickets o where o.tenant_id = t.tenant_id and o.contact_id = t.contact_id and o.id <> t.id) as "isFirstTicket"
    from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    join connections w on w.tenant_id = t.tenant_id and w.id = t.connection_id
    where t.id = ${ticketId}`.execute(db)
  return rows[0]!
}

/** Whether a queue takes tickets, and whether a person works here. */
export async function mayReceive(db: Tx, { queueId, userId }: { queueId: number | null; userId: number | null }) {
  const { rows } = await sql<{ queue: boolean; user: boolean }>`
    select exists (select from queues where id = ${queueId} and is_active) as queue,
      exists (select from users where id = ${userId} and is_active) as user`.execute(db)
  return rows[0]!
}
