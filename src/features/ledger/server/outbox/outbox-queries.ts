import { sql } from 'kysely'
import type { ActType } from '#domain/messages/acts.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import { firstOf, lookUp } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { JournalEntry } from '../journal/journal-queries.ts'
import { type lockMessage, lockMessages } from '../messages/queries.ts'
import { type LedgerTicket, lockLedgerTicket, lockLedgerTickets } from '../ticket/queries.ts'

/**
 * Next outgoing message of a conversation; `wasQueued` if an earlier attempt has no result. `failures`: attempts that the
 * channel failed; the other `attempts` were cut off by this installation.
 */
export type Claimed = {
  id: string
  type: string
  /** Whether it may be sent outside of the window. */
  isTemplate: boolean
  /** Send type; `quotedAt`: time of the quoted message. */
  sendType: string
  /** Whether it is sent automatically. */
  isAutomatic: boolean
  quotedAt: Date | null
  /** Time that it was scheduled for. */
  scheduleDate: Date | null
  wasQueued: boolean
  /** Time of the last attempt. */
  attemptedAt: Date | null
  /** Time until which the channel is not retried after its last failure; null before the first one. */
  waitsUntil: Date | null
  attempts: number
  failures: number
}

/** Claimed act on a message: its payload, and the number of this attempt. */
export type ClaimedAct = {
  id: string
  type: ActType
  body: string | null
  emoji: string | null
  /** Ticket and mentions of the message. */
  ticketId: number
  mentions: MessageMentions | null
  /** Whether the message is the company's own. */
  fromMe: boolean
  /** Identity of the message's author in a group. */
  author: string | null
  attempt: number
  failures: number
  /** Provider id of the message; null if it was never sent. */
  providerId: string | null
}

type Found = Partial<
  Omit<Claimed, 'wasQueued'> & {
    status: string
    sendAt: Date | null
    act: Omit<ClaimedAct, 'attempt'> & { attempts: number }
  }
> & { n: number }

/** Returns the time of the contact's last message in a conversation, epoch ms by the provider's clock; null: none. */
export async function lastInboundOf(
  db: Queryable,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
): Promise<number | null> {
  const { at } = await db
    .selectFrom('tickets')
    .select((one) => one.fn.max('last_message_received_at').as('at'))
    .where('connection_id', '=', connectionId)
    .where('conversation_key', '=', conversationKey)
    .executeTakeFirstOrThrow()
  return at?.getTime() ?? null
}

/** Returns the time of the contact's last message per conversation of a connection; conversations without any are missing. */
export async function lastInboundsOf(
  db: Queryable,
  connectionId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; at: Date }>`
    select conversation_key as key, max(last_message_received_at) as at from tickets
    where tenant_id = app.tenant() and connection_id = ${connectionId} and conversation_key = any(${[...keys]}::text[])
      and last_message_received_at is not null group by 1`.execute(db)
  return new Map(rows.map(({ key, at }) => [key, at.getTime()]))
}

/**
 * Claims the next message or act of each conversation as queued, in the order of their creation. Null where nothing waits,
 * or where the next one can still be taken back (those behind it keep their order). Messages scheduled for later do not
 * block others.
 */
