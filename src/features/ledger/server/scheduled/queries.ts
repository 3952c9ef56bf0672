import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageType } from '#domain/messages/types.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Message that is due. */
export type DueMessage = {
  id: string
  ticket_id: number
  connection_id: number
  conversation_key: string
  user_id: number | null
  user_name: string | null
  media_type: MessageType
  body: string
  file_id: string | null
  schedule_date: Date | null
  cancel_on_reply: boolean
  repeat: string | null
  repeat_from: Date | null
  /** Whether its connection was removed. */
  is_removed: boolean
}

// A scheduled message waits while its channel is down, and while an unprocessed event may contain the customer's message
// that cancels it.
const mayLeave = (tooLate: Date) => sql`(m.schedule_date is null or m.schedule_date < ${tooLate} or c.is_deleted
  or (c.status = 'CONNECTED' and not (m.cancel_on_reply and exists (
    select from journal j where j.tenant_id = m.tenant_id and j.processed_at is null and j.connection_id = m.connection_id
      and j.payload ->> 'type' = 'message' and app.line_of(j.payload ->> 'conversationKey') = app.line_of(m.conversation_key)))))`

/** Times for due messages: due at `now`; a scheduled one from before `tooLate` is too late. */
type Due = { readonly now: Date; readonly tooLate: Date }

/**
 * Returns the tickets of the next `most` due messages: those just written by people first, then scheduled ones, oldest
 * first, limited per connection to `mostUnsent` released and unsent messages. Messages that are too late do not count, as
 * they are not sent.
 */
export async function ticketsWithDue(
  db: Tx,
  { now, tooLate }: Due,
  { most, mostUnsent }: { most: number; mostUnsent: number },
): Promise<{ id: string; ticketId: number }[]> {
  const { rows } = await sql<{ id: string; ticketId: number }>`
    with undone as (
      select m.id, m.ticket_id, m.send_at, m.seq, false as is_scheduled from messages m
      where m.tenant_id = app.tenant() and m.status = 'pending' and m.send_at <= ${now} and m.schedule_date is null
      order by m.send_at, m.seq limit ${sql.lit(most)}),
    late as (
      select m.id, m.ticket_id, m.send_at, m.seq, true as is_scheduled from messages m
      join connections c on c.tenant_id = m.tenant_id and c.id = m.connection_id
      where m.tenant_id = app.tenant() and m.status = 'pending' and m.send_at <= ${now}
        and (m.schedule_date < ${tooLate} or m.schedule_date is not null and c.is_deleted)
      order by m.send_at, m.seq limit ${sql.lit(most)}),
    scheduled as (
      select d.* from connections c
      cross join lateral (select count(*)::int as unsent from (
        select from messages m where m.tenant_id = c.tenant_id and m.connection_id = c.id and m.from_me
          and m.status in ('pending', 'queued') and m.send_at is null and m.schedule_date is not null limit ${sql.lit(mostUnsent)}) left_already) out
      cross join lateral (
        select m.id, m.ticket_id, m.send_at, m.seq, true as is_scheduled from messages m
        where m.tenant_id = c.tenant_id and m.connection_id = c.id and m.status = 'pending' and m.send_at <= ${now}
          and m.schedule_date >= ${tooLate} and ${mayLeave(tooLate)}
        order by m.send_at, m.seq limit greatest(0, least(${sql.lit(most)}, ${sql.lit(mostUnsent)} - out.unsent))) d
      where c.tenant_id = app.tenant() and c.status = 'CONNECTED' and not c.is_deleted)
    select id, ticket_id as "ticketId" from (select * from undone union all select * from late union all select * from scheduled) due
    order by is_scheduled, send_at, seq limit ${sql.lit(most)}`.execute(db)
  return rows
}

