import { type RawBuilder, sql } from 'kysely'
import type { Language } from '#domain/webchat/languages.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { VisitField } from '../forms.ts'

/** Value of `connections.config` for a webchat; the proof's secret is encrypted, its last characters are not. */
export type StoredChannel = {
  token: string
  look: unknown
  domains: string[]
  requiresProof: boolean
  proof?: { sealed: string; hint: string }
  /** Missing in configurations stored before these settings existed. */
  form?: unknown
  absent?: unknown
  openings?: unknown
  mails?: boolean
}

/** Form answers of a visitor, and the consent text that they accepted ('': none). */
export type Introduction = {
  readonly answers: Readonly<Record<VisitField, string>>
  readonly consent: string
}

const channels = (db: Queryable) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'queue_id', 'config'])
    .where('type', '=', 'webchat')
    .where('is_deleted', '=', false)

/** Returns the company's webchat channels, oldest first. */
export const listChannels = (db: Queryable) => channels(db).orderBy('id').execute()

/** Finds one webchat channel. */
export const findChannel = (db: Queryable, id: number) => channels(db).where('id', '=', id).executeTakeFirst()

/** Whether any team member is online. */
export const isTeamOnline = async (db: Queryable): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('is_online', '=', true)
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Data about a visitor from their page; empty, or no language, if unknown. */
export type Seen = { name: string; page: string; language: Language | undefined }

/** Stores a visitor. */
export async function insertVisitor(
  db: Tx,
  row: { id: string; connectionId: number; tokenHash: Buffer } & Seen,
): Promise<void> {
  await db
    .insertInto('webchat_visitors')
    .values({
      tenant_id: sql`app.tenant()`,
      id: row.id,
      connection_id: row.connectionId,
      token_hash: row.tokenHash,
      name: row.name,
      page: row.page,
      ...(row.language && { language: row.language }),
    })
    .execute()
}

/** Records a visitor's return, with the data from the page. */
export async function touchVisitor(db: Tx, id: string, seen: Seen): Promise<void> {
  const known = Object.fromEntries(Object.entries(seen).filter(([, value]) => value))
  await db
    .updateTable('webchat_visitors')
    .set({ last_seen_at: sql`app.now()`, ...known })
    .where('id', '=', id)
    .execute()
}

/** Stores a visitor's form answers and the time of consent. */
export async function introduceVisitor(db: Tx, id: string, { answers, consent }: Introduction): Promise<void> {
  await sql`update webchat_visitors set form = ${JSON.stringify(answers)}::jsonb, name = coalesce(nullif(${answers.name}, ''), name),
      consent = ${consent}, consented_at = case when ${consent} <> '' then app.now() end
    where id = ${id}`.execute(db)
}

/** Finds a visitor, with their own data and the contact created by the first message. */
export async function findVisitor(db: Queryable, id: string) {
  const { rows } = await sql<{
    name: string
    contactId: number | null
    form: Partial<Introduction['answers']>
    consent: string
    consentedAt: Date | null
    language: Language
  }>`
    select v.name, v.form, v.language, v.consent, v.consented_at as "consentedAt", coalesce(c.merged_into, c.id) as "contactId"
    from webchat_visitors v
    left join contact_identities i on i.tenant_id = v.tenant_id and i.channel = 'webchat' and i.identity = v.id::text
    left join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
    where v.id = ${id}`.execute(db)
  return rows[0]
}

/** Whether a visitor already belongs to a proven reader; requires platform database access. */
export const isClaimed = async (db: Tx, kind: string, tenantId: number, visitorId: string): Promise<boolean> =>
  (await db
    .selectFrom('directory')
    .select('kind')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('subject_id', '=', visitorId)
    .executeTakeFirst()) !== undefined

/** Makes a visitor's conversation a part of another visitor's. */
export async function joinVisitor(db: Tx, id: string, joined: string): Promise<void> {
  await sql`update webchat_visitors set joined = ${joined} where id = ${id}`.execute(db)
}

