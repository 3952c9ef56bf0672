import { sql } from 'kysely'
import type { Rating } from '#domain/ratings/rating.ts'
import type { Tx } from '#server/db/db.ts'

/** Pending rating request, with its ticket. */
export type PendingSurvey = { readonly id: number; readonly ticketId: number; readonly evaluation: Rating }

type Row = {
  id: number
  ticket_id: number
  status: Rating['status']
  evaluation: number | null
  attempts: number
  asked_at: Date
  expires_at: Date
}

const toPendingSurvey = (row: Row): PendingSurvey => ({
  id: row.id,
  ticketId: row.ticket_id,
  evaluation: {
    status: row.status,
    evaluation: row.evaluation,
    attempts: row.attempts,
    askedAt: row.asked_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  },
})

/**
 * Records a rating request for a closed ticket, with its agent and queue. Returns false if recorded already for this
 * closing, and for groups, blocked contacts, tickets without an agent, and contacts who have not written since `askedSince`
 * (the start of the channel's window). The caller holds the ticket's lock.
 */
export async function noteQuestion(
  db: Tx,
  ticketId: number,
  { now, expiresAt, askedSince }: { now: Date; expiresAt: Date; askedSince: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ticket_evaluations (tenant_id, ticket_id, contact_id, connection_id, conversation_key, user_id, queue_id, closed_at, asked_at, expires_at)
    select t.tenant_id, t.id, t.contact_id, t.connection_id, t.conversation_key, t.user_id, t.queue_id, t.closed_at, ${now}, ${expiresAt}
    from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where t.id = ${ticketId} and t.status = 'closed' and t.closed_at is not null and t.user_id is not null
      and not t.is_group and not c.blocked and t.last_message_received_at > ${askedSince}
    on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Cancels earlier requests in the ticket's conversation: only the newest question can be answered. */
export async function skipEarlierRatings(db: Tx, ticketId: number): Promise<void> {
  await sql`
    update ticket_evaluations e set status = 'left' from tickets t
    where t.tenant_id = e.tenant_id and t.id = ${ticketId} and e.connection_id = t.connection_id
      and e.conversation_key = t.conversation_key and e.status = 'asked'
      and (e.ticket_id, e.closed_at) <> (t.id, t.closed_at)`.execute(db)
}

/** Returns the newest rating request of each conversation that still accepts answers. */
export async function findPendingSurveys(
  db: Tx,
  conversations: readonly { connectionId: number; spellings: readonly string[] }[],
): Promise<(PendingSurvey & { connectionId: number; conversationKey: string })[]> {
  const { rows } = await sql<Row & { connection_id: number; conversation_key: string }>`
    select e.* from jsonb_to_recordset(${JSON.stringify(conversations)}::jsonb) as k ("connectionId" bigint, spellings text[])
    cross join lateral (
      select * from ticket_evaluations e
      where e.connection_id = k."connectionId" and e.conversation_key = any(k.spellings)
      order by e.id desc limit 1) e
    where e.status in ('asked', 'answered')
    order by e.ticket_id`.execute(db)
  return rows.map((row) => ({
    ...toPendingSurvey(row),
    connectionId: row.connection_id,
    conversationKey: row.conversation_key,
  }))
}

/** Locks rating requests whose tickets are still closed; the caller holds the tickets' locks. */
export async function lockPendingSurveys(db: Tx, ids: readonly number[]): Promise<PendingSurvey[]> {
  const { rows } = await sql<Row>`
    select e.* from ticket_evaluations e join tickets t on t.tenant_id = e.tenant_id and t.id = e.ticket_id
    where e.id = any(${[...ids]}::bigint[]) and t.status = 'closed' and t.closed_at = e.closed_at
    order by e.ticket_id for update of e`.execute(db)
  return rows.map(toPendingSurvey)
}

/** Stores the new states of rating requests. */
export async function savePendingSurveys(db: Tx, surveys: readonly PendingSurvey[], now: Date): Promise<void> {
  const changed = surveys.map(({ id, evaluation: { status, evaluation, attempts } }) => {
    return { id, status, rating: evaluation, attempts }
  })
  await sql`
    update ticket_evaluations e set status = c.status, evaluation = c.rating, attempts = c.attempts,
      answered_at = case when c.rating is distinct from e.evaluation then ${now} else e.answered_at end
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (id bigint, status text, rating smallint, attempts int)
    where e.tenant_id = app.tenant() and e.id = c.id`.execute(db)
}

/** Cancels the unanswered requests of tickets. */
export async function leaveQuestions(db: Tx, ticketIds: readonly number[]): Promise<void> {
  await sql`update ticket_evaluations set status = 'left'
    where ticket_id = any(${[...ticketIds]}::bigint[]) and status = 'asked'`.execute(db)
}

/** Returns the companies with expired requests; requires platform database access. */
export async function tenantsWithDue(db: Tx, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tenants t where exists (
      select from ticket_evaluations e where e.tenant_id = t.id and e.status = 'asked' and e.expires_at <= ${now})`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Returns expired requests, longest overdue first. */
export async function findDue(db: Tx, now: Date, most: number): Promise<{ id: number; ticketId: number }[]> {
  const { rows } = await sql<{ id: number; ticketId: number }>`
    select id, ticket_id as "ticketId" from ticket_evaluations
    where status = 'asked' and expires_at <= ${now} order by expires_at limit ${most}`.execute(db)
  return rows
}

/** Expires a request; returns false if it was answered meanwhile. */
export async function expire(db: Tx, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ticket_evaluations set status = 'expired' where id = ${id} and status = 'asked'`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
