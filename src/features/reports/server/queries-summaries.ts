import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'
import type { Condition } from './queries-facts.ts'

/** Period from a moment (inclusive) until another (exclusive). */
type Times = { readonly from: Date; readonly before: Date }
type Columns = Readonly<Record<string, RawBuilder<unknown>>>
/** Row of a summary: key, label, and numbers by column key. */
type Summed = { key: string; label: string } & Record<string, number | string>

const isAttended = sql`tickets.started_attendance_at >= s.created_at`
/** SQL filter of bot sessions (`s`, of `tickets`) per column. */
const BOTS: Columns = {
  sessions: sql`true`,
  ended: sql`s.ended_at is not null`,
  attended: isAttended,
  alone: sql`(tickets.status = 'closed' and (${isAttended}) is not true)`,
}
/** SQL filter of recipients (`i`) per column: a read message also counts as delivered, a delivered one as sent. */
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
/** SQL range of a user's presence (`p`) per column. */
const PRESENCE: Columns = {
  online: sql`p.online`,
  away: sql`(p.online * p.away)`,
  offline: sql`(p.whole - p.online)`,
}

const counts = (columns: Columns) =>
  sql.join(
    Object.entries(columns).map(([key, where]) => sql`(count(*) filter (where ${where}))::int as ${sql.ref(key)}`),
  )

/** Filter of bot sessions; `where` is a condition on their tickets. */
export type BotsAsked = Times & { readonly where: Condition }

const sessions = ({ from, before, where }: BotsAsked) => sql`from flow_sessions s
  join chat_flows f on f.tenant_id = s.tenant_id and f.id = s.chat_flow_id
  join tickets on tickets.tenant_id = s.tenant_id and tickets.id = s.ticket_id
  join contacts c on c.tenant_id = tickets.tenant_id and c.id = tickets.contact_id
  where s.created_at >= ${from} and s.created_at < ${before} and ${where}`

/** Counts bot sessions that started in a period by flow, with their ends. */
export async function countBots(db: Queryable, asked: BotsAsked): Promise<Summed[]> {
  const { rows } = await sql<Summed>`select f.id::text as key, f.name as label, ${counts(BOTS)} ${sessions(asked)}
    group by f.id, f.name order by count(*) desc, f.name, f.id`.execute(db)
  return rows
}

/** Maximum number of dispatches in a summary, latest first. */
const MOST_DISPATCHES = 500

/** Filter of dispatches; by connections, or all. */
export type DispatchesAsked = Times & { readonly connections: readonly number[] | undefined }

const dispatches = ({ from, before, connections }: DispatchesAsked) => sql`from (
    select d.* from dispatches d where d.start_at >= ${from} and d.start_at < ${before}
      and ${connections?.length ? sql`d.connection_id = any(${[...connections]}::bigint[])` : sql`true`}
    order by d.start_at desc, d.id desc limit ${MOST_DISPATCHES}) d
  left join dispatch_items i on i.tenant_id = d.tenant_id and i.dispatch_id = d.id`

/** Counts the recipients' states of dispatches that start in a period, latest first. */
export async function countDispatches(
  db: Queryable,
  asked: DispatchesAsked,
): Promise<(Summed & { isCampaign: boolean })[]> {
  const { rows } = await sql<Summed & { isCampaign: boolean }>`
    select d.id::text as key, d.name as label, d.kind = 'campaign' as "isCampaign", ${counts(RECIPIENTS)}
    ${dispatches(asked)} group by d.id, d.name, d.kind, d.start_at order by d.start_at desc, d.id desc`.execute(db)
  return rows as never
}

/** Users and days of a presence summary; with `by: 'user'` the days count as one period. */
export type PresenceAsked = {
  readonly by: 'user' | 'day'
  readonly days: readonly { readonly day: string; readonly from: Date; readonly before: Date }[]
  readonly userIds: readonly number[]
  readonly now: Date
}

// Offline time counts only from the first recorded presence on; before that nothing is known.
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

/** Sums the time online, away and offline in ms, by user or by day. */
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

/** Row behind a number of a summary; `position` is in microseconds. */
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

/** Number whose rows are requested: its column, and its row key (undefined: the total). */
type Detail = { readonly column: string; readonly key: string | undefined }

const columnOf = (columns: Columns, column: string) => (Object.hasOwn(columns, column) ? columns[column]! : null)
const keyIs = (id: RawBuilder<unknown>, key: string | undefined) =>
  key === undefined ? sql`true` : sql`${id} = ${key}`

/** SQL query of the bot sessions behind a number; null for an unknown column. */
export function botRows(asked: BotsAsked, { column, key }: Detail): RawBuilder<unknown> | null {
  const where = columnOf(BOTS, column)
  return (
    where &&
    sql`select s.id::text as id, c.name, c.number, tickets.status as state, s.created_at as at,
    s.ended_at as until, '/atendimento/' || tickets.id as path
    ${sessions(asked)} and ${where} and ${keyIs(sql`f.id::text`, key)}`
  )
}

/** SQL query of the recipients behind a number; null for an unknown column. */
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

/** SQL query of the presence periods behind a number; null for an unknown column. */
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

/** Returns a page of rows behind a number, latest first. */
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

/** Counts the rows behind a number. */
export async function countDetails(db: Queryable, rowsOf: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${rowsOf}) d`.execute(db)
  return rows[0]!.n
}
