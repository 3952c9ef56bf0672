import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Moments } from '#domain/calendar/day-range.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { type FieldFilter, fieldCondition } from '#server/own-fields.ts'

/** Who asks, where contacts with wallets are their owners' alone; null sees the whole company's. */
export type OnlyFor = number | null

/**
 * What narrows a list: the only contacts that can be in it, where a search or filter found few; and, row by row, the
 * conditions that very many contacts meet.
 */
export type Narrowing = {
  readonly ids: readonly number[] | null
  readonly conditions: readonly RawBuilder<SqlBool>[]
}

/**
 * One thing that a list is narrowed by, as it is asked in two ways: for at most so many contacts that meet it, in no order,
 * and of one contact.
 */
export type Filter = {
  readonly find: (db: Queryable, most: number) => Promise<number[]>
  readonly condition: RawBuilder<SqlBool>
}

/** Whose name, number, e-mail, company or document contains the term. */
export const byTerm = (term: string): Filter => ({
  find: async (db, most) => {
    const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, ${most})`.execute(db)
    return rows.map((row) => row.id)
  },
  condition: sql<SqlBool>`contacts.search_text like app.fold(${patternOf(term)}::text)`,
})

/** Who has any of the tags. */
export const byTags = (tags: readonly number[]): Filter => ({
  find: (db, most) =>
    holders(db, sql`select contact_id from contact_tags where tag_id = wanted.id order by contact_id desc`, tags, most),
  condition: isIn(sql`contact_tags m`, sql`m.tag_id = any(${[...tags]}::bigint[])`),
})

/** Who is in any of the wallets. */
export const byWallets = (users: readonly number[]): Filter => ({
  find: (db, most) =>
    holders(
      db,
      sql`select contact_id from contact_wallets where user_id = wanted.id order by contact_id desc`,
      users,
      most,
    ),
  condition: isIn(sql`contact_wallets m`, sql`m.user_id = any(${[...users]}::bigint[])`),
})

/** Who stands in any of the stages. */
export const byStages = (stages: readonly number[]): Filter => ({
  find: (db, most) =>
    holders(
      db,
      sql`select c.id as contact_id from contacts c where c.kanban = wanted.id order by c.kanban_order`,
      stages,
      most,
    ),
  condition: sql<SqlBool>`contacts.kanban = any(${[...stages]}::bigint[])`,
})

/** Who is blocked, for people or for chat flows, or is a group; or (`isOn` false) is not. */
export const bySwitch = (column: 'blocked' | 'chatbot_blocked' | 'is_group', isOn: boolean): Filter =>
  byCondition(sql<SqlBool>`${isOn ? sql`` : sql`not `}${sql.ref(`contacts.${column}`)}`)

const byCondition = (condition: RawBuilder<SqlBool>): Filter => ({
  find: async (db, most) => {
    const { rows } = await sql<{ id: number }>`
      select contacts.id from contacts where ${condition} order by contacts.id limit ${most}`.execute(db)
    return rows.map((row) => row.id)
  },
  condition,
})

/** Whose number has one of some Brazilian area codes. */
export const byAreaCodes = (codes: readonly string[]): Filter =>
  byCondition(sql<SqlBool>`left(contacts.number, 4) = any(${codes.map((code) => `55${code}`)}::text[])`)

const within = (at: RawBuilder<unknown>, { from, before }: Moments) =>
  sql<SqlBool>`(${from}::timestamptz is null or ${at} >= ${from}) and (${before}::timestamptz is null or ${at} < ${before})`

/** Who was created within some days. */
export const byCreation = (days: Moments): Filter =>
  byCondition(sql<SqlBool>`(${within(sql`contacts.created_at`, days)})`)

/** With whom the last message was exchanged within some days; contacts without conversations are left out. */
export const byLastTalk = (days: Moments): Filter =>
  byCondition(sql<SqlBool>`(select max(t.last_message_at) is not null and ${within(sql`max(t.last_message_at)`, days)}
    from tickets t where t.tenant_id = contacts.tenant_id and t.contact_id = contacts.id)`)

/** Whose birthday is in one of some months. */
export const byBirthMonths = (months: readonly number[]): Filter =>
  byCondition(
    sql<SqlBool>`left(contacts.birth_day, 2) = any(${months.map((month) => String(month).padStart(2, '0'))}::text[])`,
  )

/** Who was reached by one of some campaigns, and answered it, or (`isAnswered` false) did not. */
export function byAnswer(campaigns: readonly number[], isAnswered: boolean): Filter {
  const reached = sql`select coalesce(r.merged_into, r.id) as id from dispatch_items i
    join contacts r on r.tenant_id = i.tenant_id and r.id = i.contact_id
    where i.dispatch_id = any(${[...campaigns]}::bigint[]) and i.state in ('sent', 'delivered', 'read')
      and ${isAnswered ? sql`i.replied_at is not null` : sql`i.replied_at is null`}`
  return {
    find: async (db, most) =>
      (await sql<{ id: number }>`${reached} limit ${most}`.execute(db)).rows.map((row) => row.id),
    condition: sql<SqlBool>`contacts.id in (${reached})`,
  }
}

/** Who came to a conversation by an ad, or (`isOn` false) did not. */
export function byAd(isOn: boolean): Filter {
  const came = sql`select from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.data ? 'ad' and t.tenant_id = contacts.tenant_id and t.contact_id = contacts.id`
  const condition = sql<SqlBool>`${isOn ? sql`` : sql`not `}exists (${came})`
  return {
    find: async (db, most) => {
      const { rows } = await (isOn
        ? sql<{ id: number }>`select distinct t.contact_id as id from messages m
            join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id where m.data ? 'ad' limit ${most}`
        : sql<{ id: number }>`select contacts.id from contacts where ${condition} order by contacts.id limit ${most}`
      ).execute(db)
      return rows.map((row) => row.id)
    },
    condition,
  }
}

/** Who has such a value in a field of the company's own. */
export function byField(filter: FieldFilter): Filter {
  const condition = fieldCondition(filter)
  return {
    find: async (db, most) => {
      const { rows } = await sql<{ id: number }>`
        select v.contact_id as id from contact_field_values v where ${condition} limit ${most}`.execute(db)
      return rows.map((row) => row.id)
    },
    condition: isIn(sql`contact_field_values v`, condition, sql.ref('v')),
  }
}

/** Nobody. */
export const nobody: Filter = { find: async () => [], condition: sql<SqlBool>`false` }

// Not a join: asked of one contact at a time, in the order of names, until there are enough.
const isIn = (table: RawBuilder<unknown>, condition: RawBuilder<unknown>, alias: RawBuilder<unknown> = sql.ref('m')) =>
  sql<SqlBool>`(select true from ${table} where ${alias}.tenant_id = contacts.tenant_id
    and ${alias}.contact_id = contacts.id and ${condition} limit 1)`

// One by one, in order and with `offset 0`, so that each is looked up through its index: because of the limit the planner would
// rather read the table as it lies until there are enough, and of a rare one there never are.
async function holders(db: Queryable, of: RawBuilder<unknown>, ids: readonly number[], most: number) {
  // One that has several of them comes several times.
  const { rows } = await sql<{
    id: number
  }>`select held.contact_id as id from unnest(${[...ids]}::bigint[]) as wanted (id)
    cross join lateral (${of} offset 0) held limit ${most * ids.length}`.execute(db)
  return [...new Set(rows.map((row) => row.id))]
}

/** Contacts that the one who asks may see. */
export function contactsFor(db: Queryable, onlyFor: OnlyFor): SelectQueryBuilder<DB, 'contacts', object> {
  // Who was merged is there as the person that they are part of.
  const contacts = db.selectFrom('contacts').where('contacts.merged_into', 'is', null)
  if (onlyFor === null) return contacts
  const wallets = sql`select from contact_wallets w where w.tenant_id = contacts.tenant_id and w.contact_id = contacts.id`
  return contacts.where(sql<SqlBool>`(not exists (${wallets}) or exists (${wallets} and w.user_id = ${onlyFor}))`)
}

/** Those of them that a search and filters let through, in no order. */
export function narrowedContacts(db: Queryable, onlyFor: OnlyFor, { ids, conditions }: Narrowing) {
  let contacts = contactsFor(db, onlyFor)
  if (ids) contacts = contacts.where(sql<SqlBool>`contacts.id = any(${[...ids]}::bigint[])`)
  for (const condition of conditions) contacts = contacts.where(condition)
  return contacts
}

const narrowed = (db: Queryable, onlyFor: OnlyFor, narrowing: Narrowing) =>
  narrowedContacts(db, onlyFor, narrowing).orderBy('contacts.sort_name').orderBy('contacts.id')

/** A page by name: which contacts, before anything is joined; `after` is the last (sort_name, id). */
export function pageOfContacts(
  db: Queryable,
  input: {
    onlyFor: OnlyFor
    narrowing: Narrowing
    after: [string, number] | null
    offset: number
    limit: number
  },
) {
  let page = narrowed(db, input.onlyFor, input.narrowing).select(['contacts.id', 'contacts.sort_name'])
  if (input.after)
    page = page.where(sql<SqlBool>`(contacts.sort_name, contacts.id) > (${input.after[0]}, ${input.after[1]})`)
  return page.limit(sql.lit(input.limit)).offset(input.offset).execute()
}

/** How many there are, counted up to `most`, in the order of names as a page is read. */
export async function countContacts(
  db: Queryable,
  input: { onlyFor: OnlyFor; narrowing: Narrowing; most: number },
): Promise<number> {
  const counted = narrowed(db, input.onlyFor, input.narrowing).select('contacts.id').limit(sql.lit(input.most))
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select((counting) => counting.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
