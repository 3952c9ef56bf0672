import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageType } from '#domain/messages/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

type File = {
  readonly id: string
  readonly name: string
  readonly mime: string
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  readonly durationMs: number | null
  readonly waveform: number[] | null
}

/** Row of a message. */
export type PrivateRow = {
  readonly id: string
  readonly conversation: string
  readonly text: string
  readonly mediaType: 'text' | 'image' | 'video' | 'audio' | 'document'
  readonly senderId: number
  readonly senderName: string
  readonly receiverId: number | null
  readonly groupId: number | null
  readonly sentAt: Date
  readonly file: File | null
  readonly read: boolean
  readonly reactions: { emoji: string; userId: number; name: string }[]
  readonly quoted: {
    id: string
    text: string
    mediaType: PrivateRow['mediaType']
    mediaName: string | null
    senderId: number
    senderName: string
  } | null
  readonly mentions: { id: number; name: string }[]
  readonly isEdited: boolean
  readonly isDeleted: boolean
  readonly isForwarded: boolean
  readonly ticketId: number | null
  readonly revision: number
}

/** SQL filter for messages `m` that a user may read: own ones, those to the user, and a team's from the times of membership. */
const readableBy = (
  userId: number,
): RawBuilder<SqlBool> => sql<SqlBool>`(m.sender_id = ${userId} or m.receiver_id = ${userId}
  or exists (select from team_periods p where p.tenant_id = m.tenant_id and p.team_id = m.group_id and p.user_id = ${userId}
    and p.began_at <= m.sent_at and (p.ended_at is null or p.ended_at >= m.sent_at)))`

const shown = sql`
  m.id, m.conversation, m.body as text, m.media_type as "mediaType", m.sender_id as "senderId", s.name as "senderName",
  m.receiver_id as "receiverId", m.group_id as "groupId", m.sent_at as "sentAt",
  case when f.id is not null then jsonb_build_object('id', f.id, 'name', f.name, 'mime', f.mime, 'size', f.size,
    'width', f.width, 'height', f.height, 'durationMs', f.duration_ms, 'waveform', f.waveform) end as file,
  exists (select from private_positions p where p.tenant_id = m.tenant_id and p.conversation = m.conversation
    and p.user_id <> m.sender_id and (p.read_at, p.read_id) >= (m.sent_at, m.id)) as read,
  coalesce((select jsonb_agg(jsonb_build_object('emoji', r.emoji, 'userId', r.user_id, 'name', u.name) order by r.created_at, r.user_id)
    from private_reactions r join users u on u.tenant_id = r.tenant_id and u.id = r.user_id
    where r.tenant_id = m.tenant_id and r.message_id = m.id), '[]') as reactions,
  case when q.id is not null then jsonb_build_object('id', q.id, 'text', q.body, 'mediaType', q.media_type,
    'mediaName', (select name from files where files.tenant_id = q.tenant_id and files.id = q.file_id),
    'senderId', q.sender_id, 'senderName', (select name from users u where u.tenant_id = q.tenant_id and u.id = q.sender_id)) end as quoted,
  m.mentions, m.edited_at is not null as "isEdited", m.deleted_at is not null as "isDeleted",
  m.is_forwarded as "isForwarded", m.ticket_id as "ticketId", m.revision`

const joined = sql`
  join users s on s.tenant_id = m.tenant_id and s.id = m.sender_id
  left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
  left join private_messages q on q.tenant_id = m.tenant_id and q.id = m.quoted_id`

/** Cursor of a conversation: milliseconds and id. */
export type MomentKey = readonly [number, string]

/**
 * Returns a page of messages that a user may read, in one or all conversations, newest first; with `after` oldest first,
 * after that position.
 */
export async function listMessages(
  db: Queryable,
  wanted: {
    userId: number
    conversation?: string | undefined
    search?: string | undefined
    before: MomentKey | null
    after?: MomentKey | 'first'
  },
  limit: number,
): Promise<PrivateRow[]> {
  const { userId, conversation, search, before, after } = wanted
  const way = sql.raw(after ? 'asc' : 'desc')
  const at = ([ms, id]: MomentKey) => sql`(${new Date(ms)}::timestamptz, ${id}::uuid)`
  const { rows } = await sql<PrivateRow>`
    with found as (
      select m.* from private_messages m
      where m.tenant_id = app.tenant() and ${readableBy(userId)}
        and ${conversation === undefined ? conversationsOf(userId) : sql<SqlBool>`m.conversation = ${conversation}`}
        and ${search === undefined ? sql`true` : sql`m.deleted_at is null and app.fold(m.body) like app.fold(${search}::text)`}
        and ${before ? sql`(m.sent_at, m.id) < ${at(before)}` : sql`true`}
        and ${after && after !== 'first' ? sql`(m.sent_at, m.id) > ${at(after)}` : sql`true`}
      order by m.sent_at ${way}, m.id ${way} limit ${limit}
    )
    select ${shown} from found m ${joined} order by m.sent_at ${way}, m.id ${way}`.execute(db)
  return rows
}