export async function claimNext(
  db: Tx,
  conversations: readonly { readonly connectionId: number; readonly conversationKey: string }[],
): Promise<({ message: Claimed } | { act: ClaimedAct } | null)[]> {
  const asked = conversations.map(({ connectionId, conversationKey }, n) => ({ n, connectionId, conversationKey }))
  const { rows } = await sql<Found>`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a (n int, "connectionId" bigint, "conversationKey" text)),
    message as materialized (
      select asked.n, next.* from asked cross join lateral (
        select m.id, m.seq, m.status, m.media_type, m.schedule_date, m.send_at, m.send_type, m.user_id, m.quoted_id, m.connection_id, m.tenant_id from messages m
        where m.tenant_id = app.tenant() and m.connection_id = asked."connectionId" and m.conversation_key = asked."conversationKey"
          and m.from_me and m.status in ('pending', 'queued') and (m.send_at is null or m.schedule_date is null)
        order by m.seq limit 1 for update of m) next),
    act as materialized (
      select asked.n, next.* from asked cross join lateral (
        select a.id, a.seq, a.type, a.body, a.emoji, a.attempts, a.failures,
          m.provider_id as "providerId", m.mentions, m.ticket_id as "ticketId", m.from_me as "fromMe", m.sender ->> 'identity' as author
        from message_acts a left join messages m on m.tenant_id = a.tenant_id and m.id = a.message_id
        where a.tenant_id = app.tenant() and a.connection_id = asked."connectionId" and a.conversation_key = asked."conversationKey"
          and a.status in ('pending', 'queued')
        order by a.seq limit 1 for update of a) next)
    select asked.n, message.id, message.status, message.media_type = 'template' as "isTemplate", message.schedule_date as "scheduleDate", message.send_at as "sendAt", c.type,
      message.send_type as "sendType", message.user_id is null as "isAutomatic", (select q.timestamp from messages q where q.tenant_id = message.tenant_id and q.id = message.quoted_id) as "quotedAt",
      tries.attempts, tries.failures, tries."attemptedAt", tries."waitsUntil", case when act.seq < message.seq or message.seq is null then to_jsonb(act) - 'n' end as act
    from asked left join message using (n) left join act using (n)
    left join connections c on c.tenant_id = message.tenant_id and c.id = message.connection_id
    left join lateral (
      select count(*) filter (where t.step = 'attempt')::int as attempts, max(t.at) filter (where t.step = 'attempt') as "attemptedAt", count(*) filter (where t.step = 'waiting' and not t.detail ?| array['isOffline', 'isPaced'])::int as failures,
        (array_agg(t.at + make_interval(secs => (t.detail ->> 'seconds')::float8) order by t.id desc) filter (where t.step = 'waiting' and not t.detail ? 'isPaced'))[1] as "waitsUntil"
      from message_trail t where t.tenant_id = message.tenant_id and t.message_id = message.id
        and t.id > coalesce((select max(r.id) from message_trail r where r.tenant_id = message.tenant_id and r.message_id = message.id and r.step = 'retried'), 0)) tries on true
    order by asked.n`.execute(db)
  const acts = rows.flatMap(({ act }) => (act ? { ...act, attempt: act.attempts + 1 } : []))
  if (acts.length > 0)
    await sql`update message_acts set status = 'queued', attempts = attempts + 1, updated_at = app.now()
      where tenant_id = app.tenant() and id = any(${acts.map(({ id }) => id)}::uuid[])`.execute(db)
  const actOf = new Map(acts.map((act) => [act.id, act]))
  const messages = rows.filter(({ id, act, sendAt }) => id && !act && !sendAt)
  // Pipelined with the next query; an error makes the commit fail.
  if (messages.length > 0)
    sql`update messages set status = 'queued', updated_at = app.now()
      where tenant_id = app.tenant() and id = any(${messages.map(({ id }) => id)}::uuid[])`
      .execute(db)
      .catch(() => {})
  return rows.map((row) => {
    if (row.act) return { act: lookUp(actOf, row.act.id) }
    return row.id && !row.sendAt ? { message: claimedOf(row.id, row) } : null
  })
}

const claimedOf = (id: string, row: Found): Claimed => ({
  id,
  type: row.type!,
  isTemplate: row.isTemplate!,
  scheduleDate: row.scheduleDate!,
  wasQueued: row.status === 'queued',
  attempts: row.attempts!,
  failures: row.failures!,
  attemptedAt: row.attemptedAt!,
  waitsUntil: row.waitsUntil!,
  sendType: row.sendType!,
  isAutomatic: row.isAutomatic!,
  quotedAt: row.quotedAt!,
})

/** Returns the id of our message with a provider id; null if there is none. */
export async function findSentId(db: Queryable, connectionId: number, providerId: string): Promise<string | null> {
  const found = await db
    .selectFrom('messages')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('provider_id', '=', providerId)
    .where('from_me', '=', true)
    .executeTakeFirst()
  return found?.id ?? null
}

