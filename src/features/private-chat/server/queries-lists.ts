import { type RawBuilder, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { containing } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'
import type { PrivateRow } from './queries.ts'

/** Maximum number of unread messages counted per conversation. */
const MOST_UNREAD = 1000

/** Row of a conversation in lists; `lastMs`: time of the last message, 0 without one. */
export type ListedRow = {
  readonly id: number
  readonly name: string
  readonly sortName: string
  readonly isOnline: boolean
  readonly isMember: boolean
  readonly lastMs: number
  readonly unreadCount: number
  readonly last: {
    text: string
    mediaType: PrivateRow['mediaType']
    mediaName: string | null
    isDeleted: boolean
    senderId: number
  } | null
}

/** Sort key of conversations: the latest message first, then name. */
export type ListKey = [number, string, number]

/** SQL expression for the number of unread messages in conversation `c`: messages of others that were not deleted. */
const unreadOf = (userId: number): RawBuilder<number> => sql<number>`(select count(*) from (
  select from private_messages m
  where m.tenant_id = app.tenant() and m.conversation = c.conversation and m.sender_id <> ${userId} and m.deleted_at is null
    and (m.sent_at, m.id) > (coalesce(c.read_at, '-infinity'), coalesce(c.read_id, '00000000-0000-0000-0000-000000000000'))
    and (m.group_id is null or exists (select from team_periods p where p.tenant_id = m.tenant_id and p.team_id = m.group_id
      and p.user_id = ${userId} and p.began_at <= m.sent_at and (p.ended_at is null or p.ended_at >= m.sent_at)))
  limit ${sql.lit(MOST_UNREAD)}) unread)`

const lastOf = sql`(select jsonb_build_object('text', m.body, 'mediaType', m.media_type, 'isDeleted', m.deleted_at is not null,
    'senderId', m.sender_id, 'mediaName', (select name from files f where f.tenant_id = m.tenant_id and f.id = m.file_id))
  from private_messages m where m.tenant_id = app.tenant() and m.conversation = c.conversation and m.sent_at <= c.last_at
  order by m.sent_at desc, m.id desc limit 1)`

const paged = (
  rows: RawBuilder<unknown>,
  userId: number,
  { after, offset, limit }: PageStart<ListKey>,
) => sql<ListedRow>`
  with listed as (${rows}),
  c as materialized (
    select * from (select l.*, coalesce(round(extract(epoch from l.last_at) * 1000), 0)::bigint as "lastMs" from listed l) one
    where ${
      after
        ? sql`("lastMs" < ${after[0]} or ("lastMs" = ${after[0]} and ("sortName", id) > (${after[1]}::text, ${after[2]}::bigint)))`
        : sql`true`
    }
    order by "lastMs" desc, "sortName", id limit ${limit} offset ${offset})
  select id, name, "sortName", "isOnline", "isMember", "lastMs", ${unreadOf(userId)}::int as "unreadCount", ${lastOf} as last
  from c order by "lastMs" desc, "sortName", id`

type Wanted = { readonly userId: number; readonly search: string | undefined }

const colleagues = ({ userId, search }: Wanted) => sql`
  select u.id, u.name, app.fold(u.name) as "sortName", u.is_online as "isOnline", u.is_active as "isMember",
    p.conversation, p.last_at, p.read_at, p.read_id
  from users u
  left join private_positions p on p.tenant_id = u.tenant_id and p.user_id = ${userId} and p.peer_id = u.id
  where u.tenant_id = app.tenant() and u.id <> ${userId} and (u.is_active or p.last_at is not null)
    and ${containing('u.name', search)}`

const groups = ({ userId, search }: Wanted) => sql`
  select * from (
    select g.team_id as id, coalesce(t.name, g.name) as name, app.fold(coalesce(t.name, g.name)) as "sortName",
      exists (select from team_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        where m.tenant_id = app.tenant() and m.team_id = g.team_id and u.id <> ${userId} and u.is_active and u.is_online) as "isOnline",
      g.is_member and coalesce(t.is_active, false) as "isMember", 'g:' || g.team_id as conversation,
      (select m.sent_at from private_messages m where m.tenant_id = app.tenant() and m.conversation = 'g:' || g.team_id
        and exists (select from team_periods p where p.tenant_id = m.tenant_id and p.team_id = m.group_id and p.user_id = ${userId}
          and p.began_at <= m.sent_at and (p.ended_at is null or p.ended_at >= m.sent_at))
        order by m.sent_at desc, m.id desc limit 1) as last_at,
      o.read_at, o.read_id
    from (select team_id, max(team_name) as name, bool_or(ended_at is null) as is_member from team_periods
      where tenant_id = app.tenant() and user_id = ${userId} group by team_id) g
    left join teams t on t.tenant_id = app.tenant() and t.id = g.team_id
    left join private_positions o on o.tenant_id = app.tenant() and o.user_id = ${userId} and o.conversation = 'g:' || g.team_id
  ) mine
  where (mine."isMember" or mine.last_at is not null) and mine.name is not null and ${containing('mine.name', search)}`

/** Returns a page of the user's colleagues as conversations, latest first. */
export const listColleagues = async (db: Queryable, wanted: Wanted, start: PageStart<ListKey>): Promise<ListedRow[]> =>
  (await paged(colleagues(wanted), wanted.userId, start).execute(db)).rows

/** Returns a page of the user's teams as conversations, latest first. */
export const listGroups = async (db: Queryable, wanted: Wanted, start: PageStart<ListKey>): Promise<ListedRow[]> =>
  (await paged(groups(wanted), wanted.userId, start).execute(db)).rows

const counted = async (db: Queryable, rows: RawBuilder<unknown>, most: number): Promise<number> => {
  const found = await sql<{
    n: number
  }>`select count(*)::int as n from (select from (${rows}) l limit ${most}) counted`.execute(db)
  return firstOf(found.rows).n
}

/** Counts the listed colleagues, up to `most`. */
export const countColleagues = (db: Queryable, wanted: Wanted, most: number) => counted(db, colleagues(wanted), most)

/** Counts the listed teams, up to `most`. */
export const countGroups = (db: Queryable, wanted: Wanted, most: number) => counted(db, groups(wanted), most)

/** Conversation with its number of unread messages. */
export type UnreadRow = { readonly peerId: number | null; readonly groupId: number | null; readonly unread: number }

/** Returns a user's conversations with unread messages. */
export async function listUnread(db: Queryable | Tx, userId: number): Promise<UnreadRow[]> {
  const { rows } = await sql<UnreadRow>`
    with c as (
      select conversation, peer_id, null::bigint as group_id, read_at, read_id from private_positions
      where tenant_id = app.tenant() and user_id = ${userId} and peer_id is not null
      union all
      select 'g:' || g.team_id, null, g.team_id, o.read_at, o.read_id
      from (select distinct team_id from team_periods where tenant_id = app.tenant() and user_id = ${userId}) g
      left join private_positions o on o.tenant_id = app.tenant() and o.user_id = ${userId} and o.conversation = 'g:' || g.team_id)
    select * from (select peer_id as "peerId", group_id as "groupId", ${unreadOf(userId)}::int as unread from c) all_of
    where unread > 0 order by 1, 2`.execute(db)
  return rows
}

/** Finds a colleague: the name, whether they are active and online, and whether messages exist. */
export async function findColleague(db: Queryable, userId: number, id: number) {
  const { rows } = await sql<{ name: string; isActive: boolean; isOnline: boolean; isKnown: boolean }>`
    select u.name, u.is_active as "isActive", u.is_online as "isOnline", exists (select from private_positions p
      where p.tenant_id = u.tenant_id and p.user_id = ${userId} and p.peer_id = u.id and p.last_at is not null) as "isKnown"
    from users u where u.tenant_id = app.tenant() and u.id = ${id}`.execute(db)
  return rows[0]
}

/** Finds a team as a user may see it in the private chat; undefined if it does not exist. */
export async function findGroup(db: Queryable, userId: number, id: number) {
  const { rows } = await sql<{ name: string | null; isActive: boolean; isMember: boolean | null; isOnline: boolean }>`
    select coalesce(t.name, g.name) as name, coalesce(t.is_active, false) as "isActive", g.is_member as "isMember",
      exists (select from team_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        where m.tenant_id = app.tenant() and m.team_id = ${id} and u.id <> ${userId} and u.is_active and u.is_online) as "isOnline"
    from (select max(team_name) as name, bool_or(ended_at is null) as is_member from team_periods
      where tenant_id = app.tenant() and team_id = ${id} and user_id = ${userId}) g
    left join teams t on t.tenant_id = app.tenant() and t.id = ${id}`.execute(db)
  const [row] = rows
  return row?.name == null ? undefined : { ...row, name: row.name }
}

/** Locks a user's membership of a team until the end of the transaction; returns false if the user is not a member. */
export async function lockMembership(db: Tx, userId: number, teamId: number): Promise<boolean> {
  const { rows } = await sql`select id from team_periods where tenant_id = app.tenant() and team_id = ${teamId}
    and user_id = ${userId} and ended_at is null for share`.execute(db)
  return rows.length > 0
}