const conversationsOf = (userId: number) => sql<SqlBool>`m.conversation in (
  select conversation from private_positions where tenant_id = app.tenant() and user_id = ${userId} and peer_id is not null
  union select 'g:' || team_id from team_periods where tenant_id = app.tenant() and user_id = ${userId})`

/** Returns those of the messages that a user may read. */
export async function findMessages(db: Queryable, userId: number, ids: readonly string[]): Promise<PrivateRow[]> {
  const { rows } = await sql<PrivateRow>`
    select ${shown} from private_messages m ${joined}
    where m.tenant_id = app.tenant() and m.id = any(${[...ids]}::uuid[]) and ${readableBy(userId)}`.execute(db)
  return rows
}

/** Finds a message of another user that a user may read and has not read. */
export async function findUnread(db: Queryable, userId: number, id: string): Promise<PrivateRow | undefined> {
  const { rows } = await sql<PrivateRow>`
    select ${shown} from private_messages m ${joined}
    where m.tenant_id = app.tenant() and m.id = ${id} and ${readableBy(userId)} and m.sender_id <> ${userId}
      and m.deleted_at is null and not exists (select from private_positions p where p.tenant_id = m.tenant_id
        and p.user_id = ${userId} and p.conversation = m.conversation and (p.read_at, p.read_id) >= (m.sent_at, m.id))`.execute(
    db,
  )
  return rows[0]
}

/** Locks a message that a user may read; returns its sender and whether it is deleted. */
export async function lockMessage(db: Tx, userId: number, id: string) {
  const { rows } = await sql<{ senderId: number; isDeleted: boolean }>`
    update private_messages m set revision = revision + 1
    where m.tenant_id = app.tenant() and m.id = ${id} and ${readableBy(userId)}
    returning m.sender_id as "senderId", m.deleted_at is not null as "isDeleted"`.execute(db)
  return rows[0]
}

/** Message to store. */
export type NewMessage = {
  readonly id: string
  readonly conversation: string
  readonly senderId: number
  readonly receiverId: number | null
  readonly groupId: number | null
  readonly text: string
  readonly mediaType: PrivateRow['mediaType'] & MessageType
  readonly fileId: string | null
  readonly quotedId: string | null
  readonly mentions: readonly { id: number; name: string }[]
  readonly isForwarded?: boolean
  readonly ticketId?: number | null
}

/** Stores a message; returns false if its id exists. */
export async function insertMessage(db: Tx, message: NewMessage, now: Date): Promise<boolean> {
  const { id, conversation, senderId, receiverId, groupId, text, mediaType, fileId, quotedId, mentions } = message
  const { rows } = await sql`
    insert into private_messages (tenant_id, id, conversation, sender_id, receiver_id, group_id, body, media_type, file_id,
      quoted_id, mentions, is_forwarded, ticket_id, sent_at)
    values (app.tenant(), ${id}, ${conversation}, ${senderId}, ${receiverId}, ${groupId}, ${text}, ${mediaType}, ${fileId},
      ${quotedId}, ${JSON.stringify(mentions)}, ${message.isForwarded ?? false}, ${message.ticketId ?? null}, ${now})
    on conflict (tenant_id, id) do nothing returning id`.execute(db)
  return rows.length > 0
}

