import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  ALL_MEASURES,
  AMOUNTS,
  type Amount,
  definitionOf,
  type Fact,
  FLAGS,
  type Flag,
  type Measure,
  SPLITS,
  type Split,
  type StoredFigure,
} from '#domain/reports/measures.ts'
import { ASSISTED, PAUSED, type Stretch, type TimeSwitch } from '#domain/reports/switches.ts'
import { statusesOf } from '#domain/tickets/filter.ts'
import { FROM_HISTORY } from '#features/ledger/server/ingest/index.ts'
import { ticketsWhere } from '#features/visibility/server/index.ts'
import type { Queryable } from '#server/db/db.ts'

/** SQL condition on `tickets`. */
export type Condition = RawBuilder<SqlBool>

/** SQL condition of open and pending tickets. */
export const LIVE: Condition = ticketsWhere({ field: 'status', in: statusesOf('live') })

const CLOCKS = sql`from ticket_clocks c where c.tenant_id = tickets.tenant_id and c.ticket_id = tickets.id and c.policy_id is not null`
const MISSED = sql`(2 in ((c.clocks #>> '{first,alarmed}')::int, (c.clocks #>> '{next,alarmed}')::int, (c.clocks #>> '{solution,alarmed}')::int))`
const LOGS = sql`from ticket_logs l where l.tenant_id = tickets.tenant_id and l.ticket_id = tickets.id`
const RATINGS = sql`from ticket_evaluations e where e.tenant_id = tickets.tenant_id and e.ticket_id = tickets.id`

// A ticket was reopened if it had been closed before its current attendance began.
const isWoken = sql`exists (select ${LOGS} and l.type in ('closed', 'autoClose', 'connectionRemoved')
  and l.created_at < tickets.started_attendance_at)`

/** SQL expressions of measure flags, on `tickets`. */
const FLAG_SQL: Readonly<Record<Flag, RawBuilder<unknown>>> = {
  active: sql`tickets.is_active_demand`,
  receptive: sql`not tickets.is_active_demand`,
  open: sql`tickets.status = 'open'`,
  pending: sql`tickets.status = 'pending'`,
  closed: sql`tickets.status = 'closed'`,
  asked: sql`exists (select ${RATINGS})`,
  slaMet: sql`(tickets.status = 'closed' and exists (select ${CLOCKS} and not ${MISSED}))`,
  slaMissed: sql`(tickets.status = 'closed' and exists (select ${CLOCKS} and ${MISSED}))`,
  byBot: sql`exists (select ${LOGS} and l.type in ('queue', 'userDefine', 'retriesLimitQueue', 'retriesLimitUserDefine'))`,
}
const SPANS = {
  attendedMs: {
    from: sql`tickets.started_attendance_at`,
    to: sql`case when tickets.status = 'closed' then tickets.closed_at end`,
  },
  waitedMs: { from: sql`tickets.created_at`, to: sql`case when not ${isWoken} then tickets.started_attendance_at end` },
  firstAnswerMs: {
    from: sql`tickets.created_at`,
    to: sql`(select m.timestamp from messages m
      where m.tenant_id = tickets.tenant_id and m.ticket_id = tickets.id and m.timestamp >= tickets.created_at and m.from_me
        and m.user_id is not null and not m.is_note and m.sync_time is null and m.send_at is null
      order by m.timestamp, m.seq limit 1)`,
  },
} as const
const OTHER_AMOUNTS = {
  rating: sql`(select e.evaluation::bigint ${RATINGS} and e.evaluation is not null order by e.closed_at desc limit 1)`,
  cents: sql`round(tickets.value * 100)::bigint`,
} as const

/** Open hours as multiranges: the company's, and those of queues with their own. */
type OpenRanges = { readonly company: string; readonly queues: ReadonlyMap<number, string> }

/** How time measures count: switches, and the open hours loaded for all tickets of a query. */
export type Counting = { readonly switches: readonly TimeSwitch[]; readonly open: OpenRanges | null }

/** Counts the whole time between two moments. */
export const WHOLE: Counting = { switches: [], open: null }