/** Returns the visitor whose conversation includes this one's, if both are one person; else null. */
export async function joinedBy(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await sql<{ joined: string }>`
    select v.joined from webchat_visitors v where v.id = ${asUuid(sql`${id}::text`)} and v.joined is not null
      and ${isOnePerson}`.execute(db)
  return rows[0]?.joined ?? null
}

/** SQL expression for a conversation's address as a visitor id; null if it is not a UUID. */
export const asUuid = (key: RawBuilder<unknown>) =>
  sql`case when ${key} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${key})::uuid end`

/** Whether an event lies in the journal already. */
export async function isJournaled(db: Queryable, connectionId: number, dedupeKey: string): Promise<boolean> {
  const { rows } = await sql`select from journal_all
    where tenant_id = app.tenant() and connection_id = ${connectionId} and dedupe_key = ${dedupeKey}`.execute(db)
  return rows.length > 0
}

/** Row of a message in a visitor's conversation. */
export type ConversationRow = Conversation & {
  id: string
  providerId: string | null
  fromMe: boolean
  author: string | null
  mediaType: string
  body: string
  fileId: string | null
  fileName: string | null
  fileMime: string | null
  fileSize: number | null
  status: string
  isRead: boolean
  isDeleted: boolean
  timestamp: Date
  seq: number
  data: unknown
  edition: string | null
  reaction: string | null
  reactionFromMe: string | null
  sendType: string
  quotedId: string | null
  quotedFromMe: boolean | null
  quotedAuthor: string | null
  quotedMediaType: string | null
  quotedBody: string | null
  quotedFileName: string | null
  changedAt: string
}

// Notes, team events, scheduled and unsent messages are hidden from visitors, also as quotes.
const isShown = (message: 'm' | 'q') => sql`not ${sql.ref(`${message}.is_note`)}
  and ${sql.ref(`${message}.media_type`)} not in ('note', 'transfer', 'transcription')
  and ${sql.ref(`${message}.status`)} in ('received', 'sent', 'delivered', 'read', 'played')`

// A visitor's own message counts as read when it is not among the ticket's unread ones.
const rowsOf = sql`
  select m.id, m.connection_id as "connectionId", m.conversation_key as "visitorId", m.provider_id as "providerId",
    m.from_me as "fromMe", u.name as author, m.media_type as "mediaType", m.body, f.id as "fileId", f.name as "fileName", f.mime as "fileMime", f.size as "fileSize", m.status,
    m.from_me or t.unread_messages = 0 or (t.unread_messages <= (select count(*) from (
      select from messages n where n.ticket_id = t.id and not n.from_me and (n.timestamp, n.seq) > (m.timestamp, m.seq)
      limit t.unread_messages) later)) as "isRead",
    m.is_deleted as "isDeleted", m.timestamp, m.seq, m.updated_at::text as "changedAt",
    m.data, m.edition, m.reaction, m.reaction_from_me as "reactionFromMe", m.send_type as "sendType",
    q.id as "quotedId", q.from_me as "quotedFromMe", qu.name as "quotedAuthor", q.media_type as "quotedMediaType",
    case when q.is_deleted then '' else q.body end as "quotedBody", case when q.is_deleted then null else qf.name end as "quotedFileName"
  from tickets t
  join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
  left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
  left join messages q on q.tenant_id = m.tenant_id and q.id = m.quoted_id and ${isShown('q')}
    and q.connection_id = m.connection_id and q.conversation_key = m.conversation_key
  left join users qu on qu.tenant_id = q.tenant_id and qu.id = q.user_id
  left join files qf on qf.tenant_id = q.tenant_id and qf.id = q.file_id
  where ${isShown('m')}`

/** Key of a conversation: connection and visitor. */
export type Conversation = { connectionId: number; visitorId: string }

