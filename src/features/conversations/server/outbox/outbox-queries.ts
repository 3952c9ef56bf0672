import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
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

/**
 * Marks the conversation's next message as queued and answers it; null when nothing waits, or when what comes next can
 * still be taken back: those behind it keep their order. What is scheduled for later lets the others pass.
 */
export async function claimNext(
  db: Tx,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
): Promise<Claimed | null> {
  const { rows } = await sql<Omit<Claimed, 'wasQueued'> & { status: string; sendAt: Date | null }>`
    select m.id, m.status, c.type, m.schedule_date as "scheduleDate", m.send_at as "sendAt", tries.attempts, tries.failures
    from messages m join connections c on c.tenant_id = m.tenant_id and c.id = m.connection_id
    cross join lateral (
      select count(*) filter (where t.step = 'attempt')::int as attempts, count(*) filter (where t.step = 'waiting' and t.detail -> 'isOffline' is null)::int as failures
      from message_trail t where t.tenant_id = m.tenant_id and t.message_id = m.id
        and t.id > coalesce((select max(r.id) from message_trail r where r.tenant_id = m.tenant_id and r.message_id = m.id and r.step = 'retried'), 0)) tries
    where m.tenant_id = app.tenant() and m.connection_id = ${connectionId} and m.conversation_key = ${conversationKey}
      and m.from_me and m.status in ('pending', 'queued') and (m.send_at is null or m.schedule_date is null)
    order by m.seq limit 1 for update of m`.execute(db)
  const next = rows[0]
  if (!next || next.sendAt !== null) return null
  await sql`update messages set status = 'queued', updated_at = app.now() where tenant_id = app.tenant() and id = ${next.id}`.execute(
    db,
  )
  const { id, type, scheduleDate, status, attempts, failures } = next
  return { id, type, scheduleDate, wasQueued: status === 'queued', attempts, failures }
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

/** Locks the message and answers its status while this attempt is its last; null when another one has begun since. */
export async function lockAttempt(db: Tx, messageId: string, attemptId: number): Promise<string | null> {
  const message = await lockMessage(db, messageId)
  // Only behind the lock: the next attempt is written under it.
  const followers = await db
    .selectFrom('message_trail')
    .select('id')
    .where('message_id', '=', messageId)
    .where('step', 'in', ['attempt', 'retried'])
    .where('id', '>', attemptId)
    .executeTakeFirst()
  return message && !followers ? message.status : null
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
    select distinct tenant_id, connection_id, conversation_key from messages
    where from_me and status in ('pending', 'queued') and send_at is null
      and updated_at <= app.now() - make_interval(secs => ${untouchedForMs / 1000}) ${rest}
    order by tenant_id, connection_id, conversation_key limit ${most}`.execute(db)
  return rows
}

/** The conversations of one connection that have something to send, the oldest message first; what was scheduled last. */
export async function conversationsOf(db: Queryable, connectionId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select conversation_key as key from messages
    where tenant_id = app.tenant() and connection_id = ${connectionId} and from_me and status in ('pending', 'queued')
      and send_at is null
    group by conversation_key order by bool_and(schedule_date is not null), min(seq)`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * Receipts for a message that came since its first attempt, worked on or not: the provider may have been faster than what
 * says under which id it knows the message.
 */
export async function receiptsFor(db: Queryable, connectionId: number, providerId: string): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`select id, connection_id, payload, received_at from journal_all
    where tenant_id = app.tenant() and connection_id = ${connectionId} and receipt_for = ${providerId} order by seq`.execute(
    db,
  )
  return rows
}
