import { type Insertable, sql } from 'kysely'
import { dated, timeline } from '#db/demo/dates.ts'
import { storeFile } from '#db/demo/files.ts'
import { demoMedia } from '#db/demo/media.ts'
import type { DemoCompany, DemoPart } from '#db/demo/part.ts'
import type { Conversation, Entry } from '#db/demo/types.ts'
import type { DB } from '#db/types.ts'
import { type Mention, mentionedIn } from '#domain/messages/mentions.ts'
import { previewOf } from '#domain/messages/preview.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { uuidv7 } from '#server/ids.ts'
import { newToken, sha256 } from '#server/secrets.ts'
import type { StoredFile } from '#server/storage.ts'
import { make } from '#test/make.ts'

type Scope = DemoCompany & { connections: Map<string, number>; files: Map<string, StoredFile>; now: number }

/** Channels, and every conversation as it happened. */
export const part: DemoPart = {
  after: ['catalog', 'contacts', 'users'],
  async seed(company) {
    const { conversations } = company.tenant
    const scope: Scope = {
      ...company,
      connections: new Map(),
      files: new Map(),
      now: company.platform.now().getTime(),
    }
    // The lab shows its phones in the order in which they were made: the ones that are talking now come first.
    const byTalk = [...conversations].sort(
      (a, b) => Number(a.status === 'closed') - Number(b.status === 'closed') || a.ageMinutes - b.ageMinutes,
    )
    for (const conversation of byTalk) await farEnd(scope, conversation)
    // Oldest first, so that the numbers of tickets and messages rise with time.
    for (const conversation of [...conversations].sort((a, b) => b.ageMinutes - a.ageMinutes))
      await seedConversation(scope, conversation)
  },
}

async function connectionFor(scope: Scope, { trade, connection, queue }: Conversation): Promise<number> {
  const { ids, tenant, tenantId, db, platform } = scope
  const key = `${connection} ${trade}`
  const known = scope.connections.get(key)
  if (known) return known
  const name = `${tenant.trades[trade] ?? tenant.name}${connection === 'webchat' ? ' · site' : ''}`
  const token = newToken()
  const config = connection === 'webchat' ? { token, domains: [], requiresProof: false } : {}
  const id = await make(platform, db).connection(tenantId, {
    name,
    type: connection,
    config: JSON.stringify(config),
    is_default: scope.connections.size === 0,
    // New conversations go to a queue of the agents, not only to people who see everything.
    queue_id: ids.queues.get(queue ?? 'Vendas') ?? null,
  })
  if (connection === 'webchat')
    await addToDirectory(db, { kind: 'webchat_channel', key: token, tenantId, subjectId: String(id) })
  scope.connections.set(key, id)
  return id
}

const HOUR = 3_600_000

