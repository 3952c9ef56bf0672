import { sql } from 'kysely'
import type { Album } from '#domain/messages/album.ts'
import type { MessageData } from '#domain/messages/data.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { MessageSender } from '#domain/messages/sender.ts'
import type { MessageStatus } from '#domain/messages/status.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { SlaClock, SlaState } from '#domain/sla/clocks.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import type { Tx } from '#server/db/db.ts'
import { conversationReceivedAt } from '../rows/queries-window.ts'

/** Connection with the data that ingest needs. */
export type IngestConnection = { id: number; type: string; queue_id: number | null; user_id: number | null }

// Search values are repeated as plain lists in these statements: for a list of records, the planner expects many rows
// and scans small tables.

/**
 * Returns which provider ids (`connection|id`) are stored, which of those are still undecrypted, and for which acts of the
 * contact wait.
 */
export async function knownProviderIds(
  db: Tx,
  keys: readonly { connectionId: number; providerId: string }[],
): Promise<{ known: Set<string>; undecrypted: Set<string>; awaited: Set<string> }> {
  const isMeant = (row: 'm' | 'a') => sql`
    join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("connectionId" bigint, "providerId" text)
      on ${sql.ref(`${row}.connection_id`)} = k."connectionId" and ${sql.ref(`${row}.provider_id`)} = k."providerId"
    where ${sql.ref(`${row}.connection_id`)} = any(${keys.map((key) => key.connectionId)}::bigint[])
      and ${sql.ref(`${row}.provider_id`)} = any(${keys.map((key) => key.providerId)}::text[])`
  const { rows } = await sql<{ key: string; type: string | null }>`
    select m.connection_id || '|' || m.provider_id as key, m.media_type as type from messages m ${isMeant('m')}
    union all
    select a.connection_id || '|' || a.provider_id, null from message_acts a ${isMeant('a')} and a.status = 'waiting'`.execute(
    db,
  )
  const keysOf = (isMeant: (type: string | null) => boolean) =>
    new Set(rows.filter(({ type }) => isMeant(type)).map(({ key }) => key))
  return {
    known: keysOf((type) => type !== null),
    undecrypted: keysOf((type) => type === 'undecrypted'),
    awaited: keysOf((type) => type === null),
  }
}

/** Ticket with the columns that ingest and sending change. */
export type LedgerTicket = {
  id: number
  status: 'open' | 'pending' | 'closed'
  user_id: number | null
  queue_id: number | null
  connection_id: number
  contact_id: number
  conversation_key: string
  channel: string
  is_group: boolean
  is_assisted: boolean
  unread_messages: number
  answered: boolean
  last_message: string
  last_message_from_me: boolean
  last_message_status: string
  last_message_sender: string | null
  last_message_at: Date
  last_message_received_at: Date | null
  conversation_received_at: Date | null
  waiting_since: Date | null
  sla_state: SlaState | null
  sla_clock: SlaClock | null
  sla_since: Date | null
  sla_due_at: Date | null
  updated_at: Date
  kanban: number | null
  chat_flow_id: number | null
  snoozed_until: Date | null
  tag_ids: number[]
  wallets: number[]
  group_user_ids: number[]
}

/** Columns of a `LedgerTicket`, of table `t`. */
export const ledgerColumns =
  () => sql`t.id, t.status, t.user_id, t.queue_id, t.connection_id, t.contact_id, t.conversation_key, t.channel, t.is_group,
  t.unread_messages, t.answered, t.last_message, t.last_message_from_me, t.last_message_status, t.last_message_sender, t.last_message_at,
  t.last_message_received_at, ${conversationReceivedAt('t')} as conversation_received_at, t.waiting_since, t.sla_state, t.sla_clock, t.sla_since, t.sla_due_at, t.updated_at, t.kanban, t.chat_flow_id, app.is_assisted(t.assistants) as is_assisted, t.snoozed_until,
  array(select x.tag_id from ticket_tags x where x.tenant_id = t.tenant_id and x.ticket_id = t.id) as tag_ids,
  array(select x.user_id from contact_wallets x where x.tenant_id = t.tenant_id and x.contact_id = t.contact_id) as wallets,
  array(select x.user_id from ticket_group_users x where x.tenant_id = t.tenant_id and x.ticket_id = t.id) as group_user_ids`

