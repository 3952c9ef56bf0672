import { sql } from 'kysely'
import type { ActType } from '#domain/messages/acts.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { lockLedgerTicket } from '../ingest/ingest-queries.ts'
import type { JournalEntry } from '../ingest/journal-queries.ts'
import { lockMessage } from '../messages/queries.ts'

/**
 * The next message of a conversation on its way out; `wasQueued` when an earlier attempt never said how it ended. Of its
 * `attempts` so many were the channel's `failures`; the others were cut off by this installation.
 */
export type Claimed = {
  id: string
  type: string
  /** When it was scheduled for. */
  scheduleDate: Date | null
  wasQueued: boolean
  attempts: number
  failures: number
}

/** An act on a message, on its way out: what the channel is told, and the how manieth attempt this is. */
export type ClaimedAct = {
  id: string
  type: ActType
  body: string | null
  emoji: string | null
  /** Where the message stands, and whom it mentions. */
  ticketId: number
  mentions: MessageMentions | null
  /** Whether the message is the company's own. */
  fromMe: boolean
  /** How the channel knows who of a group wrote it. */
  author: string | null
  attempt: number
  failures: number
  /** The channel's id of the message; null when that was never sent. */
  providerId: string | null
}

type Found = Partial<
  Omit<Claimed, 'wasQueued'> & {
    status: string
    sendAt: Date | null
    act: Omit<ClaimedAct, 'attempt'> & { attempts: number }
  }
>

/** When the contact wrote last in a conversation, in any of its tickets: epoch ms by the provider's clock; null: never. */
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

/**
 * Marks as queued what a conversation sends next, a message or an act on one, in the order in which they were wanted;
 * null when nothing waits, or when what comes next can still be taken back: what is behind it keeps its order. What is
 * scheduled for later lets the others pass.
 */
export async function claimNext(
  db: Tx,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
): Promise<{ message: Claimed } | { act: ClaimedAct } | null> {
  const { rows } = await sql<Found>`
    with message as materialized (
      select m.id, m.seq, m.status, m.schedule_date, m.send_at, m.connection_id, m.tenant_id from messages m
      where m.tenant_id = app.tenant() and m.connection_id = ${connectionId} and m.conversation_key = ${conversationKey}
        and m.from_me and m.status in ('pending', 'queued') and (m.send_at is null or m.schedule_date is null)
      order by m.seq limit 1 for update of m),
    act as materialized (
      select a.id, a.seq, a.type, a.body, a.emoji, a.attempts, a.failures,
        m.provider_id as "providerId", m.mentions, m.ticket_id as "ticketId", m.from_me as "fromMe", m.sender ->> 'identity' as author
      from message_acts a left join messages m on m.tenant_id = a.tenant_id and m.id = a.message_id
      where a.tenant_id = app.tenant() and a.connection_id = ${connectionId} and a.conversation_key = ${conversationKey}
        and a.status in ('pending', 'queued')
      order by a.seq limit 1 for update of a)
    select message.id, message.status, message.schedule_date as "scheduleDate", message.send_at as "sendAt", c.type,
      tries.attempts, tries.failures, case when act.seq < message.seq or message.seq is null then to_jsonb(act) end as act
    from (select) one left join message on true left join act on true
    left join connections c on c.tenant_id = message.tenant_id and c.id = message.connection_id
    left join lateral (
      select count(*) filter (where t.step = 'attempt')::int as attempts, count(*) filter (where t.step = 'waiting' and not t.detail ?| array['isOffline', 'isPaced'])::int as failures
      from message_trail t where t.tenant_id = message.tenant_id and t.message_id = message.id
        and t.id > coalesce((select max(r.id) from message_trail r where r.tenant_id = message.tenant_id and r.message_id = message.id and r.step = 'retried'), 0)) tries on true`.execute(
    db,
  )
  const { act, id, type, scheduleDate, sendAt, status, attempts, failures } = rows[0]!
  if (act) {
    const attempt = act.attempts + 1
    await sql`update message_acts set status = 'queued', attempts = ${attempt}, updated_at = app.now() where tenant_id = app.tenant() and id = ${act.id}`.execute(
      db,
    )
    return { act: { ...act, attempt } }
  }
  if (!id || sendAt) return null
  // Goes out with what is asked next; the commit fails with what it failed with.
  sql`update messages set status = 'queued', updated_at = app.now() where tenant_id = app.tenant() and id = ${id}`
    .execute(db)
    .catch(() => {})
  return {
    message: {
      ...{ id, type: type!, scheduleDate: scheduleDate!, wasQueued: status === 'queued' },
      ...{ attempts: attempts!, failures: failures! },
    },
  }
}

/** The message of ours that a provider knows by an id; null where there is none. */
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

/** Writes an attempt into the trail of its message; answers the attempt's id, by which its outcome is recorded. */
export async function addAttempt(db: Tx, messageId: string, attempt: number): Promise<number> {
  const { id } = await db
    .insertInto('message_trail')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      message_id: messageId,
      step: 'attempt',
      detail: JSON.stringify({ attempt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Holds the message, and its ticket, while this attempt is its last; null when another one has begun since. */
export async function lockAttempt(
  db: Tx,
  { id: messageId, ticket_id: ticketId }: { readonly id: string; readonly ticket_id: number },
  attemptId: number,
) {
  const followers = db
    .selectFrom('message_trail')
    .select('id')
    .where('message_id', '=', messageId)
    .where('step', 'in', ['attempt', 'retried'])
    .where('id', '>', attemptId)
  // Asked at once, answered one behind the other: the next attempt is written under the lock.
  const [message, follower, ticket] = await Promise.all([
    lockMessage(db, messageId),
    followers.executeTakeFirst(),
    lockLedgerTicket(db, ticketId),
  ])
  if (!message || follower) return null
  // It may stand in another ticket by now: two of a person became one.
  const isThere = message.ticket_id === ticketId
  return { message, ticket: isThere ? ticket : await lockLedgerTicket(db, message.ticket_id) }
}

/** Whether a conversation has anything more to send: whatever is recorded later has a job of its own. */
export async function hasMore(
  db: Queryable,
  { connectionId, conversationKey }: { readonly connectionId: number; readonly conversationKey: string },
): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from messages where tenant_id = app.tenant() and connection_id = ${connectionId} and conversation_key = ${conversationKey}
        and from_me and status in ('pending', 'queued') and (send_at is null or schedule_date is null))
      or exists (select from message_acts where tenant_id = app.tenant() and connection_id = ${connectionId}
        and conversation_key = ${conversationKey} and status in ('pending', 'queued')) as "is"`.execute(db)
  return rows[0]!.is
}

/** A conversation that has something to send. */
export type Waiting = { tenant_id: number; connection_id: number; conversation_key: string }

/** The next `most` conversations after one whose messages nobody has touched for that long; as the platform, for recovery. */
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

/** The conversations of one connection that have something to send, the oldest message first; what was scheduled last. */
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

/**
 * Receipts for a message, and acts of the contact on it, that came since its first attempt, worked on or not: the provider
 * may have been faster than what says under which id it knows the message.
 */
export async function eventsAbout(db: Queryable, connectionId: number, providerId: string): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`select id, connection_id, payload, received_at from journal_all
    where tenant_id = app.tenant() and connection_id = ${connectionId} and receipt_for = ${providerId} order by seq`.execute(
    db,
  )
  return rows
}

/** The first `most` conversations that have something to send, each with how many messages that are. */
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

/** How many messages nobody knows to have gone out. */
export async function countUncertain(db: Queryable): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from messages where tenant_id = app.tenant() and status = 'uncertain'`.execute(db)
  return rows[0]!.n
}
