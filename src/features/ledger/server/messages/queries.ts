import { type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { ActType } from '#domain/messages/acts.ts'
import type { Album } from '#domain/messages/album.ts'
import type { MessageData } from '#domain/messages/data.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { MessageSender } from '#domain/messages/sender.ts'
import type { MessageStatus } from '#domain/messages/status.ts'
import { type MessageType, PRIVATE_ANSWER } from '#domain/messages/types.ts'
import { lookUp } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { byKey, groupedBy, lookupsOf, readLookups } from '#server/db/lookups.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'

/** Act of ours that waits, or that the channel refused. */
export type OpenAct = {
  id: string
  type: ActType
  body: string | null
  emoji: string | null
  status: 'pending' | 'failed'
}

/** Message with the data of its bubble: author, file, quote. */
export type MessageRecord = {
  id: string
  seq: number
  ticket_id: number
  contact_id: number
  contact_name: string
  connection_id: number
  conversation_key: string
  provider_id: string | null
  id_front: string | null
  from_me: boolean
  is_note: boolean
  user_id: number | null
  user_name: string | null
  media_type: MessageType
  body: string
  data: MessageData | null
  sender: MessageSender | null
  mentions: MessageMentions | null
  album: Album | null
  file_id: string | null
  file_name: string | null
  file_mime: string | null
  file_size: number | null
  file_path: string | null
  file_width: number | null
  file_height: number | null
  file_duration_ms: number | null
  file_waveform: readonly number[] | null
  quoted_id: string | null
  quoted_body: string | null
  quoted_media_type: MessageType | null
  quoted_from_me: boolean | null
  quoted_file_name: string | null
  quoted_user_name: string | null
  quoted_sender: MessageSender | null
  quoted_provider_id: string | null
  status: MessageStatus
  error_code: string | null
  send_type: string
  is_deleted: boolean
  is_late: boolean
  edition: string | null
  reaction: string | null
  reaction_from_me: string | null
  /** Our acts on it that the channel has not taken yet, or has refused; null: none. */
  acts: readonly OpenAct[] | null
  schedule_date: Date | null
  send_at: Date | null
  sync_time: Date | null
  timestamp: Date
  created_at: Date
  link_card: Card | null
}

type Card = Record<'url' | 'title' | 'description' | 'site', string> & Record<'file_id' | 'file_name', string | null>

type LookedUp =
  | 'link_card'
  | 'contact_name'
  | 'user_name'
  | 'acts'
  | `file_${'name' | 'mime' | 'size' | 'path' | 'width' | 'height' | 'duration_ms' | 'waveform'}`
  | `quoted_${'body' | 'media_type' | 'from_me' | 'file_name' | 'user_name' | 'sender' | 'provider_id'}`
type Row = Omit<MessageRecord, LookedUp> & { link_card_id: number | null }

const COLUMNS: readonly (keyof Row)[] = [
  ...(['id', 'seq', 'ticket_id', 'contact_id', 'connection_id', 'conversation_key', 'provider_id'] as const),
  ...(['id_front', 'from_me', 'is_note', 'user_id', 'media_type', 'body', 'data', 'file_id', 'quoted_id'] as const),
  ...(['status', 'error_code', 'send_type', 'is_deleted', 'is_late', 'edition', 'reaction'] as const),
  ...([
    'reaction_from_me',
    'schedule_date',
    'send_at',
    'sync_time',
    'timestamp',
    'created_at',
    'sender',
    'mentions',
    'album',
    'link_card_id',
  ] as const),
]
const columns = sql.raw(COLUMNS.map((name) => `m.${name}`).join())
/** Columns of `messages` that a page reads: rows are sorted and stored, so unneeded columns would be copied. */
export const pageColumns = sql.raw(COLUMNS.join())

const QUOTED = [
  'id',
  'body',
  'media_type',
  'from_me',
  'file_id',
  'user_id',
  'sender',
  'connection_id',
  'provider_id',
] as const
type Quoted = Pick<Row, (typeof QUOTED)[number]>
type Named = { id: number; name: string }
type Measures = Record<'width' | 'height' | 'duration_ms', number | null>
type File = Measures &
  Record<'id' | 'name' | 'mime' | 'path', string> & { size: number; waveform: readonly number[] | null }
type Lookups = {
  quoted: Quoted[] | null
  contacts: Named[]
  users: Named[] | null
  files: File[] | null
  acts: (OpenAct & { message_id: string })[] | null
  cards: (Card & { id: number })[] | null
}

const known = (table: string, shown: string, ids: string) =>
  `select ${shown} from ${table} where tenant_id = app.tenant() and id = any(array(${ids}))`

const quotes = sql.raw(known('messages', QUOTED.join(), 'select quoted_id from m'))
const shown = {
  quoted: 'select * from q',
  users: known('users', 'id, name', 'select user_id from m union all select user_id from q'),
  files: known(
    'files',
    'id, name, mime, size, path, width, height, duration_ms, waveform',
    'select file_id from m union all select file_id from q',
  ),
  acts: `select message_id, id, type, body, emoji, case status when 'failed' then status else 'pending' end as status from message_acts
    where tenant_id = app.tenant() and message_id = any(array(select id from m)) and status in ('pending', 'queued', 'failed') order by seq`,
  cards: `select c.id, c.url, c.title, c.description, c.site, c.file_id, f.name as file_name from link_cards c
    left join files f on f.tenant_id = c.tenant_id and f.id = c.file_id
    where c.tenant_id = app.tenant() and c.title is not null and c.id = any(array(select link_card_id from m))`,
}
const withLookups = lookupsOf('m', {
  ...shown,
  contacts: `select c.id, case when c.merged_into is null then c.name
      else (select p.name from contacts p where p.tenant_id = c.tenant_id and p.id = c.merged_into) end as name from contacts c
    where c.tenant_id = app.tenant() and c.id = any(array(select contact_id from m))`,
})
const withPerson = lookupsOf('m', { ...shown, contacts: 'select id, name from person' })

type Around<A> = { person?: RawBuilder<unknown> | undefined; around?: RawBuilder<A> }
/** Row of a page before its lookups are joined. */
export type PageRow<A> = Row & { lookups: (Lookups & { around?: A[] }) | null }

/**
 * Builds the statement of a page of messages. The page is found on its index alone, and lookups are read once, by key;
 * `around` is read beside it and added to each message. Named queries come first; a `person` (id and name) applies to
 * all messages.
 */
export function pageStatement<A>(
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { person, around }: Around<A> = {},
): RawBuilder<PageRow<A>> {
  const lookups = (person ? withPerson : withLookups)(around && { around })
  return sql<PageRow<A>>`
    with ${person ? sql`${person}, ` : sql``}m as materialized (${page}), q as materialized (${quotes})
    select ${columns}, ${lookups} from m order by ${order}`
}

/** Queries a page and reads its messages. */
const records = async <A = undefined>(db: Queryable, ...page: Parameters<typeof pageStatement<A>>) =>
  recordsOf((await pageStatement(...page).execute(db)).rows)

/** Converts a page's rows into messages. */
export function recordsOf<A>(rows: readonly PageRow<A>[]): (MessageRecord & { around: A })[] {
  const found = readLookups(rows)
  const contacts = byKey(found.contacts, 'id')
  const users = byKey(found.users, 'id')
  const files = byKey(found.files, 'id')
  const quoted = byKey(found.quoted, 'id')
  const acts = groupedBy(found.acts, 'message_id')
  const cards = byKey(found.cards, 'id')
  return rows.map((row) => {
    const file = files.get(row.file_id!)
    const quote = quoted.get(row.quoted_id!)
    return {
      ...row,
      around: found.around?.[0] as A,
      contact_name: lookUp(contacts, row.contact_id).name,
      user_name: users.get(row.user_id!)?.name ?? null,
      file_name: file?.name ?? null,
      file_mime: file?.mime ?? null,
      file_size: file?.size ?? null,
      file_path: file?.path ?? null,
      file_width: file?.width ?? null,
      file_height: file?.height ?? null,
      file_duration_ms: file?.duration_ms ?? null,
      file_waveform: file?.waveform ?? null,
      quoted_body: quote?.body ?? null,
      quoted_media_type: quote?.media_type ?? null,
      quoted_from_me: quote?.from_me ?? null,
      quoted_file_name: files.get(quote?.file_id ?? '')?.name ?? null,
      quoted_user_name: users.get(quote?.user_id ?? 0)?.name ?? null,
      quoted_sender: quote?.sender ?? null,
      // Provider ids belong to a connection: one from before the ticket's channel changed is omitted.
      quoted_provider_id: quote?.connection_id === row.connection_id ? quote.provider_id : null,
      acts: acts.get(row.id)?.map(({ message_id: _, ...act }) => act) ?? null,
      link_card: cards.get(row.link_card_id!) ?? null,
    }
  })
}

/** Order by time. */
export const ascending = sql`m.timestamp, m.seq`

/** Condition of messages that are in a conversation: neither waiting nor canceled. */
export const stands = (t: 'm' | 'messages') =>
  sql.raw(`(${t}.send_at is null or (${t}.schedule_date is null and ${t}.status <> 'canceled'))`)

/** Returns messages by id, in order of time. */
export async function findMessages(db: Queryable, ids: readonly string[]): Promise<MessageRecord[]> {
  return records(db, sql`select * from messages where id = any(${ids}::uuid[])`, ascending)
}

/** Returns messages by the browser's own ids, for repeated sends. */
export async function findByIdFront(db: Queryable, idFronts: readonly string[]): Promise<MessageRecord[]> {
  return records(db, sql`select * from messages where id_front = any(${idFronts}::text[])`, sql`m.seq`)
}

/** Returns and locks a message. */
export const lockMessage = async (db: Tx, id: string) => (await lockMessages(db, [id]))[0]

/** Returns and locks messages, in order of id; without those that no longer exist. */
export async function lockMessages(db: Tx, ids: readonly string[]) {
  return db
    .selectFrom('messages')
    .select(['id', 'ticket_id', 'status', 'from_me', 'is_note', 'connection_id', 'conversation_key', 'provider_id'])
    .select(['user_id', 'body', 'schedule_date', 'send_at', 'send_type', 'timestamp'])
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Updates the state of a message. */
export async function updateMessage(
  db: Tx,
  id: string,
  change: Pick<
    Updateable<DB['messages']>,
    | 'status'
    | 'user_id'
    | 'error_code'
    | 'provider_id'
    | 'body'
    | 'data'
    | 'edition'
    | 'schedule_date'
    | 'send_at'
    | 'repeat_from'
  >,
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ ...change, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .execute()
}

/** Adds steps to the trails of messages. */
export async function addTrail(
  db: Tx,
  steps: readonly { messageId: string; step: string; detail?: object }[],
): Promise<void> {
  if (steps.length === 0) return
  await db
    .insertInto('message_trail')
    .values(
      steps.map(({ messageId, step, detail }) => ({
        tenant_id: sql<number>`app.tenant()`,
        message_id: messageId,
        step,
        detail: JSON.stringify(detail ?? {}),
      })),
    )
    .execute()
}

/** Returns the next `limit` trail steps of a message after one, oldest first; `text`: version or emoji of the step. */
export async function trailOf(
  db: Queryable,
  messageId: string,
  after: number,
  limit: number,
): Promise<{ id: number; step: string; detail: object; at: Date; text: string | null }[]> {
  const { rows } = await sql<{ id: number; step: string; detail: object; at: Date; text: string | null }>`
    select t.id, t.step, t.detail, t.at, coalesce(a.body, a.emoji) as text from message_trail t
    left join message_acts a on a.tenant_id = t.tenant_id and a.id = (t.detail ->> 'act')::uuid
    where t.tenant_id = app.tenant() and t.message_id = ${messageId} and t.id > ${after} order by t.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Returns the last number of the tenant's changes feed. */
export async function lastSeq(db: Queryable): Promise<number> {
  return (await db.selectFrom('feed_heads').select('last_seq').executeTakeFirst())?.last_seq ?? 0
}

/** Returns the first number still in the feed; null if it is empty. */
export async function feedTail(db: Queryable): Promise<number | null> {
  return (await db.selectFrom('changes').select('seq').orderBy('seq').limit(1).executeTakeFirst())?.seq ?? null
}

/** Removes trail steps of messages, oldest first, so that it stops at the first young one. */
export const removeTrail: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from message_trail where tenant_id = ${tenantId} and at < ${before} and id in (
      select id from message_trail where tenant_id = ${tenantId} order by id limit ${most})`,
  )

/** Whether a comment has been answered to its author in private, or may have been. */
export async function isAnswered(db: Queryable, commentId: string): Promise<boolean> {
  const answer = await db
    .selectFrom('messages')
    .select('id')
    .where('quoted_id', '=', commentId)
    .where('send_type', '=', PRIVATE_ANSWER)
    .where('status', 'not in', ['failed', 'canceled'])
    .executeTakeFirst()
  return answer !== undefined
}
