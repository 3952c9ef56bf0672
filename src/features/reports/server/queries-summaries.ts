import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'
import type { Condition } from './queries-facts.ts'

/** From one moment until before another. */
type Times = { readonly from: Date; readonly before: Date }
type Columns = Readonly<Record<string, RawBuilder<unknown>>>
/** A row of a summary: its key, its name, and numbers by the keys of its columns. */
type Summed = { key: string; label: string } & Record<string, number | string>

const isAttended = sql`tickets.started_attendance_at >= s.created_at`
/** Which conversations of bots (`s`, of `tickets`) each number counts. */
const BOTS: Columns = {
  sessions: sql`true`,
  ended: sql`s.ended_at is not null`,
  attended: isAttended,
  alone: sql`(tickets.status = 'closed' and (${isAttended}) is not true)`,
}
/** Which recipients (`i`) each number counts: who has read it has got it, and who got it was sent it. */
const RECIPIENTS: Columns = {
  contacts: sql`i.id is not null`,
  sent: sql`i.state in ('sent', 'delivered', 'read', 'uncertain')`,
  delivered: sql`i.state in ('delivered', 'read')`,
  read: sql`i.state = 'read'`,
  replied: sql`i.replied_at is not null`,
  failed: sql`i.state = 'failed'`,
  skipped: sql`i.state = 'skipped'`,
  optedOut: sql`i.opted_out_at is not null`,
}
/** Which time of a person (`p`) each number adds up. */
const PRESENCE: Columns = {
  online: sql`p.online`,
  away: sql`(p.online * p.away)`,
  offline: sql`(p.whole - p.online)`,
}

const counts = (columns: Columns) =>
  sql.join(
    Object.entries(columns).map(([key, where]) => sql`(count(*) filter (where ${where}))::int as ${sql.ref(key)}`),
  )

/** What bots are asked for; `where` is a condition on their tickets. */
export type BotsAsked = Times & { readonly where: Condition }

const sessions = ({ from, before, where }: BotsAsked) => sql`from flow_sessions s
  join chat_flows f on f.tenant_id = s.tenant_id and f.id = s.chat_flow_id
  join tickets on tickets.tenant_id = s.tenant_id and tickets.id = s.ticket_id
  join contacts c on c.tenant_id = tickets.tenant_id and c.id = tickets.contact_id
  where s.created_at >= ${from} and s.created_at < ${before} and ${where}`

/** What bots did with the tickets within a condition, by flow: conversations that began in a time, and how they ended. */
export async function countBots(db: Queryable, asked: BotsAsked): Promise<Summed[]> {
  const { rows } = await sql<Summed>`select f.id::text as key, f.name as label, ${counts(BOTS)} ${sessions(asked)}
    group by f.id, f.name order by count(*) desc, f.name, f.id`.execute(db)
  return rows
}

/** So many dispatches are summed at most, the latest. */
const MOST_DISPATCHES = 500

/** What dispatches are asked for; those of some connections, or of all. */
export type DispatchesAsked = Times & { readonly connections: readonly number[] | undefined }

const dispatches = ({ from, before, connections }: DispatchesAsked) => sql`from (
    select d.* from dispatches d where d.start_at >= ${from} and d.start_at < ${before}
      and ${connections?.length ? sql`d.connection_id = any(${[...connections]}::bigint[])` : sql`true`}
    order by d.start_at desc, d.id desc limit ${MOST_DISPATCHES}) d
  left join dispatch_items i on i.tenant_id = d.tenant_id and i.dispatch_id = d.id`

/** What became of the recipients of dispatches that begin in a time, the latest first. */
export async function countDispatches(
  db: Queryable,
  asked: DispatchesAsked,
): Promise<(Summed & { isCampaign: boolean })[]> {
  const { rows } = await sql<Summed & { isCampaign: boolean }>`
    select d.id::text as key, d.name as label, d.kind = 'campaign' as "isCampaign", ${counts(RECIPIENTS)}
    ${dispatches(asked)} group by d.id, d.name, d.kind, d.start_at order by d.start_at desc, d.id desc`.execute(db)
  return rows as never
}

/** Whose presence is asked for, and over which days; with `by: 'user'` the days are one stretch. */
export type PresenceAsked = {
  readonly by: 'user' | 'day'
  readonly days: readonly { readonly day: string; readonly from: Date; readonly before: Date }[]
  readonly userIds: readonly number[]
  readonly now: Date
}

