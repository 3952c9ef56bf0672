import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QuietHours } from '#domain/calendar/quiet.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { present } from '#domain/present.ts'
import type { TicketStatus } from '#domain/tickets/facts.ts'
import { followedNews } from '#features/ledger/server/notices/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Finds the push keys of a company; the private one is encrypted. */
export const findSender = (db: Queryable) =>
  db.selectFrom('push_senders').select(['public_key', 'private_key']).executeTakeFirst()

/** Stores the first key pair of a company, whose changes are read from now on; returns the stored public key. */
export async function saveSender(
  db: Tx,
  { publicKey, privateKey, now }: { publicKey: string; privateKey: string; now: Date },
): Promise<string> {
  await sql`
    insert into push_senders (tenant_id, public_key, private_key, last_seq, created_at)
    select app.tenant(), ${publicKey}, ${privateKey}, coalesce((select last_seq from feed_heads), 0), ${now}
    on conflict do nothing`.execute(db)
  return present(await findSender(db)).public_key
}

/** Locks the feed cursor until the end of the transaction; undefined if locked by another process. */
export const lockCursor = (db: Tx) =>
  db.selectFrom('push_senders').select('last_seq').forUpdate().skipLocked().executeTakeFirst()

/** Moves the feed cursor to a number, or to the end of the feed. */
export async function moveCursor(db: Tx, seq: number | null): Promise<void> {
  await db
    .updateTable('push_senders')
    .set({ last_seq: seq ?? sql`greatest(last_seq, (select last_seq from feed_heads))` })
    .execute()
}

/** Finds the subscription of a session. */
export const findSubscription = (db: Queryable, sessionId: string) =>
  db.selectFrom('push_subscriptions').select('subscription').where('session_id', '=', sessionId).executeTakeFirst()

/** Whether a session is one of support, and not of the person. */
export const findMethod = (db: Queryable, sessionId: string) =>
  db.selectFrom('sessions').select('method').where('id', '=', sessionId).executeTakeFirst()

/** Push subscription to store. */
export type NewSubscription = {
  sessionId: string
  userId: number
  endpointHash: Buffer
  subscription: string
  timeZone: string
  now: Date
}

/**
 * Stores a session's subscription, replacing its earlier one and that of the browser's previous user; removes the oldest
 * devices beyond `most`.
 */
export async function saveSubscription(db: Tx, row: NewSubscription, most: number): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where((w) => w.or([w('session_id', '=', row.sessionId), w('endpoint_hash', '=', row.endpointHash)]))
    .execute()
  await db
    .insertInto('push_subscriptions')
    .values({
      tenant_id: sql`app.tenant()`,
      session_id: row.sessionId,
      user_id: row.userId,
      endpoint_hash: row.endpointHash,
      subscription: row.subscription,
      time_zone: row.timeZone,
      created_at: row.now,
    })
    .execute()
  await sql`
    delete from push_subscriptions where user_id = ${row.userId} and session_id in (
      select session_id from push_subscriptions where user_id = ${row.userId}
      order by created_at desc, session_id desc offset ${most})`.execute(db)
}

/** Removes a session's subscription; returns false if there was none. */
export async function removeSubscription(db: Tx, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const living = (now: Date) => sql<SqlBool>`exists (select from sessions s
  where s.tenant_id = push_subscriptions.tenant_id and s.id = push_subscriptions.session_id
    and s.revoked_at is null and s.expires_at > ${now})`

/** Removes the subscriptions of ended sessions. */
export async function removeEnded(db: Tx, now: Date): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where((w) => w.not(living(now)))
    .execute()
}

/** Returns the subscribed devices with their users. */
export const listSubscribed = (db: Queryable) =>
  db.selectFrom('push_subscriptions').select(['session_id as sessionId', 'user_id as userId']).execute()

/** Returns the followed tickets of users, by user. */
export async function listFollowedBy(db: Queryable, userIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const rows = await db
    .selectFrom('ticket_followers')
    .select(['user_id', 'ticket_id'])
    .where('user_id', 'in', [...userIds])
    .execute()
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  return new Map([...byUser].map(([id, found]) => [id, new Set(found.map((row) => row.ticket_id))]))
}