async function seedConversation(scope: Scope, conversation: Conversation): Promise<void> {
  const { db, tenantId, ids } = scope
  const end = await farEnd(scope, conversation)
  const { contactId, connectionId, conversationKey } = end
  const times = timeline(conversation, scope.now)
  const messages = conversation.messages.map((entry, index) => ({ entry, at: times[index]! }))
  const spoken = messages.filter(({ entry }) => entry.from !== 'note' && entry.from !== 'event')
  const last = spoken.at(-1)!
  const lastFromContact = spoken.findLast(({ entry }) => entry.from === 'contact')
  const isOurs = last.entry.from !== 'contact'
  const answeredAt = spoken.findLastIndex(({ entry }) => entry.from !== 'contact')
  const waitingSince = isOurs ? null : (spoken[answeredAt + 1]?.at ?? last.at)
  const opened = messages.find(({ entry }) => entry.from === 'event' && entry.event.type === 'open')
  const ticketId = await make(scope.platform, db).ticket(tenantId, {
    status: conversation.status,
    user_id: conversation.assignee ? ids.users.get(conversation.assignee)! : null,
    queue_id: conversation.queue ? ids.queues.get(conversation.queue)! : null,
    connection_id: connectionId,
    contact_id: contactId,
    conversation_key: conversationKey,
    channel: conversation.connection,
    unread_messages: conversation.unread ?? 0,
    answered: isOurs,
    last_message: preview(last.entry, last.at),
    last_message_from_me: isOurs,
    last_message_status: isOurs ? ('status' in last.entry && last.entry.status) || 'read' : 'received',
    last_message_at: new Date(last.at),
    last_message_received_at: lastFromContact ? new Date(lastFromContact.at) : null,
    waiting_since: waitingSince === null || conversation.status === 'closed' ? null : new Date(waitingSince),
    started_attendance_at: opened ? new Date(opened.at) : null,
    closed_at: conversation.status === 'closed' ? new Date(times.at(-1)!) : null,
    created_at: new Date(times[0]!),
    updated_at: new Date(times.at(-1)!),
  })
  await db
    .updateTable('contacts')
    .set({ created_at: sql`least(created_at, ${new Date(times[0]!)}::timestamptz)` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', contactId)
    .execute()
  for (const tag of conversation.tags ?? []) {
    const marked = { tenant_id: tenantId, tag_id: ids.tags.get(tag)! }
    await db
      .insertInto('ticket_tags')
      .values({ ...marked, ticket_id: ticketId })
      .execute()
    await db
      .insertInto('contact_tags')
      .values({ ...marked, contact_id: contactId })
      .onConflict((c) => c.doNothing())
      .execute()
  }
  const written: (string | null)[] = []
  const rows: Rows = { messages: [], message_trail: [], lab_messages: [], mentions: [] }
  for (const { entry, at } of messages)
    written.push(await seedEntry(scope, entry, at, { ...end, ticketId, written, rows }))
  await insertAll(scope, rows)
  for (const { inHours, by, text, cancelOnReply = false, repeat = null } of conversation.scheduled ?? []) {
    const at = new Date(Math.ceil(scope.now / HOUR + inHours) * HOUR)
    await db
      .insertInto('messages')
      .values({
        tenant_id: tenantId,
        id: uuidv7(scope.now),
        ticket_id: ticketId,
        contact_id: contactId,
        connection_id: connectionId,
        conversation_key: conversationKey,
        from_me: true,
        user_id: ids.users.get(by)!,
        body: text,
        status: 'pending',
        send_type: 'schedule',
        timestamp: new Date(scope.now),
        created_at: new Date(scope.now),
        schedule_date: at,
        send_at: at,
        cancel_on_reply: cancelOnReply,
        repeat,
        repeat_from: repeat === null ? null : at,
      })
      .execute()
  }
  await log(scope, ticketId, 'create', null, times[0]!)
}

/** Returns the other end of a conversation: a phone in the lab or a visitor of the site, so that replies are delivered. */
async function farEnd(scope: Scope, conversation: Conversation): Promise<FarEnd> {
  const { db, tenantId, ids, tenant } = scope
  const { connection: channel, contact: name } = conversation
  const contactId = ids.contacts.get(name)!
  const connectionId = await connectionFor(scope, conversation)
  const digits = tenant.contacts.find((contact) => contact.name === name)!.phone?.replace(/\D/g, '')
  const known = await db
    .selectFrom('contact_identities')
    .select('identity')
    .where('tenant_id', '=', tenantId)
    .where('contact_id', '=', contactId)
    .where('channel', '=', channel)
    .executeTakeFirst()
  const identity = known?.identity ?? (channel === 'lab' && digits ? digits : uuidv7())
  if (!known) {
    await db
      .insertInto('contact_identities')
      .values({ tenant_id: tenantId, channel, identity, contact_id: contactId })
      .execute()
  }
  if (channel === 'webchat') {
    if (!known) {
      await db
        .insertInto('webchat_visitors')
        .values({
          tenant_id: tenantId,
          id: identity,
          connection_id: connectionId,
          token_hash: sha256(newToken()),
          contact_id: contactId,
          name,
        })
        .execute()
    }
    return { contactId, connectionId, conversationKey: identity, phoneId: null }
  }
  const phone = await db
    .insertInto('lab_phones')
    .values({ tenant_id: tenantId, connection_id: connectionId, name, number: identity })
    .onConflict((c) => c.columns(['tenant_id', 'connection_id', 'number']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { contactId, connectionId, conversationKey: identity, phoneId: phone.id }
}

type FarEnd = { contactId: number; connectionId: number; conversationKey: string; phoneId: number | null }

/** Rows of a conversation's entries, inserted together. */
type Rows = {
  [T in 'messages' | 'message_trail' | 'lab_messages']: Insertable<DB[T]>[]
} & { mentions: { messageId: string; userIds: readonly number[]; at: number }[] }

async function insertAll(scope: Scope, { mentions, ...rows }: Rows): Promise<void> {
  const { db } = scope
  if (rows.messages.length > 0) await db.insertInto('messages').values(rows.messages).execute()
  if (rows.message_trail.length > 0) await db.insertInto('message_trail').values(rows.message_trail).execute()
  if (rows.lab_messages.length > 0) await db.insertInto('lab_messages').values(rows.lab_messages).execute()
  for (const { messageId, userIds, at } of mentions) await mention(scope, messageId, userIds, at)
}

type Target = FarEnd & { ticketId: number; written: readonly (string | null)[]; rows: Rows }

const colleagues = ({ ids, tenant }: Scope): Mention[] =>
  tenant.staff.map(({ name, email }) => ({ kind: 'user', id: ids.users.get(email)!, name }))

/** Inserts the mentions of a message; those older than two days are marked as seen. */
async function mention({ db, now }: Scope, messageId: string, userIds: readonly number[], at: number): Promise<void> {
  const seenAt = now - at > 48 * HOUR ? new Date(at) : null
  await sql`insert into mentions (tenant_id, message_id, user_id, ticket_id, message_at, message_seq, seen_at)
    select m.tenant_id, m.id, u.id, m.ticket_id, m.timestamp, m.seq, ${seenAt}
    from messages m, unnest(${[...userIds]}::bigint[]) as u (id) where m.id = ${messageId}`.execute(db)
}

/** Adds an entry's rows to those of its conversation; the id of its message, null for an event. */
async function seedEntry(scope: Scope, entry: Entry, at: number, target: Target): Promise<string | null> {
  const { tenantId, ids } = scope
  if (entry.from === 'event') {
    const { event } = entry
    await log(
      scope,
      target.ticketId,
      event.type,
      ids.users.get(event.by)!,
      at,
      'queue' in event && event.queue ? ids.queues.get(event.queue)! : null,
    )
    return null
  }
  const id = uuidv7(at)
  const status = statusOf(entry)
  const fromContact = entry.from === 'contact'
  const written = entry.from === 'note' ? null : entry
  const author = entry.from === 'note' ? entry.by : fromContact ? null : entry.from
  const fileId = written?.media ? await storeFile(scope, written.media.file, written.media.name) : null
  const text = entry.from === 'note' ? entry.text : (written?.text ?? written?.media?.caption ?? '')
  const named = entry.from === 'note' ? mentionedIn(text, colleagues(scope)) : []
  const userIds = named.map((one) => one.id).filter((one) => one !== ids.users.get(author!))
  target.rows.messages.push({
    tenant_id: tenantId,
    id,
    ticket_id: target.ticketId,
    contact_id: target.contactId,
    connection_id: target.connectionId,
    conversation_key: target.conversationKey,
    provider_id: entry.from === 'note' ? null : id,
    from_me: !fromContact,
    is_note: entry.from === 'note',
    user_id: author ? ids.users.get(author)! : null,
    media_type: typeOf(entry),
    body: dated(text, at),
    file_id: fileId,
    data: named.length > 0 ? JSON.stringify({ mentions: { named, userIds } }) : null,
    quoted_id: written?.quote === undefined ? null : (target.written[written.quote] ?? null),
    reaction: written && !fromContact ? (written.reaction ?? null) : null,
    reaction_from_me: written && fromContact ? (written.reaction ?? null) : null,
    status,
    error_code: status === 'failed' ? 'ERR_SENDING_WAPP_MSG' : null,
    timestamp: new Date(at),
    created_at: new Date(at),
  })
  if (userIds.length > 0) target.rows.mentions.push({ messageId: id, userIds, at })
  const steps = author && entry.from !== 'note' ? trailOf(status, at) : []
  for (const [step, when, detail] of steps)
    target.rows.message_trail.push({ tenant_id: tenantId, message_id: id, step, at: when, detail })
  if (target.phoneId !== null && entry.from !== 'note') {
    target.rows.lab_messages.push({
      tenant_id: tenantId,
      id,
      phone_id: target.phoneId,
      provider_id: id,
      from_phone: fromContact,
      media_type: typeOf(entry),
      body: dated(text, at),
      file_id: fileId,
      status: fromContact ? 'read' : 'received',
      timestamp: new Date(at),
    })
  }
  return id
}

const statusOf = (entry: Entry): string => {
  if (entry.from === 'contact') return 'received'
  if (entry.from === 'note' || entry.from === 'event') return 'sent'
  return entry.status ?? 'read'
}

/** Returns the trail of a message of the team up to its status, as sending and the channel's receipts write it. */
function trailOf(status: string, at: number): [step: string, at: Date, detail: string][] {
  const reached = ['sent', 'delivered', 'read'].indexOf(status)
  if (reached < 0 && status !== 'failed') return []
  const receipts = (['sent', 'delivered', 'read'] as const).slice(0, reached + 1)
  const later = { sent: 900, delivered: 2_100, read: 48_000 }
  return [
    ['accepted', new Date(at), '{}'],
    ['attempt', new Date(at + 150), '{"attempt":1}'],
    ...receipts.map((step): [string, Date, string] => [step, new Date(at + later[step]), '{}']),
    ...(status === 'failed'
      ? [['failed', new Date(at + 900), '{"reason":"ERR_SENDING_WAPP_MSG"}'] as [string, Date, string]]
      : []),
  ]
}

const typeOf = (entry: Entry): MessageType => {
  if (entry.from === 'note') return 'note'
  return entry.from !== 'event' && entry.media ? demoMedia[entry.media.file].kind : 'text'
}

const preview = (entry: Entry, at: number): string =>
  entry.from === 'event' || entry.from === 'note'
    ? ''
    : previewOf({
        type: typeOf(entry),
        body: dated(entry.text ?? entry.media?.caption ?? '', at),
        mediaName: entry.media?.name ?? null,
      })

async function log(
  { db, tenantId }: Scope,
  ticketId: number,
  type: string,
  userId: number | null,
  at: number,
  queueId: number | null = null,
): Promise<void> {
  await db
    .insertInto('ticket_logs')
    .values({
      tenant_id: tenantId,
      ticket_id: ticketId,
      type,
      user_id: userId,
      queue_id: queueId,
      created_at: new Date(at),
    })
    .execute()
}
