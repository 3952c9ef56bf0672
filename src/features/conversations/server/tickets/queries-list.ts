import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable } from '#server/db/db.ts'
import { selectTickets, type TicketPage } from './queries.ts'

/** What a row of `tickets` has to satisfy. */
export type Condition = RawBuilder<SqlBool>

/**
 * Where a list begins: everywhere, at what a search found, or everywhere with the search asked row by row; `shownOnly`
 * asks only what restricted users read of a name.
 */
export type Source =
  | { readonly kind: 'all' }
  | { readonly kind: 'found'; readonly contactIds: readonly number[]; readonly ticketId: number | null }
  | { readonly kind: 'scan'; readonly term: string; readonly ticketId: number | null; readonly shownOnly?: boolean }

/** By what a list is ordered. */
export type Order = 'updated_at' | 'last_message_at'

/** The last row of the page before: microseconds of the time it is ordered by, then its id. */
export type TicketCursor = { readonly at: number; readonly id: number }

/** Contacts whose name, number, e-mail, company or document contains the term; at most `most`, in no order. */
export async function searchContacts(db: Queryable, term: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, ${most})`.execute(db)
  return rows.map((row) => row.id)
}

/** Contacts whose name begins with the text where restricted users read it; at most `most`, in no order. */
export async function contactsShownAs(db: Queryable, beginning: string, most: number): Promise<number[]> {
  const contacts = db.selectFrom('contacts as c').select('c.id').where(isShownAs(beginning))
  return (await contacts.limit(sql.lit(most)).execute()).map((row) => row.id)
}

// A stretch of the index: from the text itself to before the highest letter that could follow it.
const isShownAs = (beginning: string) =>
  sql<SqlBool>`c.shown_name >= app.fold(${beginning}) and c.shown_name < app.fold(${beginning}) || ${'\u{10FFFF}'}`

/**
 * One page: its tickets are found first, by the order's index, and their names joined to those few. `place` is exact
 * to the microsecond, which a Date is not, so that no row is shown twice or left out.
 */
export async function pageOfTickets(
  db: Queryable,
  input: {
    source: Source
    where: readonly Condition[]
    order: Order
    after: TicketCursor | null
    offset: number
    limit: number
    oldestFirst: boolean
    viewerId: number
  },
) {
  const [way, beyond] = input.oldestFirst ? (['asc', sql`>`] as const) : (['desc', sql`<`] as const)
  const time = sql.ref(`tickets.${input.order}`)
  let page = filtered(db, input)
  if (input.after) {
    const { at, id } = input.after
    page = page.where(
      sql<SqlBool>`(${time}, tickets.id) ${beyond} (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id})`,
    )
  }
  // Literals: a prepared plan that does not know the limit believes that a tenth of the table is wanted.
  page = page.orderBy(`tickets.${input.order}`, way).orderBy('tickets.id', way).limit(sql.lit(input.limit))
  if (input.offset > 0) page = page.offset(sql.lit(input.offset))
  return selectTickets(db, page, input.viewerId)
    .select(sql<number>`(extract(epoch from ${sql.ref(`t.${input.order}`)}) * 1000000)::bigint`.as('place'))
    .orderBy(`t.${input.order}`, way)
    .orderBy('t.id', way)
    .execute()
}

/** The ids of a list's tickets, at most so many, in its order. */
export async function listTicketIds(
  db: Queryable,
  input: { source: Source; where: readonly Condition[]; order: Order; oldestFirst: boolean; most: number },
): Promise<number[]> {
  const way = input.oldestFirst ? 'asc' : 'desc'
  const list = filtered(db, input).orderBy(`tickets.${input.order}`, way).orderBy('tickets.id', way)
  const { rows } = await sql<{ id: number }>`
    select id from (${list.limit(sql.lit(input.most))}) listed`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many tickets a list has, counted up to `most`. */
export async function countTickets(
  db: Queryable,
  input: { source: Source; where: readonly Condition[]; most: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (${filtered(db, input).limit(sql.lit(input.most))}) listed`.execute(db)
  return rows[0]!.n
}

/** How many of these tickets each tab of the list has, in one reading. */
export async function countTabs(
  db: Queryable,
  input: { source: Source; where: readonly Condition[] },
): Promise<{ open: number; pending: number; groups: number; waiting: number }> {
  const { rows } = await sql<Awaited<ReturnType<typeof countTabs>>>`
    select count(*) filter (where status = 'open' and not is_group) as open,
      count(*) filter (where status = 'pending' and not is_group) as pending,
      count(*) filter (where is_group) as groups,
      count(*) filter (where waiting_since is not null) as waiting
    from (${filtered(db, input)}) listed`.execute(db)
  return rows[0]!
}

/** Only tickets of this user. */
export const ownedBy = (userId: number): Condition => sql<SqlBool>`tickets.user_id = ${userId}`

/** Only tickets whose customer waits for us. */
export const isWaiting: Condition = sql<SqlBool>`tickets.waiting_since is not null`

/** Only tickets closed since then; whoever closes one touches `updated_at`, which the index knows. */
export const closedSince = (moment: Date): Condition =>
  sql<SqlBool>`tickets.updated_at >= ${moment} and tickets.closed_at >= ${moment}`

/** Every one of the conditions. */
export const allOfThem = (conditions: readonly Condition[]): Condition =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Only tickets that changed since then. */
export const changedSince = (moment: Date): Condition => sql<SqlBool>`tickets.updated_at >= ${moment}`

function filtered(db: Queryable, { source, where }: { source: Source; where: readonly Condition[] }): TicketPage {
  return where.reduce((list, condition) => list.where(condition), from(db, source))
}

function from(db: Queryable, source: Source): TicketPage {
  if (source.kind === 'all') return db.selectFrom('tickets').selectAll('tickets')
  const byId = source.ticketId === null ? null : sql<SqlBool>`tickets.id = ${source.ticketId}`
  if (source.kind === 'scan') {
    // Not a join: a term that most contacts have is asked of one contact at a time until the page is full.
    const pattern = source.term.replace(/[\\%_]/g, '\\$&')
    const matches = source.shownOnly
      ? isShownAs(source.term)
      : sql`c.search_text like '%' || app.fold(${pattern}) || '%'`
    const named = sql<SqlBool>`(select ${matches} from contacts c
      where c.tenant_id = tickets.tenant_id and c.id = tickets.contact_id)`
    const list = db.selectFrom('tickets').selectAll('tickets')
    return list.where(byId ? sql<SqlBool>`(${named} or ${byId})` : named)
  }
  // Contact by contact through its index, whatever the planner believes about how many there are.
  const contacts = sql`${[...source.contactIds]}::bigint[]`
  const found = sql<Selectable<DB['tickets']>>`(
    select found.* from unnest(${contacts}) as contact (id)
      cross join lateral (select * from tickets where tickets.contact_id = contact.id offset 0) found
    ${byId ? sql`union all select * from tickets where ${byId} and tickets.contact_id <> all(${contacts})` : sql``})`
  return db.selectFrom(found.as('tickets')).selectAll('tickets') as unknown as TicketPage
}
