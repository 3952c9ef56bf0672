import { sql } from 'kysely'
import type { ActedOn, ActType, Author, Authorship, ReceivedAct } from '#domain/messages/acts.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import { adminsOf } from '../groups/queries.ts'
import { isOfConversation } from '../ticket/queries-conversation.ts'

/** State of our act: waiting, sending, accepted, refused, or canceled. */
export type OwnActStatus = 'pending' | 'queued' | 'sent' | 'failed' | 'canceled'

/** Act of ours to store. */
export type NewAct = {
  id: string
  connectionId: number
  conversationKey: string
  messageId: string
  userId: number
  type: ActType
  body: string | null
  emoji: string | null
  status: OwnActStatus
}

/** Stores one of our acts, with a sequence number after all messages; false if it is already stored. */
export async function insertAct(db: Tx, act: NewAct, now: Date): Promise<boolean> {
  const stored = await db
    .insertInto('message_acts')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      id: act.id,
      connection_id: act.connectionId,
      conversation_key: act.conversationKey,
      message_id: act.messageId,
      from_me: true,
      user_id: act.userId,
      type: act.type,
      body: act.body,
      emoji: act.emoji,
      status: act.status,
      at: now,
      updated_at: now,
    })
    .onConflict((c) => c.columns(['tenant_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Stored act. */
export type ActRow = {
  id: string
  message_id: string
  type: ActType
  body: string | null
  emoji: string | null
  status: OwnActStatus
  attempts: number
  failures: number
}

/** Returns and locks one of our acts. */
export const lockAct = (db: Tx, id: string): Promise<ActRow | undefined> =>
  db
    .selectFrom('message_acts')
    .select(['id', 'message_id', 'type', 'body', 'emoji', 'status', 'attempts', 'failures'])
    .where('id', '=', id)
    .where('from_me', '=', true)
    .forUpdate()
    .executeTakeFirst() as Promise<ActRow | undefined>

/** Updates the state of our act. */
export async function updateAct(
  db: Tx,
  id: string,
  change: { status: OwnActStatus; error_code?: string | null; attempts?: number; failures?: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable('message_acts')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Moves our acts on a message from some statuses to another; returns them, in order. */
export async function moveActs(
  db: Tx,
  messageId: string,
  move: { from: readonly OwnActStatus[]; to: OwnActStatus; type?: ActType },
  now: Date,
): Promise<{ id: string; type: ActType }[]> {
  const rows = await db
    .updateTable('message_acts')
    .set({ status: move.to, error_code: null, failures: 0, updated_at: now })
    .where('message_id', '=', messageId)
    .where('from_me', '=', true)
    .where('status', 'in', move.from)
    .$if(move.type !== undefined, (query) => query.where('type', '=', move.type!))
    .returning(['id', 'type', 'seq'])
    .execute()
  return rows.sort((a, b) => a.seq - b.seq)
}

/** Fields of a message that an act changes. */
export type MessageChange = {
  body?: string
  edition?: string | null
  reaction?: string | null
  reaction_from_me?: string | null
  is_deleted?: boolean
  mentions?: MessageMentions | null
}

/** Writes the changes of acts to a message. */
export async function changeMessage(
  db: Tx,
  id: string,
  { mentions, ...change }: MessageChange,
  now: Date,
): Promise<void> {
  await db
    .updateTable('messages')
    .set({
      ...change,
      updated_at: now,
      ...(mentions === undefined ? {} : { mentions: mentions && JSON.stringify(mentions) }),
    })
    .where('id', '=', id)
    .execute()
}

/** Erases content and versions of a revoked message, if its connection is set so (`destroy_message`). */
export async function eraseIfAsked(db: Tx, id: string, now: Date): Promise<void> {
  await sql`
    with erased as (
      update messages m set body = '', file_id = null, data = null, edition = null, updated_at = ${now}
      where m.tenant_id = app.tenant() and m.id = ${id} and not m.is_note and exists (
        select from connections c where c.tenant_id = m.tenant_id and c.id = m.connection_id and c.destroy_message)
      returning m.id)
    update message_acts a set body = null, mentions = null from erased
    where a.tenant_id = app.tenant() and a.message_id = erased.id and a.type = 'edit'`.execute(db)
}

/** Message that acts refer to; `channel` is its connection's, `author` its author in a group. */
export type Target = {
  id: string
  ticket_id: number
  conversation_key: string
  channel: string
  is_group: boolean
  author: Author | null
  connection_id: number
  provider_id: string
  from_me: boolean
  contact_id: number
  body: string
  edition: string | null
  reaction: string | null
  reaction_from_me: string | null
  is_deleted: boolean
}

type Key = { connectionId: number; providerId: string }

/** Returns and locks the messages that acts from elsewhere refer to, in order of id. */
export async function lockTargets(db: Tx, keys: readonly Key[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select m.id, m.ticket_id, m.connection_id, m.conversation_key, m.provider_id, m.contact_id, m.from_me, m.body, m.edition, m.reaction,
      m.reaction_from_me, m.is_deleted, m.sender as author, t.channel, t.is_group
    from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = app.tenant() and exists (
      select from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("connectionId" bigint, "providerId" text)
      where k."connectionId" = m.connection_id and k."providerId" = m.provider_id)
      and m.provider_id = any(${keys.map((key) => key.providerId)}::text[]) and m.connection_id = any(${keys.map((key) => key.connectionId)}::bigint[])
    order by m.id for update of m`.execute(db)
  return rows
}

/** Act to store, by the contact, or by the company on its phone. */
export type NewReceived = Key & {
  id: string
  fromMe: boolean
  author: Author | null
  conversationKey: string
  dedupeKey: string
  type: ActType
  body: string | null
  mentions: readonly string[] | null
  emoji: string | null
  at: number
}

/** Stores acts from elsewhere as waiting for their messages; known ones are skipped. */
export async function insertReceived(db: Tx, acts: readonly NewReceived[], now: Date): Promise<void> {
  await sql`
    insert into message_acts (tenant_id, id, connection_id, conversation_key, provider_id, dedupe_key, from_me, author, type, body, mentions, emoji, status, at, updated_at)
    select app.tenant(), a.id, a."connectionId", a."conversationKey", a."providerId", a."dedupeKey", a."fromMe", a.author, a.type, a.body, a.mentions, a.emoji, 'waiting',
      to_timestamp(a.at / 1000.0), ${now}
    from jsonb_to_recordset(${JSON.stringify(acts)}::jsonb) as a (id uuid, "fromMe" boolean, author jsonb, "connectionId" bigint, "conversationKey" text, "providerId" text,
      "dedupeKey" text, type text, body text, mentions jsonb, emoji text, at double precision)
    on conflict do nothing`.execute(db)
}

/**
 * Assigns waiting acts to their messages and returns which; an act from another conversation has no effect. Where the
 * channel names no conversation, the id decides, which only the two participants know.
 */
export async function attachWaiting(
  db: Tx,
  targets: readonly Target[],
  now: Date,
): Promise<{ id: string; message_id: string; type: ActType; from_me: boolean }[]> {
  const keys = targets.map(({ id, connection_id, provider_id, conversation_key, contact_id, channel, is_group }) => ({
    ...{ id, connection_id, provider_id, conversation_key, contact_id, channel, is_group },
  }))
  const { rows } = await sql<{ id: string; message_id: string; type: ActType; from_me: boolean; seq: number }>`
    update message_acts a set message_id = k.id, status = 'received', updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (id uuid, connection_id bigint, provider_id text, conversation_key text,
      contact_id bigint, channel text, is_group boolean)
    where a.tenant_id = app.tenant() and a.status = 'waiting' and a.connection_id = k.connection_id and a.provider_id = k.provider_id
      and a.connection_id = any(${keys.map((key) => key.connection_id)}::bigint[]) and a.provider_id = any(${keys.map((key) => key.provider_id)}::text[])
      and (a.from_me or a.conversation_key = '' and not k.is_group
        or ${isOfConversation({ message: 'k', ticket: 'k', key: 'a.conversation_key', alias: "a.author ->> 'alias'" })})
    returning a.id, a.message_id, a.type, a.from_me, a.seq`.execute(db)
  return rows.sort((a, b) => a.seq - b.seq)
}

/** Returns the acts from elsewhere on messages, without the company's ones before a later act of ours of the same type. */
export async function receivedOf(
  db: Tx,
  messageIds: readonly string[],
): Promise<(ReceivedAct & { message_id: string })[]> {
  const { rows } = await sql<ReceivedAct & { message_id: string }>`
    select message_id, type, from_me as "fromMe", author, body, mentions, emoji, dedupe_key as key, (extract(epoch from at) * 1000)::float8 as at
    from message_acts a
    where tenant_id = app.tenant() and message_id = any(${[...messageIds]}::uuid[]) and status = 'received' and not (from_me and exists (
      select from message_acts o where o.tenant_id = a.tenant_id and o.message_id = a.message_id and o.from_me and o.type = a.type
        and o.status = 'sent' and o.updated_at > a.at))`.execute(db)
  return rows
}

/** Returns the authorship of messages: ours or the contact's; for groups also the author and the current admins. */
export async function findAuthorship(db: Tx, targets: readonly Target[]): Promise<(target: Target) => Authorship> {
  const groups = targets.filter((one) => one.is_group).map((one) => one.contact_id)
  const admins = await adminsOf(db, groups)
  return ({ from_me, is_group, author, contact_id }) => ({
    isTheirs: !from_me,
    group: is_group ? { author, admins: admins.filter((one) => one.contactId === contact_id) } : null,
  })
}

/** Returns the fields of a message that acts from elsewhere change: text with its mentions, deletion, reactions. */
export const changeOf = (
  target: Target,
  state: Pick<ActedOn, 'isDeleted' | 'reaction' | 'ownReaction'>,
  edited: { body: string; mentions: MessageMentions | null } | null,
): MessageChange => ({
  ...(edited && edited.body !== target.body ? { ...edited, edition: target.edition ?? target.body } : {}),
  ...(state.reaction === target.reaction ? {} : { reaction: state.reaction }),
  ...(state.ownReaction === undefined || state.ownReaction === target.reaction_from_me
    ? {}
    : { reaction_from_me: state.ownReaction }),
  ...(state.isDeleted && !target.is_deleted ? { is_deleted: true } : {}),
})

/** Writes the preview of a ticket's last message; the caller holds the ticket. */
export async function setPreview(db: Tx, ticketId: number, preview: string): Promise<void> {
  await db.updateTable('tickets').set({ last_message: preview }).where('id', '=', ticketId).execute()
}

/** Locks and returns a message with the data that the rules for acts need. */
export async function lockForAct(db: Tx, id: string) {
  return await db
    .selectFrom('messages')
    .select(['id', 'ticket_id', 'connection_id', 'conversation_key', 'provider_id', 'from_me', 'is_note', 'is_deleted'])
    .select([
      'user_id',
      'media_type',
      'body',
      'edition',
      'send_type',
      'reaction_from_me',
      'status',
      'timestamp',
      'schedule_date',
      'send_at',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Removes acts from elsewhere whose messages never arrived. */
export const removeWaitingActs: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from message_acts where tenant_id = ${tenantId} and id in (
      select id from message_acts where tenant_id = ${tenantId} and status = 'waiting' and updated_at < ${before} limit ${most})`,
  )