/** Locks those of the messages that still wait, without those canceled or postponed meanwhile. */
export async function lockWaiting(db: Tx, ids: readonly string[], until: Date | null = null): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select m.id, m.ticket_id, m.connection_id, m.conversation_key, m.user_id, u.name as user_name, m.media_type, m.body, m.file_id,
      m.schedule_date, m.cancel_on_reply, m.repeat, m.repeat_from, c.is_deleted as is_removed
    from messages m
    join connections c on c.tenant_id = m.tenant_id and c.id = m.connection_id
    left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where m.tenant_id = app.tenant() and m.id = any(${ids}::uuid[]) and m.status = 'pending' and m.send_at is not null
      ${until ? sql`and m.send_at <= ${until}` : sql``}
    order by m.send_at, m.seq for update of m`.execute(db)
  return rows
}

/** Result of a message that waited: sent with this text, or not sent, with the reason; its time in epoch ms. */
type Placed = {
  readonly id: string
  readonly timestamp: number
  readonly status: 'pending' | 'canceled' | 'failed'
  readonly body?: string
  readonly errorCode: string | null
}

/** Gives waiting messages their places in their conversations, with time, status and text. */
export async function releaseRows(db: Tx, placed: readonly Placed[]): Promise<void> {
  await sql`
    update messages m set send_at = null, timestamp = to_timestamp(p.timestamp / 1000.0), status = p.status,
      body = coalesce(p.body, m.body), error_code = p."errorCode", updated_at = app.now()
    from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as p (id uuid, timestamp double precision, status text, body text, "errorCode" text)
    where m.tenant_id = app.tenant() and m.id = p.id and m.id = any(${placed.map(({ id }) => id)}::uuid[])`.execute(db)
}

type Conversation = { readonly id: number; readonly connection_id: number; readonly conversation_key: string }

const conversations = (tickets: readonly Conversation[]) => {
  const spelled = tickets.map(({ id, connection_id, conversation_key }) => {
    return { id, connectionId: connection_id, key: conversation_key, spellings: spellingsOf(conversation_key) }
  })
  return {
    rows: sql`jsonb_to_recordset(${JSON.stringify(spelled)}::jsonb) as k (id bigint, "connectionId" bigint, key text, spellings text[])`,
    // The same conditions as plain lists, so that the index of waiting messages is used.
    where: sql`m.tenant_id = app.tenant() and m.from_me and m.status in ('pending', 'queued') and m.status = 'pending'
      and m.connection_id = any(${spelled.map(({ connectionId }) => connectionId)}::bigint[])
      and m.conversation_key = any(${spelled.flatMap(({ spellings }) => spellings)}::text[])
      and m.connection_id = k."connectionId" and m.conversation_key = any(k.spellings)
      and m.send_at is not null and m.schedule_date is not null`,
  }
}

/** Whether a scheduled message in these conversations is cancelled when the customer writes. */
export async function awaitsReply(db: Tx, keys: readonly { connectionId: number; key: string }[]): Promise<boolean> {
  const { rows } = await sql`select from messages
    where tenant_id = app.tenant() and from_me and status in ('pending', 'queued') and send_at is not null and cancel_on_reply
      and connection_id = any(${keys.map(({ connectionId }) => connectionId)}::bigint[])
      and conversation_key = any(${keys.flatMap(({ key }) => spellingsOf(key))}::text[]) limit 1`.execute(db)
  return rows.length > 0
}

/** Cancels scheduled messages with `cancel_on_reply` in tickets whose customers have written; returns them with their tickets. */
export async function cancelAnswered(
  db: Tx,
  tickets: readonly Conversation[],
  now: Date,
): Promise<{ id: string; ticketId: number }[]> {
  const { rows: matching, where } = conversations(tickets)
  const { rows } = await sql<{ id: string; ticketId: number }>`
    update messages m set status = 'canceled', error_code = 'ERR_SCHEDULE_ANSWERED', send_at = null, ticket_id = k.id,
      timestamp = ${now}, updated_at = ${now}
    from ${matching} where ${where} and m.cancel_on_reply
    returning m.id, k.id as "ticketId"`.execute(db)
  return rows
}

/** Moves waiting messages of conversations into the tickets in which they continue. */
export async function moveSchedules(db: Tx, tickets: readonly Conversation[]): Promise<void> {
  const { rows: matching, where } = conversations(tickets)
  await sql`update messages m set ticket_id = k.id, conversation_key = k.key from ${matching}
    where ${where} and m.ticket_id <> k.id`.execute(db)
}

/** Returns the newest ticket of a conversation without a live one. */
export async function lastTicket(
  db: Queryable,
  connectionId: number,
  conversationKey: string,
): Promise<{ id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`select id from tickets
    where tenant_id = app.tenant() and connection_id = ${connectionId} and conversation_key = any(${spellingsOf(conversationKey)}::text[])
    order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Whether a message has taken its place in its conversation and become its last message. */