/** Returns the companies with subscribed devices. */
export const listCompanies = (db: Queryable) =>
  db.selectFrom('push_subscriptions').select('tenant_id as tenantId').distinct().execute()

/** Key of a notification: device and ticket. */
export type NoticeKey = { readonly sessionId: string; readonly ticketId: number }

/** Records that devices have pending news of tickets; a pending one keeps its time. Returns each due time. */
export async function noteNews(
  db: Tx,
  news: readonly (NoticeKey & { seq: number })[],
  { now, due }: { now: Date; due: Date },
): Promise<(NoticeKey & { dueAt: Date })[]> {
  const { rows } = await sql<NoticeKey & { dueAt: Date }>`
    insert into push_notices as n (tenant_id, session_id, ticket_id, seq, due_at)
    select app.tenant(), u."sessionId", u."ticketId", u.seq, ${due}
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as u ("sessionId" uuid, "ticketId" bigint, seq bigint)
    join tickets t on t.tenant_id = app.tenant() and t.id = u."ticketId"
    order by 2, 3
    on conflict (tenant_id, session_id, ticket_id) do update set seq = excluded.seq,
      due_at = case when n.due_at > ${now} then n.due_at else excluded.due_at end
    returning session_id as "sessionId", ticket_id as "ticketId", due_at as "dueAt"`.execute(db)
  return rows
}

/** Returns the notifications shown for changed tickets. */
export const listShown = (db: Queryable, ticketIds: readonly number[]): Promise<NoticeKey[]> =>
  db
    .selectFrom('push_notices')
    .select(['session_id as sessionId', 'ticket_id as ticketId'])
    .where('ticket_id', 'in', ticketIds)
    .where('sent_seq', 'is not', null)
    .execute()