const stretches = ({ from, until }: Stretch) =>
  sql`(select range_agg(tstzrange(l.created_at, greatest(l.created_at, coalesce(
      (select min(n.created_at) from ticket_logs n where n.tenant_id = l.tenant_id and n.ticket_id = l.ticket_id
        and n.id > l.id and n.type = any(${[...until]}::text[])), 'infinity'))))
    ${LOGS} and l.type = ${from})`
const SESSIONS = sql`(select range_agg(tstzrange(s.created_at, greatest(s.created_at, coalesce(s.ended_at, 'infinity')))) from flow_sessions s
  where s.tenant_id = tickets.tenant_id and s.ticket_id = tickets.id)`

const openOf = ({ company, queues }: OpenRanges) => {
  const own = [...queues].map(([id, ranges]) => sql`when ${id} then ${ranges}::tstzmultirange`)
  return own.length === 0
    ? sql`${company}::tstzmultirange`
    : sql`case tickets.queue_id ${sql.join(own, sql` `)} else ${company}::tstzmultirange end`
}

/** SQL expression of the counted time of a span, in ms; null without an end, or with one before the start. */
function spanSql({ from, to }: (typeof SPANS)[keyof typeof SPANS], { switches, open }: Counting): RawBuilder<unknown> {
  // Evaluates the end once: that of a first reply is searched in messages.
  const span = sql`from (select ${from} as since, ${to} as till offset 0) span where span.till >= span.since`
  const without = [
    ...(switches.includes('withoutPauses') ? [stretches(PAUSED)] : []),
    ...(switches.includes('withoutBot') ? [SESSIONS, stretches(ASSISTED)] : []),
  ]
  if (!open && without.length === 0)
    return sql`(select round(extract(epoch from span.till - span.since) * 1000)::bigint ${span})`
  const counted = sql`tstzmultirange(tstzrange(span.since, span.till)) ${open ? sql`* ${openOf(open)}` : sql``}
    ${sql.join(
      without.map((one) => sql`- coalesce(${one}, '{}'::tstzmultirange)`),
      sql` `,
    )}`
  return sql`(select (select coalesce(round(sum(extract(epoch from upper(part) - lower(part))) * 1000), 0)::bigint
    from unnest(${counted}) part) ${span})`
}

/** SQL expression of a ticket's counted amount. */
export const amountSql = (amount: Amount, counting: Counting): RawBuilder<unknown> =>
  amount === 'rating' || amount === 'cents' ? OTHER_AMOUNTS[amount] : spanSql(SPANS[amount], counting)
const keySql = (zone: string): Readonly<Record<Split, RawBuilder<unknown>>> => ({
  total: sql`''`,
  queue: sql`coalesce(tickets.queue_id::text, '')`,
  user: sql`coalesce(tickets.user_id::text, '')`,
  status: sql`tickets.status`,
  channel: sql`tickets.channel`,
  connection: sql`tickets.connection_id::text`,
  reason: sql`coalesce(tickets.reason_id::text, '')`,
  hour: sql`extract(hour from tickets.created_at at time zone ${zone})::int::text`,
  weekday: sql`extract(dow from tickets.created_at at time zone ${zone})::int::text`,
})

/** SQL condition of the tickets that a measure counts. */
export function among(measure: Measure): Condition {
  const { where, amount } = definitionOf(measure)
  return sql<SqlBool>`${where ? FLAG_SQL[where] : sql`true`} and ${amount ? sql`${amountSql(amount, WHOLE)} is not null` : sql`true`}`
}

/** SQL condition of tickets created in an hour of the day, or on a weekday. */
export const beganAt = (zone: string, split: 'hour' | 'weekday', key: number): Condition =>
  sql<SqlBool>`${keySql(zone)[split]} = ${String(key)}`

/** Closed or active tickets, which have separate indexes. */
export type Part = 'closed' | 'live'

/**
 * SQL condition of tickets created in a period, from (inclusive) to before (exclusive); excludes tickets of imported
 * history. Active and closed tickets each use their own index; `part` restricts to one of them, in its order.
 */