export async function isPlaced(db: Queryable, messageId: string): Promise<boolean> {
  const { rows } = await sql`select from message_trail
    where tenant_id = app.tenant() and message_id = ${messageId} and step = 'accepted' limit 1`.execute(db)
  return rows.length > 0
}

/** Filter of scheduled messages; days are of `zone`. */
export type ScheduledFilter = {
  readonly visible: RawBuilder<SqlBool>
  readonly ticketId: number | undefined
  readonly contactId: number | undefined
  readonly past: boolean
  readonly user: number | undefined
  readonly whatsappId: number | undefined
  /** `few`: ids of the matching messages, from `findFew`. */
  readonly search: { readonly text: string; readonly names: boolean; readonly few: readonly string[] | null } | null
  readonly from: string | undefined
  readonly to: string | undefined
  readonly zone: string
}

function narrowed({
  ticketId,
  contactId,
  user,
  whatsappId,
  search,
  from,
  to,
  zone,
}: ScheduledFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (ticketId !== undefined) all.push(sql`m.ticket_id = ${ticketId}`)
  if (contactId !== undefined)
    all.push(sql`m.ticket_id = any(array(select id from tickets where contact_id = ${contactId}))`)
  if (user !== undefined) all.push(sql`m.user_id = ${user}`)
  if (whatsappId !== undefined) all.push(sql`m.connection_id = ${whatsappId}`)
  if (from) all.push(sql`m.schedule_date >= (${from}::timestamp at time zone ${zone})`)
  if (to) all.push(sql`m.schedule_date < ((${to}::date + 1)::timestamp at time zone ${zone})`)
  if (search?.few) all.push(sql`m.id = any(${search.few}::uuid[])`)
  if (search) {
    const pattern = sql`app.fold(${patternOf(search.text)})`
    const byName = sql`or (select c.search_text like ${pattern} from contacts c
      where c.tenant_id = m.tenant_id and c.id = m.contact_id)`
    all.push(sql`(app.fold(m.body) like ${pattern} ${search.names ? byName : sql``})`)
  }
  return sql.join(all, sql` and `)
}

const waits = sql`m.status = 'pending' and m.send_at is not null`

/** SQL condition for messages that are or were scheduled. */
export const SCHEDULED = sql<SqlBool>`m.schedule_date is not null`

const isScheduled = (filter: ScheduledFilter) => sql`${SCHEDULED} and ${narrowed(filter)}
  and exists (select from tickets where tickets.tenant_id = m.tenant_id and tickets.id = m.ticket_id and ${filter.visible} offset 0)`

/** Returns the number of waiting scheduled messages in visible tickets. */
export async function countWaiting(db: Queryable, filter: ScheduledFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from messages m
    where m.tenant_id = app.tenant() and ${waits} and ${isScheduled(filter)}`.execute(db)
  return firstOf(rows).n
}

/** Returns scheduled messages of visible tickets, next first (`past`: due ones, newest first); `dueAt` in microseconds. */
export async function listScheduled(
  db: Queryable,
  filter: ScheduledFilter,
  { after, offset, limit }: PageStart<[number, number]>,
): Promise<{ id: string; seq: number; dueAt: number; cancel_on_reply: boolean; repeat: string | null }[]> {
  const { past } = filter
  const [at, way, beyond] = past ? [sql`m.schedule_date`, sql`desc`, sql`<`] : [sql`m.send_at`, sql`asc`, sql`>`]
  const behind = after
    ? sql`and (${at}, m.seq) ${beyond} (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::bigint)`
    : sql``
  const state = past ? sql`(m.send_at is null or m.status <> 'pending')` : waits
  const { rows } = await sql<{
    id: string
    seq: number
    dueAt: number
    cancel_on_reply: boolean
    repeat: string | null
  }>`
    select m.id, m.seq, (extract(epoch from ${at}) * 1000000)::bigint as "dueAt", m.cancel_on_reply, m.repeat
    from messages m
    where m.tenant_id = app.tenant() and ${state} and ${isScheduled(filter)} ${behind}
    order by ${at} ${way}, m.seq ${way} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db)
  return rows
}

/** Returns the companies with due messages; requires platform database access, for recovery. */
export async function tenantsWithDue(db: Tx, until: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select t.id from tenants t where t.status = 'active' and exists (
    select from messages m where m.tenant_id = t.id and m.status = 'pending' and m.send_at <= ${until})`.execute(db)
  return rows.map(({ id }) => id)
}