// Offline counts from when presence was first kept: what was before is not known.
const presence = ({ days, userIds, now }: PresenceAsked) => {
  const all = { from: days[0]!.from, before: days.at(-1)!.before }
  const rows = days.map(
    ({ day, from, before }) => sql`(${day}, tstzrange(${from}::timestamptz, ${before}::timestamptz))`,
  )
  return sql`from (
    select u.id, u.name, coalesce(k.online, '{}') as online, coalesce(k.away, '{}') as away,
      tstzmultirange(tstzrange(begun.at, greatest(begun.at, least(${all.before}::timestamptz, ${now}::timestamptz)))) as whole
    from users u
    cross join lateral (select greatest(u.created_at, ${all.from}::timestamptz,
      (select min(began_at) from presence_periods)) as at) begun
    cross join lateral (select
        range_agg(tstzrange(began_at, coalesce(ended_at, ${now}::timestamptz))) filter (where kind = 'online')
          * tstzmultirange(tstzrange(${all.from}::timestamptz, least(${all.before}::timestamptz, ${now}::timestamptz))) as online,
        range_agg(tstzrange(began_at, ended_at)) filter (where kind = 'away') as away
      from presence_periods p where p.tenant_id = u.tenant_id and p.user_id = u.id and p.began_at < ${all.before}
        and coalesce(p.ended_at, ${now}) >= p.began_at and coalesce(p.ended_at, 'infinity') > ${all.from}) k
    where (u.is_active or k.online is not null) and u.profile <> 'superadmin'
      and ${userIds.length > 0 ? sql`u.id = any(${[...userIds]}::bigint[])` : sql`true`}) p
  cross join lateral (values ${sql.join(rows)}) d (day, range)`
}

/** How long people were online, away and offline, in ms: by person, or by day. */
export async function sumPresence(db: Queryable, asked: PresenceAsked): Promise<Summed[]> {
  const sums = Object.entries(PRESENCE).map(
    ([key, ranges]) => sql`coalesce(sum((select sum(extract(epoch from upper(r) - lower(r)) * 1000)
      from unnest(${ranges} * tstzmultirange(d.range)) r)), 0)::bigint as ${sql.ref(key)}`,
  )
  const of =
    asked.by === 'user'
      ? { key: sql`p.id::text`, label: sql`p.name`, order: sql`min(p.name), 1` }
      : { key: sql`d.day`, label: sql`to_char(d.day::date, 'DD/MM/YYYY')`, order: sql`1` }
  const { rows } = await sql<Summed>`select ${of.key} as key, ${of.label} as label, ${sql.join(sums)}
    ${presence(asked)} group by 1, 2 order by ${of.order}`.execute(db)
  return rows
}

/** One of what makes a number of a summary; `position` is microseconds. */
type DetailRecord = {
  id: string
  name: string
  number: string | null
  state: string
  at: Date
  until: Date | null
  path: string | null
  position: number
}

/** What makes a number: rows as a statement, or null where there is no such column. */
type Detail = { readonly column: string; readonly key: string | undefined }

const columnOf = (columns: Columns, column: string) => (Object.hasOwn(columns, column) ? columns[column]! : null)
const keyIs = (id: RawBuilder<unknown>, key: string | undefined) =>
  key === undefined ? sql`true` : sql`${id} = ${key}`

/** The conversations that a number of bots counts. */
export function botRows(asked: BotsAsked, { column, key }: Detail): RawBuilder<unknown> | null {
  const where = columnOf(BOTS, column)
  return (
    where &&
    sql`select s.id::text as id, c.name, c.number, tickets.status as state, s.created_at as at,
    s.ended_at as until, '/atendimento/' || tickets.id as path
    ${sessions(asked)} and ${where} and ${keyIs(sql`f.id::text`, key)}`
  )
}

/** The recipients that a number of campaigns counts. */
export function recipientRows(asked: DispatchesAsked, { column, key }: Detail): RawBuilder<unknown> | null {
  const where = columnOf(RECIPIENTS, column)
  return (
    where &&
    sql`select i.id::text as id, c.name, c.number, i.state, coalesce(i.sent_at, d.start_at) as at,
    null::timestamptz as until, '/contatos?id=' || c.id as path
    ${dispatches(asked)} join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
    where ${where} and ${keyIs(sql`d.id::text`, key)}`
  )
}

/** The stretches that a number of presence adds up. */
export function presenceRows(asked: PresenceAsked, { column, key }: Detail): RawBuilder<unknown> | null {
  const ranges = columnOf(PRESENCE, column)
  return (
    ranges &&
    sql`select p.id || '-' || extract(epoch from lower(r)) as id, p.name, null::text as number, ${column}::text as state,
    lower(r) as at, upper(r) as until, null::text as path
    ${presence(asked)} cross join lateral unnest(${ranges} * tstzmultirange(d.range)) r
    where ${keyIs(asked.by === 'user' ? sql`p.id::text` : sql`d.day`, key)}`
  )
}

/** A page of such rows, the latest first. */
export async function pageOfDetails(
  db: Queryable,
  rowsOf: RawBuilder<unknown>,
  { after, limit }: { readonly after: readonly [number, string] | null; readonly limit: number },
): Promise<DetailRecord[]> {
  const { rows } = await sql<DetailRecord>`select * from (
      select d.*, (extract(epoch from d.at) * 1000000)::bigint as position from (${rowsOf}) d) d
    where ${after ? sql`(d.position, d.id) < (${after[0]}::bigint, ${after[1]}::text)` : sql`true`}
    order by d.position desc, d.id desc limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** How many such rows there are. */
export async function countDetails(db: Queryable, rowsOf: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${rowsOf}) d`.execute(db)
  return rows[0]!.n
}
