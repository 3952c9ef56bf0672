import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { NoteMentions } from '#domain/messages/mentions.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Returns ids of active users whose name contains a text, by name. */
export async function findColleagues(db: Queryable, text: string, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_active', '=', true)
    .where(sql<boolean>`strpos(lower(name), lower(${text})) > 0`)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Active team with its members. */
export type TeamRecord = { id: number; name: string; member_ids: number[] }

/** Returns active teams with their members, by name: those with these ids, or whose name contains a text. */
export async function findTeams(
  db: Queryable,
  { ids, text = '', limit }: { ids?: readonly number[]; text?: string; limit: number },
): Promise<TeamRecord[]> {
  const { rows } = await sql<TeamRecord>`
    select t.id, t.name, array(select m.user_id from team_members m
      where m.tenant_id = t.tenant_id and m.team_id = t.id order by m.user_id) as member_ids
    from teams t
    where t.is_active and strpos(lower(t.name), lower(${text})) > 0 and ${ids ? sql`t.id = any(${[...ids]}::bigint[])` : sql`true`}
    order by t.name, t.id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Replaces the people whom a note mentions; returns those added and removed. */
export async function replaceMentions(
  db: Tx,
  messageId: string,
  userIds: readonly number[],
): Promise<{ added: number[]; removed: number[] }> {
  const ids = sql`${[...userIds]}::bigint[]`
  const { rows: removed } = await sql<{ user_id: number }>`
    delete from mentions where message_id = ${messageId} and user_id <> all(${ids}) returning user_id`.execute(db)
  const { rows: added } = await sql<{ user_id: number }>`
    insert into mentions (tenant_id, message_id, user_id, ticket_id, message_at, message_seq)
    select m.tenant_id, m.id, u.id, m.ticket_id, m.timestamp, m.seq from messages m, users u
    where m.tenant_id = app.tenant() and m.id = ${messageId} and u.tenant_id = app.tenant() and u.id = any(${ids}) order by u.id
    on conflict do nothing returning user_id`.execute(db)
  return { added: added.map((row) => row.user_id), removed: removed.map((row) => row.user_id) }
}

/** Stores a note's mentions with it; null: none. */
export async function saveMentions(db: Tx, messageId: string, mentions: NoteMentions | null): Promise<void> {
  await db
    .updateTable('messages')
    .set({ data: mentions && JSON.stringify({ mentions }) })
    .where('id', '=', messageId)
    .execute()
}

/** Moves notifications of a note that no longer mentions these people to their next unseen mention. */
export async function withdrawNotifications(
  db: Tx,
  messageId: string,
  { ticketId, userIds }: { ticketId: number; userIds: readonly number[] },
): Promise<void> {
  await sql`
    update notifications n set mentions = greatest(n.mentions - 1, 0),
      message_id = case when n.message_id = ${messageId} then (select m.message_id from mentions m
        where m.tenant_id = n.tenant_id and m.user_id = n.user_id and m.ticket_id = n.ticket_id and m.seen_at is null
        order by m.message_at, m.message_seq limit 1) else n.message_id end
    where n.ticket_id = ${ticketId} and n.user_id = any(${[...userIds]}::bigint[])`.execute(db)
}

/** User's mention, with its line; `position` is its note's time in microseconds. */
export type MentionRecord = {
  message_id: string
  message_seq: number
  ticket_id: number
  contact_id: number
  contact_name: string
  profile_pic_file: string | null
  channel: string
  by_name: string | null
  text: string
  at: Date
  is_seen: boolean
  position: number
}

type Own = { userId: number; visible: RawBuilder<SqlBool> }

/** Returns a page of a person's mentions in the tickets that the condition selects, newest first. */
export async function listMentions(
  db: Queryable,
  { userId, visible }: Own,
  { after, offset, limit }: PageStart<[number, number]>,
): Promise<MentionRecord[]> {
  const behind = after
    ? sql`and (n.message_at, n.message_seq) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::bigint)`
    : sql``
  const { rows } = await sql<MentionRecord>`
    select n.message_id, n.message_seq, n.ticket_id, tickets.contact_id, c.name as contact_name, c.profile_pic_file, tickets.channel,
      u.name as by_name, m.body as text, m.timestamp as at, n.seen_at is not null as is_seen,
      (extract(epoch from n.message_at) * 1000000)::bigint as position
    from mentions n
    join tickets on tickets.tenant_id = n.tenant_id and tickets.id = n.ticket_id
    join messages m on m.tenant_id = n.tenant_id and m.id = n.message_id
    join contacts c on c.tenant_id = n.tenant_id and c.id = tickets.contact_id
    left join users u on u.tenant_id = n.tenant_id and u.id = m.user_id
    where n.tenant_id = app.tenant() and n.user_id = ${userId} and ${visible} ${behind}
    order by n.message_at desc, n.message_seq desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db)
  return rows
}

/** Counts a person's unseen mentions up to `most`, and returns whether there are any mentions at all. */
export async function countMentions(
  db: Queryable,
  { userId, visible }: Own,
  most: number,
): Promise<{ unseen: number; any: boolean }> {
  const own = sql`from mentions n join tickets on tickets.tenant_id = n.tenant_id and tickets.id = n.ticket_id
    where n.tenant_id = app.tenant() and n.user_id = ${userId} and ${visible}`
  const { rows } = await sql<{ unseen: number; any: boolean }>`
    select (select count(*)::int from (select ${own} and n.seen_at is null limit ${sql.lit(most)}) counted) as unseen,
      exists (select ${own}) as "any"`.execute(db)
  return firstOf(rows)
}

/** Marks a mention as seen; undefined if there is none, false if it was seen before. */
export async function seeMention(
  db: Tx,
  { userId, messageId, now }: { userId: number; messageId: string; now: Date },
): Promise<{ ticketId: number; isNew: boolean } | undefined> {
  const { rows } = await sql<{ ticketId: number; isNew: boolean }>`
    with one as (select ticket_id, seen_at from mentions where user_id = ${userId} and message_id = ${messageId} for update),
      changed as (update mentions set seen_at = ${now} where user_id = ${userId} and message_id = ${messageId} and seen_at is null)
    select ticket_id as "ticketId", seen_at is null as "isNew" from one`.execute(db)
  return rows[0]
}
