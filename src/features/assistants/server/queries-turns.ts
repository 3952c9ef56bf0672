import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Row of a turn for display. */
export type ShownTurn = {
  readonly id: string
  readonly status: string
  readonly assistant: string
  readonly provider: string
  readonly model: string | null
  readonly sources: { id: string | number; title: string }[]
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
  readonly ms: number
  readonly error: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const MOST_TURNS = 200

/** Returns the last turns of a ticket, oldest first; an answer counts as sent once all its messages are. */
export async function listTurns(db: Queryable, ticketId: number): Promise<ShownTurn[]> {
  const { rows } = await sql<ShownTurn>`
    select t.id, case when t.status = 'answered' and t.message_count > 0 and not exists (
        select from messages m where m.tenant_id = t.tenant_id and m.ticket_id = t.ticket_id
          and m.id_front = any(array(select t.id || ':' || n from generate_series(1, t.message_count) n))
          and m.status in ('pending', 'queued', 'failed', 'canceled', 'uncertain')) then 'sent' else t.status end as status,
      coalesce(a.name, t.provider) as assistant, t.provider, t.model, t.sources, t.input_tokens as "inputTokens",
      t.output_tokens as "outputTokens", t.cost::float8 as cost, t.ms, t.error, t.created_at as "createdAt", t.ended_at as "endedAt"
    from (select * from assistant_turns where ticket_id = ${ticketId} order by created_at desc, id desc limit ${MOST_TURNS}) t
    left join provider_settings a on a.tenant_id = t.tenant_id and a.id = t.account_id
    order by t.created_at, t.id`.execute(db)
  return rows
}

/** Stored data that decides whether an assistant answers in a ticket. */
export type SituationRow = {
  readonly ticketId: number
  readonly status: 'open' | 'pending' | 'closed'
  readonly isGroup: boolean
  readonly isInFlow: boolean
  readonly isPaused: boolean
  readonly isBlocked: boolean
  readonly isChatbotBlocked: boolean
  readonly hasWallet: boolean
  readonly wasAttended: boolean
  readonly isFirstTicket: boolean
  readonly isByAgent: boolean
  readonly switches: Readonly<Record<string, unknown>>
  readonly queueId: number | null
  readonly userId: number | null
  readonly connectionId: number
  readonly connectionQueueId: number | null
  readonly connectionUserId: number | null
  readonly accountId: number | null
  readonly when: 'always' | 'closed' | 'away'
  readonly firstTicketOnly: boolean
  /** Whether customers' recordings are transcribed. */
  readonly transcribes: boolean
}

/** Returns the situations of several tickets. */
export async function findSituations(db: Queryable, ticketIds: readonly number[]): Promise<Map<number, SituationRow>> {
  const { rows } = await sql<SituationRow>`
    select t.id as "ticketId", t.status, t.is_group as "isGroup", t.chat_flow_id is not null as "isInFlow",
      t.paused_at is not null as "isPaused", c.blocked as "isBlocked", c.chatbot_blocked as "isChatbotBlocked",
      exists (select from contact_wallets x where x.tenant_id = t.tenant_id and x.contact_id = t.contact_id) as "hasWallet",
      t.started_attendance_at is not null as "wasAttended", t.is_active_demand as "isByAgent",
      not exists (select from tickets o where o.tenant_id = t.tenant_id and o.contact_id = t.contact_id and o.id < t.id) as "isFirstTicket",
      t.assistants as switches, t.queue_id as "queueId", t.user_id as "userId", t.connection_id as "connectionId",
      w.queue_id as "connectionQueueId", w.user_id as "connectionUserId", coalesce(qa.account_id, a.account_id) as "accountId",
      coalesce(a.answers_when, 'always') as "when", coalesce(a.answers_first_only, false) as "firstTicketOnly",
      coalesce(a.transcribes, false) as transcribes
    from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    join connections w on w.tenant_id = t.tenant_id and w.id = t.connection_id
    left join connection_assistants a on a.tenant_id = t.tenant_id and a.connection_id = t.connection_id
    left join queue_assistants qa on qa.tenant_id = t.tenant_id and qa.queue_id = coalesce(t.queue_id, w.queue_id)
    where t.id = any(${[...ticketIds]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.ticketId, row]))
}

/** Whether no user who serves a queue (null: any user) is online. */
export async function isNobodyOnline(db: Queryable, queueId: number | null, seenSince: Date): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select from users u where u.is_active and u.is_online and u.profile <> 'superadmin'
      and exists (select from sessions s where s.tenant_id = u.tenant_id and s.user_id = u.id and s.revoked_at is null
        and s.last_used_at > ${seenSince})
      and (${queueId}::bigint is null or exists (select from user_queues q
        where q.tenant_id = u.tenant_id and q.user_id = u.id and q.queue_id = ${queueId}))) as "isThere"`.execute(db)
  return !firstOf(rows).isThere
}

/** Step of a chat flow that a turn belongs to. */
export type FlowOfTurn = {
  readonly sessionId: string
  readonly callId: string
  /** Replaces the account's prompt; empty: the account's prompt is used. */
  readonly prompt: string
  /** Whether the assistant has no history of this conversation yet. */
  readonly isFirst: boolean
  /** Whether the answer is not sent. */
  readonly isSilent: boolean
}

/** New turn, which waits for further messages first. */
export type NewTurn = {
  readonly id: string
  readonly ticketId: number
  readonly accountId: number
  readonly provider: string
  readonly dueAt: Date
  readonly flow?: FlowOfTurn
}

/** Begins turns; a ticket with a waiting turn keeps that one. */
export async function beginTurns(db: Tx, turns: readonly NewTurn[], now: Date): Promise<void> {
  if (turns.length === 0) return
  await db
    .insertInto('assistant_turns')
    .values(
      turns.map((turn) => ({
        tenant_id: sql<number>`app.tenant()`,
        ...{ id: turn.id, ticket_id: turn.ticketId, account_id: turn.accountId, provider: turn.provider },
        ...{ status: 'waiting', due_at: turn.dueAt, created_at: now },
        flow: turn.flow ? JSON.stringify(turn.flow) : null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Marks tickets with an answer in progress as having new messages; returns those tickets. */
export async function noteMore(db: Tx, ticketIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .updateTable('assistant_turns')
    .set({ is_stale: true })
    .where('ticket_id', 'in', ticketIds)
    .where('status', 'in', ['claimed', 'asked'])
    .returning(['ticket_id', 'provider'])
    .execute()
  return new Map(rows.map((row) => [row.ticket_id, row.provider]))
}

/** Cancels the active turns of tickets in which people answer now. */
export async function cancelTurns(db: Tx, ticketIds: readonly number[], now: Date): Promise<void> {
  await db
    .updateTable('assistant_turns')
    .set({ status: 'canceled', ended_at: now, lease_until: null })
    .where('ticket_id', 'in', ticketIds)
    .where('status', 'in', ['waiting', 'claimed', 'asked', 'later'])
    .execute()
}

/** Row of a stored turn. */
export type TurnRow = {
  readonly id: string
  readonly ticket_id: number
  readonly account_id: number | null
  readonly provider: string
  readonly status: string
  readonly due_at: Date
  readonly lease_until: Date | null
  readonly is_stale: boolean
  readonly tries: number
  readonly last_seq: number
  readonly flow: FlowOfTurn | null
}

/** Returns the ticket of a turn. */
export async function ticketOfTurn(db: Queryable, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('assistant_turns').select('ticket_id').where('id', '=', id).executeTakeFirst()
  return row?.ticket_id
}

/** Finds a turn, locked until the transaction ends; its ticket is locked first. */
export async function lockTurn(db: Tx, id: string): Promise<TurnRow | undefined> {
  const row = await db
    .selectFrom('assistant_turns')
    .select([
      ...(['id', 'ticket_id', 'account_id', 'provider', 'status', 'due_at', 'lease_until', 'is_stale'] as const),
      ...(['tries', 'last_seq', 'flow'] as const),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, flow: row.flow as FlowOfTurn | null }
}

/** Whether another turn of a ticket is under way. */
export async function isOtherUnderWay(db: Queryable, { id, ticket_id }: TurnRow): Promise<boolean> {
  const row = await db
    .selectFrom('assistant_turns')
    .select('id')
    .where('ticket_id', '=', ticket_id)
    .where('status', 'in', ['claimed', 'asked'])
    .where('id', '<>', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the providers that a turn has called, its fallback's included. */
export async function calledProviders(db: Queryable, { id, ticket_id }: TurnRow): Promise<string[]> {
  const rows = await db
    .selectFrom('assistant_calls')
    .select('provider')
    .where('ticket_id', '=', ticket_id)
    .where('turn_id', '=', id)
    .execute()
  return rows.map(({ provider }) => provider)
}

/** Whether a turn of a ticket waits. */
export async function hasWaiting(db: Queryable, ticketId: number): Promise<boolean> {
  const row = await db
    .selectFrom('assistant_turns')
    .select('id')
    .where('ticket_id', '=', ticketId)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return row !== undefined
}

/** Writable fields of a turn. */
export type TurnChange = Partial<{
  status: 'waiting' | 'claimed' | 'asked' | 'later' | 'answered' | 'failed' | 'canceled' | 'uncertain'
  account_id: number | null
  due_at: Date
  claimed_by: string | null
  lease_until: Date | null
  is_stale: boolean
  tries: number
  last_seq: number
  problem: string | null
  error: string | null
  model: string | null
  message_count: number
  input_tokens: number
  cached_tokens: number
  output_tokens: number
  cost: string
  ms: number
  ended_at: Date
}>

/** Updates a turn. */
export async function updateTurn(db: Tx, id: string, change: TurnChange): Promise<void> {
  await db.updateTable('assistant_turns').set(change).where('id', '=', id).execute()
}

/** Counts the last consecutive failed turns of a ticket. */
export async function failuresInRow(db: Queryable, ticketId: number, most: number): Promise<number> {
  const rows = await db
    .selectFrom('assistant_turns')
    .select('status')
    .where('ticket_id', '=', ticketId)
    .where('status', 'in', ['answered', 'failed', 'later'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  const answered = rows.findIndex(({ status }) => status !== 'failed')
  return answered < 0 ? rows.length : answered
}

/** Returns the highest message number that the last turns of a ticket have read; 0 if none. */
export async function lastRead(db: Queryable, ticketId: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(last_seq), 0)::bigint as seq from assistant_turns where ticket_id = ${ticketId}`.execute(db)
  return Number(firstOf(rows).seq)
}

/**
 * Returns turns that are due or abandoned by a dead process, alternating between companies; requires platform database
 * access.
 */
export async function dueTurns(db: Queryable, now: Date, most: number): Promise<{ tenantId: number; id: string }[]> {
  const { rows } = await sql<{ tenantId: number; id: string }>`
    select tenant_id as "tenantId", id from (
      select tenant_id, id, due_at, row_number() over (partition by tenant_id order by due_at, id) as turn
      from assistant_turns
      where status in ('waiting', 'claimed', 'asked', 'later') and due_at <= ${now}
        and (status = 'waiting' or lease_until < ${now})) due
    order by turn, due_at limit ${most}`.execute(db)
  return rows
}

/** Extends the leases of this process's turns; requires platform database access. */
export async function renewLeases(db: Tx, holder: string, ids: readonly string[], until: Date): Promise<void> {
  await sql`update assistant_turns set lease_until = ${until}
    where claimed_by = ${holder}::uuid and id = any(${[...ids]}::uuid[]) and status in ('claimed', 'asked')`.execute(db)
}

/** Message of a conversation; `seq` is its number, `isPersons`: written by a colleague. */
export type WrittenRow = {
  readonly id: string
  readonly seq: number
  readonly fromMe: boolean
  readonly isPersons: boolean
  readonly mediaType: string
  readonly body: string
  /** Transcript of the recording, if any. */
  readonly transcript: string | null
  readonly createdAt: Date
  /** Whether its file is still being downloaded. */
  readonly isComing: boolean
  readonly file: { readonly path: string; readonly name: string; readonly mime: string; readonly size: number } | null
}

/** Returns the last messages of a ticket after a position, oldest first, without notes and revoked ones. */
export async function findTalk(db: Queryable, ticketId: number, behind: number, most: number): Promise<WrittenRow[]> {
  const { rows } = await sql<WrittenRow>`
    select * from (
      select m.id, m.data->>'transcript' as transcript, m.seq, m.from_me as "fromMe", m.from_me and m.send_type = 'chat' as "isPersons", m.media_type as "mediaType", m.body,
        m.created_at as "createdAt", m.file_id is null and coalesce(m.data->'remote'->>'state' = 'coming', false) as "isComing",
        case when f.id is not null then jsonb_build_object('path', f.path, 'name', f.name, 'mime', f.mime, 'size', f.size) end as file
      from messages m left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
      where m.ticket_id = ${ticketId} and m.seq > ${behind} and not m.is_note and not m.is_deleted and m.send_at is null
        and m.status not in ('canceled', 'failed')
      order by m.timestamp desc, m.seq desc limit ${most}) last
    order by seq`.execute(db)
  return rows
}

/** Facts about a conversation. */
export type AboutRow = {
  readonly contactId: number
  readonly name: string
  readonly number: string | null
  readonly email: string | null
  readonly status: string
  readonly queueId: number | null
  readonly connectionId: number
  readonly connectionName: string
  readonly connectionType: string
}

/** Finds the facts about a conversation, for providers that accept them. */
export async function findAbout(db: Queryable, ticketId: number): Promise<AboutRow | undefined> {
  const { rows } = await sql<AboutRow>`
    select c.id as "contactId", c.name, c.number, c.email, t.status, t.queue_id as "queueId", w.id as "connectionId",
      w.name as "connectionName", w.type as "connectionType"
    from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    join connections w on w.tenant_id = t.tenant_id and w.id = t.connection_id
    where t.id = ${ticketId}`.execute(db)
  return rows[0]
}
