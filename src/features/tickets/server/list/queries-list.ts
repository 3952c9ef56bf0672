import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import { allOf, type Criteria, not } from '#domain/criteria.ts'
import { firstOf } from '#domain/present.ts'
import type { SlaState } from '#domain/sla/clocks.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { possibleStatuses, startingPoints } from '#domain/tickets/starting-points.ts'
import {
  namedTicketsOf,
  type TicketPage,
  type TicketPageRow,
  ticketPageStatement,
} from '#features/ledger/server/rows/index.ts'
import { ticketsWhere } from '#features/visibility/server/index.ts'
import type { Queryable } from '#server/db/db.ts'
import { madeOnce, type Statement, statementOf } from '#server/db/statements.ts'

/** SQL condition on a row of `tickets`. */
export type Condition = RawBuilder<SqlBool>

/**
 * Source of a list: all tickets, those found by a search, or a scan that tests the search term per row; `shownOnly` tests
 * only the part of a name that restricted users see.
 */
export type Source =
  | { readonly kind: 'all' }
  | { readonly kind: 'found'; readonly contactIds: readonly number[]; readonly ticketId: number | null }
  | { readonly kind: 'scan'; readonly term: string; readonly ticketId: number | null; readonly shownOnly?: boolean }

/** Conditions of a list: visibility criteria and further SQL conditions. */
export type Listed = {
  readonly criteria: Criteria<TicketFacts>
  readonly where: readonly Condition[]
  /** The one of the conditions that the index by last message covers. */
  readonly period?: Condition
}

/** Sort column of a list or of a part of it. */
export type Order = 'updated_at' | 'last_message_at' | 'sla_due_at'

/** Last row of the previous page: sort time in microseconds, then id. */
export type TicketCursor = { readonly at: number; readonly id: number }