/** Adds attempts to the trails of their messages; returns their ids by message, for recording the outcome. */
export async function addAttempts(
  db: Tx,
  attempts: readonly { readonly messageId: string; readonly attempt: number }[],
): Promise<Map<string, number>> {
  if (attempts.length === 0) return new Map()
  const rows = await db
    .insertInto('message_trail')
    .values(
      attempts.map(({ messageId, attempt }) => ({
        tenant_id: sql<number>`app.tenant()`,
        message_id: messageId,
        step: 'attempt',
        detail: JSON.stringify({ attempt }),
      })),
    )
    .returning(['id', 'message_id as messageId'])
    .execute()
  return new Map(rows.map(({ id, messageId }) => [messageId, id]))
}

/** Claimed attempt to send a message. */
export type Attempt = {
  readonly message: { readonly id: string; readonly ticket_id: number }
  readonly attemptId: number
}

/** Locked message with its locked ticket. */
export type Locked = {
  readonly message: NonNullable<Awaited<ReturnType<typeof lockMessage>>>
  readonly ticket: LedgerTicket | undefined
}

/** Returns and locks the message of each attempt and its ticket; null if a later attempt has begun. */
export async function lockAttempts(db: Tx, attempts: readonly Attempt[]): Promise<(Locked | null)[]> {
  const claimed = attempts.map(({ message: { id }, attemptId }) => ({ id, attemptId }))
  const ids = claimed.map(({ id }) => id)
  // Pipelined queries, answered in order: the next attempt is written under the lock.
  const [tickets, messages, followed] = await Promise.all([
    lockLedgerTickets(db, [...new Set(attempts.map(({ message }) => message.ticket_id))]),
    lockMessages(db, ids),
    sql<{ id: string }>`
      select a.id from jsonb_to_recordset(${JSON.stringify(claimed)}::jsonb) as a (id uuid, "attemptId" bigint)
      where exists (select from message_trail t where t.tenant_id = app.tenant() and t.message_id = a.id
        and t.step in ('attempt', 'retried') and t.id > a."attemptId")`.execute(db),
  ])
  const ticketOf = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const messageOf = new Map(messages.map((message) => [message.id, message]))
  const isFollowed = new Set(followed.rows.map(({ id }) => id))
  const locked: (Locked | null)[] = []
  for (const { message: before } of attempts) {
    const message = isFollowed.has(before.id) ? undefined : messageOf.get(before.id)
    // It may have moved to another ticket, by a merge of persons.
    const isThere = message?.ticket_id === before.ticket_id
    const ticket = isThere ? ticketOf.get(before.ticket_id) : message && (await lockLedgerTicket(db, message.ticket_id))
    locked.push(message ? { message, ticket } : null)
  }
  return locked
}

