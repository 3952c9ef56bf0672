import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Send type of the note that a repeated conversation with a flow had a different outcome. */
export const REPLAY_NOTE = 'flowReplay'

type Condition = RawBuilder<SqlBool>

/** Notification of a user on one ticket, with its text; `position` is its time in microseconds. */
export type NotificationRecord = {
  ticket_id: number
  contact_id: number
  contact_name: string
  profile_pic_file: string | null
  channel: string
  mentions: number
  transfers: number
  answers: number
  by_name: string | null
  text: string
  is_late: boolean
  is_replay: boolean
  at: Date
  first_at: Date | null
  is_read: boolean
  followed: 'message' | 'open' | 'pending' | 'closed' | null
  position: number
}

/** Kinds of log lines that followers are notified of. */
const FOLLOWED_LOGS = sql`('open', 'pending', 'closed', 'transfered', 'chatBot', 'autoClose', 'force', 'connectionRemoved')`

/**
 * Time of the last news for a follower of a ticket (`news_at`), and whether it is the customer's message
 * (`is_message`); nothing for others and for its owner. For a row `tickets` with its row `f` of followers.
 */
export const followedNews = (userId: number) => sql`
  select greatest(said.at, moved.at) as news_at, coalesce(said.at >= greatest(said.at, moved.at), false) as is_message
  from (select case when tickets.last_message_received_at > f.created_at then tickets.last_message_received_at end as at) said,
    (select max(l.created_at) as at from ticket_logs l where l.tenant_id = app.tenant() and l.ticket_id = tickets.id
      and l.created_at > f.created_at and l.user_id is distinct from ${userId} and l.type in ${FOLLOWED_LOGS}) moved
  where f.user_id is not null and tickets.user_id is distinct from ${userId}`

// Stored mentions and transfers, own tickets with unread messages, and news of followed tickets; one row per ticket.
// `told`, `asked` and `news_at` say which exist, `told_new`, `asked_new` and `news_new` which are unread.
const concerning = (userId: number, visible: Condition) => sql`
  select *, greatest(case when told then told_at end, case when asked then updated_at end, news_at) as at,
    not (told_new or asked_new or news_new) as is_read
  from (
    select tickets.*, n.mentions, n.transfers, n.by_user_id, n.message_id, n.updated_at as told_at,
      coalesce(n.mentions + n.transfers > 0, false) as told,
      coalesce(n.mentions + n.transfers > 0 and (n.read_at is null or n.read_at < n.updated_at), false) as told_new,
      tickets.user_id is not distinct from ${userId} and tickets.unread_messages > 0 as asked,
      tickets.user_id is not distinct from ${userId} and tickets.unread_messages > 0
        and (n.read_at is null or n.read_at < tickets.updated_at) as asked_new,
      news.news_at, news.is_message,
      coalesce(news.news_at > greatest(n.read_at, (select p.read_at from reading_positions p
        where p.tenant_id = app.tenant() and p.user_id = ${userId} and p.ticket_id = tickets.id), f.created_at), false) as news_new
    from (
      select ticket_id from notifications where user_id = ${userId} and mentions + transfers > 0
      union select id from tickets where user_id = ${userId} and unread_messages > 0
      union select ticket_id from ticket_followers where user_id = ${userId}
    ) one
    join tickets on tickets.tenant_id = app.tenant() and tickets.id = one.ticket_id
    left join notifications n on n.tenant_id = app.tenant() and n.user_id = ${userId} and n.ticket_id = one.ticket_id
    left join ticket_followers f on f.tenant_id = app.tenant() and f.user_id = ${userId} and f.ticket_id = one.ticket_id
    left join lateral (
      ${followedNews(userId)}) news on true
    where ${visible}) all_kinds
  where told or asked or news_at is not null`