/** Returns the facts of a ticket that the visibility rules need. */
export const ledgerFacts = (ticket: LedgerTicket): TicketFacts => ({
  status: ticket.status,
  isGroup: ticket.is_group,
  userId: ticket.user_id,
  queueId: ticket.queue_id,
  whatsappId: ticket.connection_id,
  chatFlowId: ticket.chat_flow_id,
  isAssisted: ticket.is_assisted,
  kanban: ticket.kanban,
  unread: ticket.unread_messages > 0,
  tagIds: ticket.tag_ids,
  wallets: ticket.wallets,
  groupUserIds: ticket.group_user_ids,
  snoozed: ticket.snoozed_until !== null,
})

/**
 * Returns and locks the live tickets of conversations, in id order; for groups the newest closed one as well. A ticket may
 * have the other spelling of the number.
 */
export async function lockConversations(
  db: Tx,
  keys: readonly { connectionId: number; channel: string; conversationKey: string; isGroup: boolean }[],
): Promise<LedgerTicket[]> {
  const spelled = keys.map(({ connectionId, channel, conversationKey: key }) => {
    return { connectionId, channel, key, spellings: spellingsOf(key) }
  })
  // The ticket of a person with several addresses may have another one.
  const { rows } = await sql<LedgerTicket>`
    select ${ledgerColumns()} from tickets t
    where t.status in ('open', 'pending') and t.id = any(array(
      select o.id from tickets o
      join jsonb_to_recordset(${JSON.stringify(spelled)}::jsonb) as k ("connectionId" bigint, spellings text[])
        on o.connection_id = k."connectionId" and o.conversation_key = any(k.spellings)
      where o.status in ('open', 'pending') and o.connection_id = any(${keys.map((key) => key.connectionId)}::bigint[])
        and o.conversation_key = any(${spelled.flatMap((key) => key.spellings)}::text[])
      union all
      select o.id from jsonb_to_recordset(${JSON.stringify(spelled)}::jsonb) as k ("connectionId" bigint, channel text, key text)
      cross join lateral (select i.contact_id from contact_identities i
        where i.tenant_id = app.tenant() and i.channel = k.channel and i.identity = k.key offset 0) i
      cross join lateral (select coalesce(c.merged_into, c.id) as id from contacts c where c.tenant_id = app.tenant()
        and c.id = i.contact_id offset 0) person
      cross join lateral (select p.id from tickets p where p.tenant_id = app.tenant() and p.contact_id = person.id
        and p.status in ('open', 'pending') and p.connection_id = k."connectionId" and not p.is_group offset 0) o))
    order by t.id for update of t`.execute(db)
  const groups = keys.filter(
    (key) =>
      key.isGroup &&
      !rows.some((row) => row.connection_id === key.connectionId && row.conversation_key === key.conversationKey),
  )
  for (const key of groups) {
    const { rows: last } = await sql<LedgerTicket>`
      select ${ledgerColumns()} from tickets t where t.connection_id = ${key.connectionId} and t.conversation_key = ${key.conversationKey}
      order by t.id desc limit 1 for update`.execute(db)
    rows.push(...last)
  }
  return rows
}

/** Moves the tickets of a conversation to another address, unless it has an active ticket there. */
export async function moveConversation(
  db: Tx,
  { connectionId, from, to }: { connectionId: number; from: string; to: string },
): Promise<void> {
  await sql`update tickets t set conversation_key = ${to}
    where t.connection_id = ${connectionId} and t.conversation_key = ${from} and (t.status = 'closed' or not exists (
      select from tickets o where o.connection_id = ${connectionId} and o.conversation_key = ${to}
        and o.status in ('open', 'pending')))`.execute(db)
}

/** Returns and locks one ticket. */
export async function lockLedgerTicket(db: Tx, id: number): Promise<LedgerTicket | undefined> {
  const { rows } =
    await sql<LedgerTicket>`select ${ledgerColumns()} from tickets t where t.id = ${id} for update`.execute(db)
  return rows[0]
}