// Messages by a visitor's own address, in any ticket of the person. A proven reader also gets their earlier messages, as long
// as both conversations belong to one person.
const inConversation = ({ connectionId, visitorId }: Conversation) => {
  const person = sql`app.person_at('webchat', ${visitorId}::text)`
  return sql`m.connection_id = ${connectionId} and m.conversation_key = any(array(select ${visitorId}::text union all
    select v.id::text from webchat_visitors v where v.joined = ${visitorId}::uuid and ${isOnePerson}))
    and t.connection_id = ${connectionId} and t.contact_id = any(array(
      select ${person} union all select c.id from contacts c where c.merged_into = ${person}))`
}
const isOnePerson = sql`app.person_at('webchat', v.id::text) = app.person_at('webchat', v.joined::text)`

/** Returns the last messages of a conversation, or those before one; newest first, one more than requested if there are more. */
export async function pageOf(
  db: Queryable,
  conversation: Conversation,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ConversationRow[]> {
  const earlier = before
    ? sql`and (m.timestamp, m.seq) < (select b.timestamp, b.seq from messages b where b.id = ${before})`
    : sql``
  const { rows } = await sql<ConversationRow>`
    ${rowsOf} and ${inConversation(conversation)} ${earlier}
    order by m.timestamp desc, m.seq desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Cursor of changes: a time as text, to the microsecond, and a message id. */
export type ChangeCursor = { changedAt: string; id: string }

/** Returns the first `most` messages of a conversation that were written or changed after a cursor, in the order of changes. */
export async function changedAfter(
  db: Queryable,
  conversation: Conversation,
  { changedAt, id }: ChangeCursor,
  most: number,
): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    ${rowsOf} and ${inConversation(conversation)} and (m.updated_at, m.id) > (${changedAt}::timestamptz, ${id}::uuid)
    order by m.updated_at, m.id limit ${most}`.execute(db)
  return rows
}

/** Finds a message that the visitor of a conversation may see; else undefined. */
export async function findShown(
  db: Queryable,
  conversation: Conversation,
  id: string,
): Promise<ConversationRow | undefined> {
  const { rows } = await sql<ConversationRow>`${rowsOf} and ${inConversation(conversation)} and m.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Finds messages by id. */
export async function messagesById(db: Queryable, ids: readonly string[]): Promise<ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`${rowsOf} and m.id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}

/** Returns the team's messages that the visitor has not read, up to one message and after another, oldest first. */
export async function unreadUpTo(
  db: Queryable,
  conversation: Conversation,
  { upTo, after, most }: { upTo: string; after: string | null; most: number },
): Promise<string[]> {
  const newer = after
    ? sql`and (m.timestamp, m.seq) > (select a.timestamp, a.seq from messages a where a.id = ${after})`
    : sql``
  const { rows } = await sql<{ id: string }>`
    select m.id from tickets t join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
    where ${inConversation(conversation)} and m.from_me and m.status in ('sent', 'delivered')
      and (m.timestamp, m.seq) <= (select b.timestamp, b.seq from messages b where b.id = ${upTo}) ${newer}
    order by m.timestamp, m.seq limit ${most}`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns the last messages of a ticket's visitors that the team has read, newest first. */
export async function ownLast(
  db: Queryable,
  ticketId: number,
): Promise<{ id: string; timestamp: Date; visitorId: string }[]> {
  return db
    .selectFrom('messages')
    .select(['id', 'timestamp', 'conversation_key as visitorId'])
    .where('ticket_id', '=', ticketId)
    .where('from_me', '=', false)
    .orderBy('timestamp', 'desc')
    .limit(50)
    .execute()
}

/**
 * Returns the conversation of a ticket, of several visitors of one person that of the last to write; null if it is not a
 * webchat.
 */
export async function conversationOf(db: Queryable, ticketId: number): Promise<Conversation | null> {
  const row = await db
    .selectFrom('tickets')
    .select(['connection_id', 'conversation_key', 'channel'])
    .where('id', '=', ticketId)
    .executeTakeFirst()
  return row?.channel === 'webchat' ? { connectionId: row.connection_id, visitorId: row.conversation_key } : null
}