/** Returns tickets with unread mentions or assignments of a user, newest first. */
export async function listConcerning(db: Queryable, userId: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select ticket_id as id from notifications
    where user_id = ${userId} and mentions + transfers > 0 and (read_at is null or read_at < updated_at)
    order by updated_at desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Pending news of a device, its subscription, and its user's quiet hours. */
export type Notice = {
  userId: number
  seq: number
  sentSeq: number | null
  subscription: string
  timeZone: string
  quiet: Partial<QuietHours> | null
}

/** Finds the pending news of a ticket for a device; undefined if its session has ended. */
export async function findNotice(
  db: Queryable,
  { sessionId, ticketId }: NoticeKey,
  now: Date,
): Promise<Notice | undefined> {
  const { rows } = await sql<Notice>`
    select push_subscriptions.user_id as "userId", n.seq, n.sent_seq as "sentSeq", subscription, time_zone as "timeZone",
      u.configs -> 'preferences' as quiet
    from push_notices n
    join push_subscriptions on push_subscriptions.tenant_id = n.tenant_id and push_subscriptions.session_id = n.session_id
    join users u on u.tenant_id = n.tenant_id and u.id = push_subscriptions.user_id and u.is_active
    where n.session_id = ${sessionId} and n.ticket_id = ${ticketId} and ${living(now)}`.execute(db)
  return rows[0]
}

/** Finds a device's subscription, user and quiet hours; undefined if its session has ended. */
export async function findDevice(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<Pick<Notice, 'userId' | 'subscription' | 'timeZone' | 'quiet'> | undefined> {
  const { rows } = await sql<Notice>`
    select push_subscriptions.user_id as "userId", subscription, time_zone as "timeZone", u.configs -> 'preferences' as quiet
    from push_subscriptions
    join users u on u.tenant_id = push_subscriptions.tenant_id and u.id = push_subscriptions.user_id and u.is_active
    where push_subscriptions.session_id = ${sessionId} and ${living(now)}`.execute(db)
  return rows[0]
}

/** Records the notification that a device shows for a ticket. */
export async function markShown(db: Tx, { sessionId, ticketId }: NoticeKey, seq: number): Promise<void> {
  await db
    .updateTable('push_notices')
    .set({ sent_seq: seq })
    .where('session_id', '=', sessionId)
    .where('ticket_id', '=', ticketId)
    .execute()
}

/** Records that a device shows nothing for a ticket, unless there was news meanwhile. */
export async function removeNotice(db: Tx, { sessionId, ticketId }: NoticeKey, seq: number): Promise<void> {
  await db
    .deleteFrom('push_notices')
    .where('session_id', '=', sessionId)
    .where('ticket_id', '=', ticketId)
    .where('seq', '=', seq)
    .execute()
}

/** Records that the push service accepted a message for a device. */
export async function markReached(db: Tx, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('push_subscriptions').set({ last_success_at: now }).where('session_id', '=', sessionId).execute()
}

/** Ticket data that decides whether it is news to a user: what concerns them, and the contact's last message. */
export type Subject = {
  status: TicketStatus
  userId: number | null
  queueId: number | null
  isGroup: boolean
  unread: number
  changedBy: number | null
  name: string
  lastMessage: string
  mentions: number
  /** Time at which it last concerned the user; null if read. */
  concernedAt: Date | null
  byName: string | null
  note: string | null
  noteAt: Date | null
  isRead: boolean
  /** News for a follower: the customer's message, or the new status; null: none, or not followed. */
  followed: 'message' | TicketStatus | null
  body: string | null
  type: MessageType | null
  fileName: string | null
  at: Date | null
  storedAt: Date | null
}

/** Finds the ticket if the condition permits. */
export async function findSubject(
  db: Queryable,
  { ticketId, userId, visible }: { ticketId: number; userId: number; visible: RawBuilder<SqlBool> },
): Promise<Subject | undefined> {
  const { rows } = await sql<Subject>`
    select tickets.status, tickets.user_id as "userId", tickets.queue_id as "queueId", tickets.is_group as "isGroup",
      tickets.unread_messages as unread, tickets.changed_by as "changedBy", tickets.last_message as "lastMessage", c.name,
      coalesce(n.mentions, 0) as mentions, case when n.mentions + n.transfers > 0 and (n.read_at is null or n.read_at < n.updated_at) then n.updated_at end as "concernedAt",
      coalesce((p.message_at, p.message_seq) >= (l.timestamp, l.seq), false) as "isRead",
      case when news.news_at > greatest(n.read_at, p.read_at, f.created_at) then case when news.is_message then 'message' else tickets.status end end as followed,
      coalesce(a.name, u.name) as "byName", m.body as note, m.timestamp as "noteAt",
      l.body, l.media_type as type, files.name as "fileName", l.timestamp as at, l.created_at as "storedAt"
    from tickets
    join contacts c on c.tenant_id = tickets.tenant_id and c.id = tickets.contact_id
    left join notifications n on n.tenant_id = tickets.tenant_id and n.ticket_id = tickets.id and n.user_id = ${userId}
    left join reading_positions p on p.tenant_id = tickets.tenant_id and p.ticket_id = tickets.id and p.user_id = ${userId}
    left join ticket_followers f on f.tenant_id = tickets.tenant_id and f.ticket_id = tickets.id and f.user_id = ${userId}
    left join lateral (${followedNews(userId)}) news on true
    left join messages m on m.tenant_id = n.tenant_id and m.id = n.message_id and not m.is_deleted
    left join users a on a.tenant_id = m.tenant_id and a.id = m.user_id
    left join users u on u.tenant_id = n.tenant_id and u.id = n.by_user_id
    left join lateral (
      select * from messages one
      where one.tenant_id = tickets.tenant_id and one.ticket_id = tickets.id and not one.from_me and not one.is_note and not one.is_deleted
      order by one.timestamp desc, one.seq desc limit 1) l on true
    left join files on files.tenant_id = l.tenant_id and files.id = l.file_id
    where tickets.tenant_id = app.tenant() and tickets.id = ${ticketId} and ${visible}`.execute(db)
  return rows[0]
}

/** Returns the names of the keys that encrypt private keys and subscriptions. */
export async function keysOfPush(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(private_key, '.', 1) as key from push_senders
    union select split_part(subscription, '.', 1) from push_subscriptions`.execute(db)
  return rows.map(({ key }) => key)
}