/** Returns contacts whose name, number, e-mail, company or document contains the term; at most `most`, unordered. */
export async function searchContacts(db: Queryable, term: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, ${most})`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns contacts whose name, as restricted users see it, begins with the text; at most `most`, unordered. */
export async function contactsShownAs(db: Queryable, beginning: string, most: number): Promise<number[]> {
  const contacts = db.selectFrom('contacts as c').select('c.id').where(isShownAs(beginning))
  return (await contacts.limit(sql.lit(most)).execute()).map((row) => row.id)
}

// Index range: from the text itself to before the highest letter that could follow it.
const isShownAs = (beginning: string) =>
  sql<SqlBool>`c.shown_name >= app.fold(${beginning}) and c.shown_name < app.fold(${beginning}) || ${'\u{10FFFF}'}`

type PageInput = Listed & {
  source: Source
  order: Order
  after: TicketCursor | null
  offset: number
  limit: number
  oldestFirst: boolean
  viewerId: number
}
type PageRow = TicketPageRow & { position: number }

/**
 * Returns one page: finds its tickets by the order's index, then joins names to those few. `position` is exact to the
 * microsecond, unlike a Date, so that no row is repeated or skipped.
 */
export async function pageOfTickets(db: Queryable, input: PageInput) {
  const shape = shapeOf(input)
  if (shape === null) {
    const { first, further } = walkOf(db, input)
    return further(namedTicketsOf((await first.execute(db)).rows))
  }
  const { at, id } = input.after ?? { at: null, id: null }
  const first = firsts(firsts, shape, () =>
    statementOf<PageValues, PageRow>(db, ['at', 'id', 'viewerId'], (values) => {
      const after = input.after && { at: values.at!, id: values.id! }
      return walkOf(db, { ...input, after, viewerId: values.viewerId }).first
    }),
  )
  const found = namedTicketsOf(await first(db, { at, id, viewerId: input.viewerId }))
  return found.length === input.limit ? found : walkOf(db, input).further(found)
}

type PageValues = { at: number | null; id: number | null; viewerId: number }
const firsts = madeOnce<Statement<PageValues, PageRow>>()

/** Returns the key of a page's first statement; null if the statement does not depend on simple values only. */
function shapeOf({ source, criteria, where, order, after, offset, limit, oldestFirst }: PageInput): string | null {
  const named = where.map((condition) => PLAIN.indexOf(condition))
  if (source.kind !== 'all' || named.includes(-1)) return null
  return JSON.stringify([criteria, named, order, after !== null, offset, limit, oldestFirst])
}

type Found = ReturnType<typeof namedTicketsOf<PageRow>>

/** Builds the statements of a page: the first one, and the next ones if the page is not full. */
function walkOf(
  db: Queryable,
  input: PageInput,
): { first: RawBuilder<PageRow>; further: (found: Found) => Promise<Found> } {
  const { order, offset, limit } = input
  const [direction, beyond] = input.oldestFirst ? (['asc', sql`>`] as const) : (['desc', sql`<`] as const)
  const columns = [`tickets.${order}`, 'tickets.id'] as const
  const inOrder = (rows: TicketPage) => columns.reduce((sorted, column) => sorted.orderBy(column, direction), rows)
  const { at, id } = input.after ?? {}
  const after =
    input.after &&
    sql<SqlBool>`(${sql.ref(columns[0])}, tickets.id) ${beyond} (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id})`
  const where = after ? [...input.where, after] : input.where
  // Literals: a prepared plan without the limit assumes that a tenth of the table is wanted.
  const most = sql.lit(offset + limit)
  const guarded = (way: TicketPage) => (order === 'last_message_at' ? way.where(byMessage) : way)
  const { rows, ways, isMany } = rowsOf(db, { ...input, where }, (way, seen) => {
    // As a case expression: the planner cannot estimate the visible share, would assume almost none, and sort
    // everything.
    const walked = guarded(way).where(sql<SqlBool>`case when ${seen} then true else false end`)
    return tickets(db, inOrder(walked).limit(most))
  })
  const read = (found: TicketPage) => {
    let page = inOrder(found).limit(sql.lit(limit))
    if (offset > 0) page = page.offset(sql.lit(offset))
    const by = sql.ref(`t.${order}`)
    const sorting = sql.raw(direction)
    return ticketPageStatement<{ position: number }>(page, {
      viewerId: input.viewerId,
      by: sql`${by} ${sorting}, t.id ${sorting}`,
      more: sql`, (extract(epoch from ${by}) * 1000000)::bigint as position`,
    })
  }
  if (!isMany) return { first: read(ways > 1 ? rows.distinctOn([...columns]) : rows), further: async (found) => found }
  // Most users see much of the newest tickets: one scan that ends there costs less than several. `known` holds the
  // conditions that the index of this order covers.
  const stages = ticketsWhere(narrowing(input.criteria, ['kanban']))
  const bounds = input.period ? [input.period] : []
  const known = order === 'last_message_at' ? bounds : [...input.where.filter((one) => one !== isAnswered), stages]
  const all = guarded(narrowed(db.selectFrom('tickets').selectAll('tickets'), [...known, ...(after ? [after] : [])]))
  // Waiting and due tickets have their own indexes; with a status condition the planner would use that of all active
  // tickets.
  const isOfOne = order === 'sla_due_at' || (order === 'updated_at' && input.where.includes(isWaiting))
  const parts = isOfOne ? [isEvery] : waysByLife(input.criteria).map(({ way }) => way)
  const newestOf = (most: number) =>
    inOrder(
      inOne(
        db,
        parts.map((part) => tickets(db, inOrder(all.where(part)).limit(sql.lit(most)))),
      ),
    ).limit(sql.lit(most))
  const nearOf = (enough: number) => read(narrowed(tickets(db, newestOf(enough)), [isSeen(input), ...input.where]))
  // Multiplies the number of examined tickets until the page is full: a selective filter thins out every index scan.
  const thinned = narrowing(input.criteria, THINNING) === true ? 1 : NEWEST
  const begin = NEWEST * thinned * (offset + limit)
  const further = async (found: Found): Promise<Found> => {
    let near = found
    for (let enough = begin; ; enough *= NEWEST) {
      if (enough > begin) near = namedTicketsOf((await nearOf(enough).execute(db)).rows)
      if (near.length === limit) return near
      const { rows: counted } = await sql<{
        n: number
      }>`select count(*)::int as n from (${newestOf(enough)}) newest`.execute(db)
      if (firstOf(counted).n < enough) return near
      if (near.length * NEWEST < limit)
        return namedTicketsOf((await read(rows.distinctOn([...columns])).execute(db)).rows)
    }
  }
  return { first: nearOf(begin), further }
}

/** Returns the ids of a list's tickets, up to `most`, in its order. */
export async function listTicketIds(
  db: Queryable,
  input: Listed & {
    source: Source
    order: Order
    oldestFirst: boolean
    first: 'due' | 'unanswered' | null
    most: number
  },
): Promise<number[]> {
  const direction = sql.raw(input.oldestFirst ? 'asc' : 'desc')
  const firsts = { due: sql`sla_due_at,`, unanswered: sql`waiting_since is null,` }
  const first = input.first ? firsts[input.first] : sql``
  const { rows } = await sql<{ id: number }>`
    select id from (${countedRows(db, input)}) listed
    order by ${first} ${sql.ref(input.order)} ${direction}, id ${direction} limit ${sql.lit(input.most)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Number of tickets examined per wanted one. */
const NEWEST = 10

/** Maximum number of index scans that costs less than examining the newest tickets: own tickets, a colleague's, two queues. */
const FEW_WAYS = 4

/** Returns the part of the criteria that concerns these fields. */
function narrowing(criteria: Criteria<TicketFacts>, fields: readonly string[]): Criteria<TicketFacts> {
  const parts = typeof criteria === 'object' && 'all' in criteria ? criteria.all : [criteria]
  return allOf(...parts.filter((part) => typeof part === 'object' && 'field' in part && fields.includes(part.field)))
}

// Hides the connection from the planner, which would sort all of its tickets: with many tenants each looks small.
const THINNING = ['whatsappId', 'unread', 'tagIds']

const hasStatus = (statuses: readonly string[]): Condition =>
  sql<SqlBool>`tickets.status in (${sql.join(statuses.map((status) => sql.lit(status)))})`

// Predicate of the indexes for this order alone (db/migrations/0029_many_companies.sql).
const byMessage = sql<SqlBool>`tickets.last_message_at > '-infinity'`

/** Counts the tickets of a list, up to `most`. */
export async function countTickets(db: Queryable, input: Listed & { source: Source; most: number }): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (${countedRows(db, input).limit(sql.lit(input.most))}) listed`.execute(db)
  return firstOf(rows).n
}

/** Counters of the list's header. */
export type Counted = 'open' | 'pending' | 'groups' | 'waiting' | 'snoozed' | 'chatbot'

/** Counts the tickets of each tab in one statement. */
export async function countTabs(
  db: Queryable,
  input: Listed & { source: Source; counted: Readonly<Record<Counted, Criteria<TicketFacts>>> },
): Promise<Record<Counted, number>> {
  const columns = Object.entries(input.counted).map(([name, criteria]) => {
    const waits = name === 'waiting' ? sql` and listed.waiting_since is not null` : sql``
    return sql`count(*) filter (where ${ticketsWhere(criteria, 'listed')}${waits}) as ${sql.ref(name)}`
  })
  const { rows } = await sql<Record<Counted, number>>`
    select ${sql.join(columns)} from (${countedRows(db, input)}) listed`.execute(db)
  return firstOf(rows)
}

/** Condition: the customer waits for a reply. */
export const isWaiting: Condition = sql<SqlBool>`tickets.waiting_since is not null`

/** Condition: the customer waits for no reply. */
export const isAnswered: Condition = sql<SqlBool>`tickets.waiting_since is null`

/** Condition: the ticket is pending. */
export const isPending: Condition = sql<SqlBool>`tickets.status = 'pending'`

/** Condition: the ticket is not pending. */
export const isNotPending: Condition = sql<SqlBool>`tickets.status <> 'pending'`

/** Condition: an SLA clock is running. */
export const isDue: Condition = sql<SqlBool>`tickets.sla_due_at is not null`
export const isNotDue: Condition = sql<SqlBool>`tickets.sla_due_at is null`

/** Condition: an SLA clock is at risk, or missed. */
export const isLate = (state: Exclude<SlaState, 'running'>): Condition =>
  sql<SqlBool>`tickets.sla_state = ${sql.lit(state)}`

/** Condition: the customer has waited since the moment or longer. */
export const waitingSince = (moment: Date): Condition => sql<SqlBool>`tickets.waiting_since <= ${moment}`

/** Condition: the last message lies in a period, from a moment (inclusive) to another (exclusive); null leaves that end open. */
export const talkedBetween = (from: Date | null, before: Date | null): Condition =>
  sql<SqlBool>`${from ? sql`tickets.last_message_at >= ${from}` : sql`true`}
    and ${before ? sql`tickets.last_message_at < ${before}` : sql`true`}`

/**
 * Condition: the ticket was closed since a moment. Uses the indexed `updated_at`, which closing sets. The upper bound tells
 * the planner, which does not know the moment, that the range is small.
 */
export const closedSince = (moment: Date): Condition =>
  sql<SqlBool>`tickets.updated_at >= ${moment} and tickets.updated_at < 'infinity' and tickets.closed_at >= ${moment}`

/** Condition: the ticket is snoozed; equal to its index's predicate. */
export const isSnoozed: Condition = sql<SqlBool>`tickets.snoozed_until is not null`

/** Condition: a flow and no person attends the ticket; equal to its index's predicate. */
export const isInFlow: Condition = sql<SqlBool>`(tickets.chat_flow_id is not null and tickets.status = 'pending')`

// Conditions without parameters.
const PLAIN = [isWaiting, isAnswered, isPending, isNotPending, isDue, isNotDue, isSnoozed, isInFlow]

// These indexes hold few tickets and are scanned for any viewer.
const isAmongFew = (where: readonly Condition[]) => where.includes(isSnoozed) || where.includes(isInFlow)

/** Combines criteria and conditions of a list into one SQL condition. */
export const isListed = ({ criteria, where }: Listed): Condition => allOfThem([ticketsWhere(criteria), ...where])

const allOfThem = (conditions: readonly Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Condition: the ticket changed since the moment. */
export const changedSince = (moment: Date): Condition => sql<SqlBool>`tickets.updated_at >= ${moment}`

const tickets = (db: Queryable, rows: TicketPage): TicketPage => db.selectFrom(rows.as('tickets')).selectAll('tickets')

const countedRows = (db: Queryable, input: Listed & { source: Source }): TicketPage =>
  rowsOf(db, input, (way, seen, apart) => way.where(seen).where(apart)).rows

const narrowed = (rows: TicketPage, conditions: readonly Condition[]): TicketPage =>
  conditions.reduce((page, condition) => page.where(condition), rows)

const isSeen = ({ source, criteria }: Pick<Listed, 'criteria'> & { source: Source }): Condition =>
  allOfThem([ticketsWhere(criteria), ...(source.kind === 'scan' ? [isNamed(source)] : [])])

/** Reads one index scan: `seen` is the condition of the list, `apart` excludes tickets of earlier scans. */
type ReadWay = (way: TicketPage, seen: Condition, apart: Condition) => TicketPage

/**
 * Builds the query of a list's tickets. Where visibility has starting points (own tickets, queues, groups), each is read by
 * its own index: invisible tickets are not examined, however many there are.
 */
function rowsOf(
  db: Queryable,
  { source, criteria, where, order }: Listed & { source: Source; order?: Order },
  read: ReadWay,
): { rows: TicketPage; ways: number; isMany: boolean } {
  const seen = isSeen({ source, criteria })
  const one = (rows: TicketPage) => ({ rows, ways: 1, isMany: false })
  if (source.kind === 'found') return one(narrowed(foundTickets(db, source), [...where, seen]))
  const all = narrowed(db.selectFrom('tickets').selectAll('tickets'), where)
  if (isAmongFew(where)) return one(read(all, seen, isEvery))
  const byLife = order ? waysByLife(criteria) : []
  // Orders covered by an index are scanned directly.
  const isPlain = !order || order === 'sla_due_at' || (order === 'updated_at' && byLife.length === 1)
  const ways = waysTo(criteria) ?? (isPlain ? null : byLife)
  if (!ways) return one(all.where(seen))
  const [first, ...others] = ways.map(({ way, apart }) => read(all.where(way), seen, apart))
  if (!first) return one(all.where(sql<SqlBool>`false`))
  // Visibility by queues covers most of the newest tickets; by owner or groups little.
  const isMany = ways.length > FEW_WAYS && ways.some(({ isWide }) => isWide)
  return { rows: inOne(db, [first, ...others]), ways: ways.length, isMany }
}

const inOne = (db: Queryable, [first, ...others]: readonly TicketPage[]): TicketPage =>
  others.length === 0
    ? first!
    : tickets(
        db,
        others.reduce((union, more) => union.unionAll(more), first!),
      )

const isEvery = sql<SqlBool>`true`

/** Active and closed tickets have separate indexes in both orders, so that a message writes into only one of them. */
function waysByLife(criteria: Criteria<TicketFacts>): Way[] {
  const statuses = possibleStatuses(criteria)
  const parts = [statuses.filter((status) => status !== 'closed'), statuses.filter((status) => status === 'closed')]
  return parts.filter((part) => part.length > 0).map((part) => ({ way: hasStatus(part), apart: isEvery }))
}

// Maximum number of scans in one statement; more cost as much as a full scan.
const MOST_WAYS = 40

/** Condition of one index scan, and the one that excludes tickets of earlier scans. */
type Way = { readonly way: Condition; readonly apart: Condition; readonly isWide?: boolean }

/** Returns the index scans that cover the criteria; null if a full scan is necessary. */
function waysTo(criteria: Criteria<TicketFacts>): Way[] | null {
  const points = startingPoints(criteria)
  const statuses = possibleStatuses(criteria)
  if (!points || points.length * statuses.length > MOST_WAYS) return null
  if (statuses.length === 0) return []
  const each = (way: RawBuilder<unknown>) =>
    statuses.map((status) => sql<SqlBool>`tickets.status = ${sql.lit(status)} and ${way}`)
  const elsewhere = (...fields: ('userId' | 'isGroup' | 'queueId')[]) => {
    const earlier = points.filter(({ field }) => fields.includes(field as never))
    return ticketsWhere(allOf(...earlier.map(({ field, value }) => not<TicketFacts>({ field, in: [value] } as never))))
  }
  const apart = (ways: Condition[], rest: Condition) => ways.map((way) => ({ way, apart: rest }))
  return points.flatMap(({ field, value }) => {
    if (field === 'isGroup') return apart(each(sql`tickets.is_group`), elsewhere('userId'))
    if (field === 'groupUserIds') return apart(waysToGroups(value, each), elsewhere('userId', 'isGroup', 'queueId'))
    const column = sql.ref(field === 'userId' ? 'tickets.user_id' : 'tickets.queue_id')
    const isThere = value === null ? sql`${column} is null` : sql`${column} = ${value}`
    if (field === 'userId') return apart(each(isThere), elsewhere())
    return apart(each(isThere), elsewhere('userId', 'isGroup')).map((one) => ({ ...one, isWide: true }))
  })
}

/** Maximum number of a user's groups found one by one; above it, all groups are scanned. */
const MANY_GROUPS = 100

function waysToGroups(userId: number, each: (way: RawBuilder<unknown>) => Condition[]): Condition[] {
  const some = sql`array(select m.ticket_id from ticket_group_users m
    where m.tenant_id = app.tenant() and m.user_id = ${userId} limit ${sql.lit(MANY_GROUPS)})`
  const areMany = sql`(select cardinality(${some})) = ${sql.lit(MANY_GROUPS)}`
  return [sql<SqlBool>`tickets.id = any(${some}) and not ${areMany}`, ...each(sql`tickets.is_group and ${areMany}`)]
}

// No join: a term that most contacts contain is checked per contact until the page is full.
function isNamed({ term, ticketId, shownOnly }: Source & { kind: 'scan' }): Condition {
  const pattern = term.replace(/[\\%_]/g, '\\$&')
  const matches = shownOnly ? isShownAs(term) : sql`c.search_text like '%' || app.fold(${pattern}) || '%'`
  const named = sql<SqlBool>`(select ${matches} from contacts c
    where c.tenant_id = tickets.tenant_id and c.id = tickets.contact_id)`
  return ticketId === null ? named : sql<SqlBool>`(${named} or tickets.id = ${ticketId})`
}

// Contact by contact through the index, whatever the planner estimates.
function foundTickets(db: Queryable, { contactIds, ticketId }: Source & { kind: 'found' }): TicketPage {
  const contacts = sql`${[...contactIds]}::bigint[]`
  const byId = sql`union all select * from tickets where tickets.id = ${ticketId} and tickets.contact_id <> all(${contacts})`
  const found = sql<Selectable<DB['tickets']>>`(
    select found.* from unnest(${contacts}) as contact (id)
      cross join lateral (select * from tickets where tickets.contact_id = contact.id offset 0) found
    ${ticketId === null ? sql`` : byId})`
  return db.selectFrom(found.as('tickets')).selectAll('tickets')
}

/** Returns a contact's tickets that satisfy the condition, newest first, after an id. */
export async function ticketsOfContact(
  db: Queryable,
  contactId: number,
  visible: RawBuilder<SqlBool>,
  { before, offset, limit }: { before: number | null; offset: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where contact_id = ${contactId} and ${visible} and ${before === null ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the newest tickets of each contact, at most `most` per contact. */
export async function newestOfContacts(db: Queryable, contactIds: readonly number[], most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from unnest(${[...contactIds]}::bigint[]) as c (id)
    cross join lateral (select id from tickets where contact_id = c.id order by id desc limit ${most}) t
    order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}