/** Returns sender and conversation of stored messages, regardless of the reader; used to recognize repeated requests. */
export async function findSent(db: Tx, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; senderId: number; conversation: string }>`
    select id, sender_id as "senderId", conversation from private_messages
    where tenant_id = app.tenant() and id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}

/** Records that two users have written to each other. */
export async function noteWritten(
  db: Tx,
  { conversation, people }: { conversation: string; people: readonly [number, number] },
  now: Date,
): Promise<void> {
  const [a, b] = people
  await sql`
    insert into private_positions as p (tenant_id, user_id, conversation, peer_id, last_at)
    values (app.tenant(), ${Math.min(a, b)}, ${conversation}, ${Math.max(a, b)}, ${now}),
      (app.tenant(), ${Math.max(a, b)}, ${conversation}, ${Math.min(a, b)}, ${now})
    on conflict (tenant_id, user_id, conversation) do update set last_at = greatest(p.last_at, excluded.last_at)`.execute(
    db,
  )
}

/** Replaces the text of a message. */
export async function editMessage(db: Tx, id: string, text: string, now: Date): Promise<void> {
  await db.updateTable('private_messages').set({ body: text, edited_at: now }).where('id', '=', id).execute()
}

/** Deletes a message's text, file and reactions; the message remains as deleted. */
export async function blankMessage(db: Tx, id: string, now: Date): Promise<void> {
  await db
    .updateTable('private_messages')
    .set({ body: '', file_id: null, quoted_id: null, ticket_id: null, mentions: '[]', deleted_at: now })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('private_reactions').where('message_id', '=', id).execute()
}

/** Deletes the content of messages forwarded from tickets; returns their file ids. */
export async function blankForwarded(db: Tx, ticketIds: readonly number[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ fileId: string }>`
    with found as (
      select id, file_id from private_messages
      where tenant_id = app.tenant() and ticket_id = any(${[...ticketIds]}::bigint[]) for update),
    changed as (
      update private_messages m set body = '', file_id = null, quoted_id = null, ticket_id = null, mentions = '[]',
        deleted_at = coalesce(deleted_at, ${now}), revision = revision + 1
      from found where m.tenant_id = app.tenant() and m.id = found.id)
    select distinct file_id as "fileId" from found where file_id is not null`.execute(db)
  return rows.map(({ fileId }) => fileId)
}

/** Stores a user's reaction to a message, replacing an earlier one. */
export async function saveReaction(db: Tx, messageId: string, userId: number, emoji: string, now: Date): Promise<void> {
  await sql`
    insert into private_reactions (tenant_id, message_id, user_id, emoji, created_at)
    values (app.tenant(), ${messageId}, ${userId}, ${emoji}, ${now})
    on conflict (tenant_id, message_id, user_id) do update set emoji = excluded.emoji`.execute(db)
}

/** Removes a user's reaction to a message. */
export async function removeReaction(db: Tx, messageId: string, userId: number): Promise<void> {
  await db.deleteFrom('private_reactions').where('message_id', '=', messageId).where('user_id', '=', userId).execute()
}

/** Returns the reading positions of a conversation. */
export async function listPositions(db: Queryable, conversation: string) {
  const { rows } = await sql<{ userId: number; name: string; timestamp: Date; id: string }>`
    select p.user_id as "userId", u.name, p.read_at as timestamp, p.read_id as id
    from private_positions p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
    where p.tenant_id = app.tenant() and p.conversation = ${conversation} and p.read_at is not null
    order by p.user_id`.execute(db)
  return rows
}

/**
 * Advances a user's reading position to a message or the end, within what the user may read; returns the new position,
 * undefined if unchanged.
 */
export async function movePosition(
  db: Tx,
  at: { userId: number; conversation: string; peerId: number | null; groupId: number | null; upTo: string | undefined },
): Promise<{ timestamp: Date; id: string } | undefined> {
  const { userId, conversation, peerId, groupId, upTo } = at
  const { rows } = await sql<{ timestamp: Date; id: string }>`
    insert into private_positions as old (tenant_id, user_id, conversation, peer_id, group_id, read_at, read_id)
    select app.tenant(), ${userId}, ${conversation}, ${peerId}::bigint, ${groupId}::bigint, m.sent_at, m.id
    from private_messages m
    where m.tenant_id = app.tenant() and m.conversation = ${conversation} and ${readableBy(userId)}
      and ${upTo ? sql`m.id = ${upTo}` : sql`true`}
    order by m.sent_at desc, m.id desc limit 1
    on conflict (tenant_id, user_id, conversation) do update set read_at = excluded.read_at, read_id = excluded.read_id
      where old.read_at is null or (old.read_at, old.read_id) < (excluded.read_at, excluded.read_id)
    returning read_at as timestamp, read_id as id`.execute(db)
  return rows[0]
}

/** Returns the users who may read a team's message written at a time, except its sender. */
export async function listReaders(db: Queryable, teamId: number, at: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct user_id as id from team_periods
    where tenant_id = app.tenant() and team_id = ${teamId} and began_at <= ${at} and (ended_at is null or ended_at >= ${at})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns the present active members of a team. */
export async function listMembers(db: Queryable, teamId: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select u.id, u.name from team_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id and u.is_active
    where m.tenant_id = app.tenant() and m.team_id = ${teamId} order by u.id`.execute(db)
  return rows
}