/** Returns and locks tickets, in order of id. */
export async function lockLedgerTickets(db: Tx, ids: readonly number[]): Promise<LedgerTicket[]> {
  const { rows } =
    await sql<LedgerTicket>`select ${ledgerColumns()} from tickets t where t.id = any(${[...ids]}::bigint[]) order by t.id for update`.execute(
      db,
    )
  return rows
}

/** Opens a ticket; undefined if one was opened concurrently for that conversation. */
export async function openTicket(
  db: Tx,
  input: {
    status: 'open' | 'pending'
    userId: number | null
    queueId: number | null
    connectionId: number
    contactId: number
    conversationKey: string
    channel: string
    isGroup: boolean
    now: Date
  },
): Promise<LedgerTicket | undefined> {
  const { rows } = await sql<LedgerTicket>`
    with t as (
      insert into tickets (tenant_id, status, user_id, queue_id, connection_id, contact_id, conversation_key, channel, is_group, started_attendance_at, last_message_at, created_at, updated_at)
      values (app.tenant(), ${input.status}, ${input.userId}, ${input.queueId}, ${input.connectionId}, ${input.contactId}, ${input.conversationKey},
        ${input.channel}, ${input.isGroup}, ${input.status === 'open' ? input.now : null}::timestamptz, 'epoch', ${input.now}, ${input.now})
      on conflict do nothing returning *),
    logged as (
      insert into ticket_logs (tenant_id, ticket_id, type, queue_id, created_at)
      select tenant_id, id, 'create', queue_id, created_at from t)
    select ${ledgerColumns()} from t`.execute(db)
  return rows[0]
}

/** Message to store; times in epoch ms. Without a `seq` it gets the next one. */
export type NewMessage = {
  id: string
  seq: number | null
  ticketId: number
  contactId: number
  connectionId: number
  conversationKey: string
  providerId: string | null
  idFront: string | null
  fromMe: boolean
  isNote: boolean
  userId: number | null
  mediaType: MessageType
  body: string
  fileId: string | null
  data: MessageData | null
  /** Encrypted pointer for fetching its file, if that is not here yet. */
  pointer?: string | null
  /** HTML of its text, if any. */
  html?: string | null
  sender: MessageSender | null
  mentions: MessageMentions | null
  album?: Album | null
  quotedId: string | null
  quotedProviderId: string | null
  status: MessageStatus
  sendType: string
  isLate: boolean
  timestamp: number
  /** Time until which it waits on the server; null: sent at once. */
  sendAt: number | null
  schedule: MessageSchedule | null
  /** Time of its import from the channel's history; epoch ms. */
  syncTime?: number
}

/** Schedule of a message, in epoch ms, with its repetition: `repeat` is counted from `repeatFrom`. */
export type MessageSchedule = {
  readonly date: number
  readonly cancelOnReply: boolean
  readonly repeat: string | null
  readonly repeatFrom: number | null
}

/** Columns that the database adds to a stored message. */
export type StoredMessage = { id: string; seq: number; created_at: Date; quoted_id: string | null }

/**
 * Stores messages and returns them in order. Those already stored (provider id or idFront) are skipped; messages with a
 * `seq` must be new, because their events are already prepared: throws otherwise.
 */