/** Whether each conversation has more to send; anything recorded later has a job already. */
export async function haveMore(
  db: Queryable,
  conversations: readonly { readonly connectionId: number; readonly conversationKey: string }[],
): Promise<boolean[]> {
  const asked = conversations.map(({ connectionId, conversationKey }, n) => ({ n, connectionId, conversationKey }))
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from messages where tenant_id = app.tenant() and connection_id = a."connectionId" and conversation_key = a."conversationKey"
        and from_me and status in ('pending', 'queued') and (send_at is null or schedule_date is null))
      or exists (select from message_acts where tenant_id = app.tenant() and connection_id = a."connectionId"
        and conversation_key = a."conversationKey" and status in ('pending', 'queued')) as "is"
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a (n int, "connectionId" bigint, "conversationKey" text)
    order by a.n`.execute(db)
  return rows.map((row) => row.is)
}

/** Conversation with something to send. */
export type Waiting = { tenant_id: number; connection_id: number; conversation_key: string }

/** Returns the next `most` conversations with messages untouched for that long; platform role, for recovery. */
export async function conversationsWaiting(
  db: Tx,
  { untouchedForMs, after, most }: { untouchedForMs: number; after: Waiting | undefined; most: number },
): Promise<Waiting[]> {
  const rest = after
    ? sql`and (tenant_id, connection_id, conversation_key) > (${after.tenant_id}, ${after.connection_id}, ${after.conversation_key})`
    : sql``
  const { rows } = await sql<Waiting>`
    select distinct tenant_id, connection_id, conversation_key from (
      select tenant_id, connection_id, conversation_key, updated_at from messages
      where from_me and status in ('pending', 'queued') and send_at is null
      union all
      select tenant_id, connection_id, conversation_key, updated_at from message_acts where status in ('pending', 'queued')) waiting
    where updated_at <= app.now() - make_interval(secs => ${untouchedForMs / 1000}) ${rest}
    order by tenant_id, connection_id, conversation_key limit ${most}`.execute(db)
  return rows
}

/** Returns the conversations of a connection with something to send, oldest message first, scheduled ones last. */
export async function conversationsOf(db: Queryable, connectionId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select conversation_key as key from (
      select conversation_key, seq, schedule_date is not null as is_scheduled from messages
      where tenant_id = app.tenant() and connection_id = ${connectionId} and from_me and status in ('pending', 'queued')
        and send_at is null
      union all
      select conversation_key, seq, false from message_acts
      where tenant_id = app.tenant() and connection_id = ${connectionId} and status in ('pending', 'queued')) waiting
    group by conversation_key order by bool_and(is_scheduled), min(seq)`.execute(db)
  return rows.map(({ key }) => key)
}

/** Maximum lead of a watermark over the messages that it concerns, in ms. */
const LATELY_MS = 3_600_000

/**
 * Returns receipts for messages, and acts of the contacts on them, received since their first attempts, processed or not,
 * because they may arrive before the provider's id is known. Includes recent receipts for whole conversations, in order.
 */
export async function eventsAbout(
  db: Queryable,
  sent: readonly { readonly connectionId: number; readonly providerId: string; readonly conversationKey: string }[],
  now: Date,
): Promise<JournalEntry[]> {
  const names = sent.flatMap(({ providerId, conversationKey }) => [providerId, conversationKey])
  const about = new Set(
    sent.flatMap(({ connectionId, providerId, conversationKey }) => [
      `${connectionId}|${providerId}`,
      `${connectionId}|${conversationKey}`,
    ]),
  )
  const { rows } = await sql<JournalEntry & { receipt_for: string }>`
    select id, connection_id, payload, received_at, receipt_for from journal_all
    where tenant_id = app.tenant() and connection_id = any(${sent.map((one) => one.connectionId)}::bigint[])
      and receipt_for = any(${names}::text[])
      and (payload ->> 'type' <> 'watermark' or received_at > ${new Date(now.getTime() - LATELY_MS)}) order by seq`.execute(
    db,
  )
  return rows.filter((row) => about.has(`${row.connection_id}|${row.receipt_for}`))
}

/** Moves a message, and those waiting behind it, to the address at which its conversation continues. */
export async function moveWaiting(
  db: Tx,
  { messageId, connectionId, from, to }: { messageId: string; connectionId: number; from: string; to: string },
): Promise<void> {
  await sql`update messages set conversation_key = ${to} where tenant_id = app.tenant() and connection_id = ${connectionId}
    and conversation_key = ${from} and from_me and (id = ${messageId} or status = 'pending')`.execute(db)
}

/** Returns the first `most` conversations with waiting messages, and their number. */
export async function waitingConversations(
  db: Queryable,
  most: number,
): Promise<{ connection_id: number; conversation_key: string; amount: number }[]> {
  const { rows } = await sql<{ connection_id: number; conversation_key: string; amount: number }>`
    select connection_id, conversation_key, count(*)::int as amount from messages
    where tenant_id = app.tenant() and from_me and status in ('pending', 'queued') and send_at is null
    group by connection_id, conversation_key order by min(seq) limit ${most}`.execute(db)
  return rows
}

/** Counts the uncertain messages. */
export async function countUncertain(db: Queryable): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from messages where tenant_id = app.tenant() and status = 'uncertain'`.execute(db)
  return firstOf(rows).n
}