/** Returns a person's notifications on the tickets that the condition selects, newest first. */
export async function listNotifications(
  db: Queryable,
  { userId, visible }: { userId: number; visible: Condition },
  { after, offset, limit }: PageStart<[number, number]>,
): Promise<NotificationRecord[]> {
  const behind = after
    ? sql`where (at, id) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::bigint)`
    : sql``
  const { rows } = await sql<NotificationRecord>`
    with page as (
      select * from (${concerning(userId, visible)}) mine ${behind}
      order by at desc, id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)})
    select t.id as ticket_id, t.contact_id, c.name as contact_name, c.profile_pic_file, t.channel,
      case when shows_told then t.mentions else 0 end as mentions, case when shows_told then t.transfers else 0 end as transfers,
      case when t.asked then t.unread_messages else 0 end as answers, u.name as by_name,
      coalesce(case when shows_told then m.body end, t.last_message) as text, t.at,
      coalesce(shows_told and m.error_code = 'ERR_SCHEDULE_LATE', false) as is_late,
      coalesce(shows_told and m.send_type = ${REPLAY_NOTE}, false) as is_replay,
      coalesce(case when shows_told then m.timestamp end, answer.timestamp) as first_at, t.is_read,
      case when t.news_at is not null then case when t.is_message then 'message' else t.status end end as followed,
      (extract(epoch from t.at) * 1000000)::bigint as position
    from page t
    cross join lateral (select t.told and (t.told_new or not t.asked) as shows_told) shown
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    left join users u on u.tenant_id = t.tenant_id and u.id = t.by_user_id
    left join messages m on m.tenant_id = t.tenant_id and m.id = t.message_id and not m.is_deleted
    left join lateral (
      select a.timestamp from messages a
      where a.tenant_id = t.tenant_id and a.ticket_id = t.id and not a.from_me and a.sync_time is null and t.asked
      order by a.timestamp desc, a.seq desc offset greatest(least(t.unread_messages, 200), 1) - 1 limit 1) answer on true
    order by t.at desc, t.id desc`.execute(db)
  return rows
}