export const begun = (from: Date, before: Date, part?: Part): Condition => {
  const within = sql`tickets.created_at >= ${from} and tickets.created_at < ${before}`
  const closed = sql<SqlBool>`(tickets.status = 'closed' and ${within} and tickets.closed_reason is distinct from ${FROM_HISTORY})`
  const live = sql<SqlBool>`(${LIVE} and ${within})`
  if (part) return part === 'closed' ? closed : live
  return sql<SqlBool>`(${within} and (${closed} or ${live}))`
}

/** SQL condition of tickets closed in a period and still closed. */
export const ended = (from: Date, before: Date): Condition =>
  sql<SqlBool>`(tickets.status = 'closed' and tickets.closed_at >= ${from} and tickets.closed_at < ${before}
    and tickets.closed_reason is distinct from ${FROM_HISTORY})`

/** Figure with its day. */
export type DayFigure = StoredFigure & { readonly day: string }

/** Sums figures of the tickets in a condition by day and split key; omits zeros. */
export async function addUp(
  db: Queryable,
  {
    where,
    zone,
    splits,
    measures,
    counting = WHOLE,
  }: {
    where: Condition
    zone: string
    splits: readonly Split[]
    measures: readonly Measure[]
    counting?: Counting
  },
): Promise<DayFigure[]> {
  const keys = keySql(zone)
  const asked = measures.map(definitionOf)
  const flags = [...new Set(asked.flatMap((one) => one.where ?? []))]
  const amounts = [...new Set(asked.flatMap((one) => one.amount ?? []))]
  const columns = [
    sql`(tickets.created_at at time zone ${zone})::date as day`,
    sql`tickets.is_group`,
    ...flags.map((flag) => sql`${FLAG_SQL[flag]} as ${sql.ref(flag)}`),
    ...amounts.map((amount) => sql`${amountSql(amount, counting)} as ${sql.ref(amount)}`),
    ...splits.map((split) => sql`${keys[split]} as ${sql.ref(`by_${split}`)}`),
  ]
  const sums = asked.map(({ where: flag, amount }, index) => {
    const filter = flag ? sql`filter (where ${sql.ref(flag)})` : sql``
    return sql`count(${amount ? sql.ref(amount) : sql`*`}) ${filter} as ${sql.ref(`n${index}`)},
      ${amount ? sql`coalesce(sum(${sql.ref(amount)}) ${filter}, 0)::bigint` : sql`0::bigint`} as ${sql.ref(`t${index}`)}`
  })
  const { rows } = await sql<Record<string, number> & { day: string; split: Split; key: string; isGroup: boolean }>`
    with facts as materialized (select ${sql.join(columns)} from tickets where ${where})
    select day::text as day, split, key, is_group as "isGroup", ${sql.join(sums)}
    from facts cross join lateral (values ${sql.join(
      splits.map((split) => sql`(${split}, ${sql.ref(`by_${split}`)})`),
    )}) s (split, key)
    group by 1, 2, 3, 4`.execute(db)
  return rows.flatMap(({ day, split, key, isGroup, ...sum }) =>
    measures.flatMap((measure, index) => {
      const count = sum[`n${index}`]!
      return count > 0 ? [{ day, split, key, isGroup, measure, count, total: sum[`t${index}`]! }] : []
    }),
  )
}

/** Returns the tickets of some days as facts for the domain functions. */
export async function readFacts(db: Queryable, where: Condition, zone: string): Promise<Fact[]> {
  const keys = keySql(zone)
  const object = (names: readonly string[], of: (name: never) => RawBuilder<unknown>) =>
    sql`jsonb_build_object(${sql.join(names.flatMap((name) => [sql.lit(name), of(name as never)]))})`
  const { rows } = await sql<Fact>`
    select tickets.is_group as "isGroup", ${object(SPLITS, (name) => keys[name])} as keys,
      ${object(FLAGS, (name) => FLAG_SQL[name])} as flags, ${object(AMOUNTS, (name) => amountSql(name, WHOLE))} as amounts
    from tickets where ${where}`.execute(db)
  return rows
}

/** Stored figures: every measure by every split. */
export const EVERYTHING = { splits: SPLITS, measures: ALL_MEASURES }