export async function insertMessages(db: Tx, messages: readonly NewMessage[]): Promise<StoredMessage[]> {
  const passOver = messages.some(({ seq }) => seq === null) ? sql`on conflict do nothing` : sql``
  const { rows } = await sql<StoredMessage>`
    insert into messages (tenant_id, id, seq, ticket_id, contact_id, connection_id, conversation_key, provider_id, id_front, from_me, is_note,
      user_id, media_type, body, file_id, data, sender, mentions, album, quoted_id, status, send_type, is_late, timestamp, send_at, schedule_date, cancel_on_reply, repeat, repeat_from, sync_time) overriding system value
    select app.tenant(), m.id, coalesce(m.seq, nextval('messages_seq_seq')), m."ticketId", m."contactId", m."connectionId", m."conversationKey", m."providerId", m."idFront", m."fromMe", m."isNote",
      m."userId", m."mediaType", m.body, m."fileId", m.data, m.sender, m.mentions, m.album,
      coalesce(m."quotedId", case when m."quotedProviderId" is not null then
        (select q.id from messages q where q.tenant_id = app.tenant() and q.connection_id = m."connectionId" and q.provider_id = m."quotedProviderId") end),
      m.status, m."sendType", m."isLate", to_timestamp(m.timestamp / 1000.0), to_timestamp(m."sendAt" / 1000.0),
      to_timestamp((m.schedule ->> 'date')::double precision / 1000.0), coalesce((m.schedule ->> 'cancelOnReply')::boolean, false),
      m.schedule ->> 'repeat', to_timestamp((m.schedule ->> 'repeatFrom')::double precision / 1000.0), to_timestamp(m."syncTime" / 1000.0)
    from rows from (jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as (id uuid, seq bigint, "ticketId" bigint, "contactId" bigint, "connectionId" bigint, "conversationKey" text,
      "providerId" text, "idFront" text, "fromMe" boolean, "isNote" boolean, "userId" bigint, "mediaType" text, body text, "fileId" uuid, data jsonb, sender jsonb, mentions jsonb, album jsonb,
      "quotedId" uuid, "quotedProviderId" text, status text, "sendType" text, "isLate" boolean, timestamp double precision,
      "sendAt" double precision, schedule jsonb, "syncTime" double precision)) with ordinality as m
    order by m.ordinality
    ${passOver}
    returning id, seq, created_at, quoted_id`.execute(db)
  return rows
}

/** Changes of a ticket by its messages; times in epoch ms. */
export type TicketTouch = {
  id: number
  unread: number
  answered: boolean
  lastMessage: string
  lastMessageFromMe: boolean
  lastMessageStatus: string
  lastMessageSender: string | null
  lastMessageAt: number
  lastMessageReceivedAt: number | null
  conversationKey: string
  waitingSince: number | null
  status: LedgerTicket['status']
  closedAt: null
  /** Whether a customer message ends the snooze. */
  wakes: boolean
}

/** Returns a locked ticket with the changes made by messages. */
export const asTouched = (ticket: LedgerTicket, touch: TicketTouch, now: Date): LedgerTicket => ({
  ...ticket,
  unread_messages: touch.unread,
  answered: touch.answered,
  last_message: touch.lastMessage,
  last_message_from_me: touch.lastMessageFromMe,
  last_message_status: touch.lastMessageStatus,
  last_message_sender: touch.lastMessageSender,
  last_message_at: new Date(touch.lastMessageAt),
  last_message_received_at: dateOf(touch.lastMessageReceivedAt),
  conversation_key: touch.conversationKey,
  waiting_since: dateOf(touch.waitingSince),
  status: touch.status,
  snoozed_until: touch.wakes ? null : ticket.snoozed_until,
  updated_at: now,
})

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

/** Writes the changes of tickets by their messages. */
export async function touchTickets(db: Tx, touches: readonly TicketTouch[], now: Date): Promise<void> {
  await sql`
    update tickets t set
      unread_messages = u.unread, answered = u.answered, last_message = u."lastMessage", last_message_from_me = u."lastMessageFromMe",
      last_message_status = u."lastMessageStatus", last_message_sender = u."lastMessageSender", last_message_at = to_timestamp(u."lastMessageAt" / 1000.0),
      last_message_received_at = to_timestamp(u."lastMessageReceivedAt" / 1000.0), conversation_key = u."conversationKey", waiting_since = to_timestamp(u."waitingSince" / 1000.0),
      status = u.status, closed_at = case when u.status = 'closed' then t.closed_at end, updated_at = ${now},
      snoozed_until = case when u.wakes then null else t.snoozed_until end
    from jsonb_to_recordset(${JSON.stringify(touches)}::jsonb) as u (id bigint, unread int, answered boolean, "lastMessage" text,
      "lastMessageFromMe" boolean, "lastMessageStatus" text, "lastMessageSender" text, "lastMessageAt" double precision, "lastMessageReceivedAt" double precision,
      "conversationKey" text, "waitingSince" double precision, status text, wakes boolean)
    where t.tenant_id = app.tenant() and t.id = u.id and t.id = any(${touches.map((touch) => touch.id)}::bigint[])`.execute(
    db,
  )
}