/** Counts tickets with unread notifications, up to `most`. */
export async function countUnread(
  db: Queryable,
  { userId, visible }: { userId: number; visible: Condition },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (
    select from (${concerning(userId, visible)}) mine where not is_read limit ${sql.lit(most)}) unread`.execute(db)
  return firstOf(rows).n
}

/** User to notify on a ticket, and the user who caused it (null: none). */
export type Concerned = { readonly userId: number; readonly ticketId: number; readonly byUserId: number | null }

/** Cause of a notification. */
export type News = { messageId: string | null; mentions: 0 | 1; transfers: 0 | 1; now: Date }

/** Adds news to the notifications of people on tickets; counts that they have read already restart. */
export async function addNotifications(db: Tx, people: readonly Concerned[], news: News): Promise<void> {
  const { messageId, mentions, transfers, now } = news
  const isOver = sql`n.read_at >= n.updated_at`
  // In a fixed order, so that concurrent writes cannot deadlock.
  await sql`
    insert into notifications as n (tenant_id, user_id, ticket_id, mentions, transfers, by_user_id, message_id, updated_at)
    select app.tenant(), u."userId", u."ticketId", ${mentions}, ${transfers}, u."byUserId", ${messageId}::uuid, ${now}
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as u ("userId" bigint, "ticketId" bigint, "byUserId" bigint)
    order by 2, 3
    on conflict (tenant_id, user_id, ticket_id) do update set
      mentions = excluded.mentions + case when ${isOver} then 0 else n.mentions end,
      transfers = excluded.transfers + case when ${isOver} then 0 else n.transfers end,
      message_id = coalesce(case when ${isOver} then null else n.message_id end, excluded.message_id),
      by_user_id = excluded.by_user_id,
      updated_at = greatest(excluded.updated_at, n.read_at + interval '1 microsecond')`.execute(db)
}

/** Returns the users who were notified on a ticket since a moment. */
export async function notifiedSince(db: Queryable, ticketId: number, since: Date): Promise<Set<number>> {
  const rows = await db
    .selectFrom('notifications')
    .select('user_id')
    .where('ticket_id', '=', ticketId)
    .where('updated_at', '>', since)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

/** Returns the people to notify of scheduled messages that did not go: their authors and the agents of their tickets. */
export async function findLate(
  db: Tx,
  messageIds: readonly string[],
): Promise<{ messageId: string; people: Concerned[] }[]> {
  const { rows } = await sql<{ id: string; ticket_id: number; author: number | null; owner: number | null }>`
    select m.id, m.ticket_id, m.user_id as author, t.user_id as owner
    from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = app.tenant() and m.id = any(${messageIds}::uuid[]) order by m.id`.execute(db)
  return rows.map(({ id, ticket_id: ticketId, author, owner }) => ({
    messageId: id,
    people: [...new Set([author, owner])].flatMap((userId) =>
      userId === null ? [] : [{ userId, ticketId, byUserId: author ?? userId }],
    ),
  }))
}

/** Counts one transfer less on tickets that people were given. */
export async function removeTransfers(db: Tx, given: readonly { ticketId: number; userId: number }[]): Promise<void> {
  await sql`
    update notifications n set transfers = greatest(n.transfers - 1, 0)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g ("userId" bigint, "ticketId" bigint)
    where n.tenant_id = app.tenant() and n.user_id = g."userId" and n.ticket_id = g."ticketId"`.execute(db)
}

/** Marks a person's notifications as read, on one ticket or on all; returns the number of tickets with unread ones. */
export async function readNotifications(db: Tx, userId: number, ticketId: number | null, now: Date): Promise<number> {
  const only = (column: 'id' | 'ticket_id' | 'f.ticket_id') =>
    ticketId === null ? sql`true` : sql`${sql.ref(column)} = ${ticketId}`
  const { rows } = await sql`
    insert into notifications as n (tenant_id, user_id, ticket_id, updated_at, read_at)
    select app.tenant(), ${userId}, ticket_id, ${now}, greatest(${now}, max(changed_at)) from (
      select ticket_id, updated_at as changed_at from notifications
        where user_id = ${userId} and (read_at is null or read_at < updated_at) and ${only('ticket_id')}
      union all
      select id, updated_at from tickets where user_id = ${userId} and unread_messages > 0 and ${only('id')}
        and not exists (select from notifications k
          where k.user_id = ${userId} and k.ticket_id = tickets.id and k.read_at >= tickets.updated_at)
      union all
      select f.ticket_id, t.updated_at from ticket_followers f join tickets t on t.tenant_id = f.tenant_id and t.id = f.ticket_id
        where f.user_id = ${userId} and ${only('f.ticket_id')} and not exists (select from notifications k
          where k.user_id = ${userId} and k.ticket_id = f.ticket_id and k.read_at >= t.updated_at)
    ) news group by ticket_id order by ticket_id
    on conflict (tenant_id, user_id, ticket_id) do update set read_at = excluded.read_at
      where n.read_at is null or n.read_at < excluded.read_at
    returning 1`.execute(db)
  return rows.length
}

/** Marks mentions and transfers as read up to a message: reading a conversation also reads its notes. */
export async function readUpTo(
  db: Tx,
  { userId, ticketId, messageId, now }: { userId: number; ticketId: number; messageId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with target as materialized (select timestamp, seq from messages where tenant_id = app.tenant() and id = ${messageId}),
    told as (update notifications n set read_at = greatest(${now}, n.updated_at)
      where n.user_id = ${userId} and n.ticket_id = ${ticketId} and (n.read_at is null or n.read_at < n.updated_at)
        and not exists (select from messages m, target where m.tenant_id = n.tenant_id and m.id = n.message_id
          and (m.timestamp, m.seq) > (target.timestamp, target.seq)) returning 1),
    seen as (update mentions n set seen_at = ${now} from target
      where n.user_id = ${userId} and n.ticket_id = ${ticketId} and n.seen_at is null
        and (n.message_at, n.message_seq) <= (target.timestamp, target.seq) returning 1)
    select exists (select from told) or exists (select from seen) as "isNew"`.execute(db)
  return firstOf(rows).isNew
}
