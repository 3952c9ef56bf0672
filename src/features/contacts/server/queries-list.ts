import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Moments } from '#domain/calendar/day-range.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { type FieldFilter, fieldCondition } from '#server/own-fields.ts'

/** User whose visibility applies, if contacts with wallets are visible to their owners only; null sees all of the company. */
export type OnlyFor = number | null

/**
 * Narrowing of a list: the ids to start from, where a search or filter found few; and conditions tested per row, which very
 * many contacts meet.
 */
export type Narrowing = {
  readonly ids: readonly number[] | null
  readonly conditions: readonly RawBuilder<SqlBool>[]
}

/** Filter of a list in two forms: a query for at most `most` matching contacts, unordered, and a condition on one contact. */
export type Filter = {
  readonly find: (db: Queryable, most: number) => Promise<number[]>
  readonly condition: RawBuilder<SqlBool>
}

/** Filter: name, number, e-mail, company or document contains the term. */
export const byTerm = (term: string): Filter => ({
  find: async (db, most) => {
    const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, ${most})`.execute(db)
    return rows.map((row) => row.id)
  },
  condition: sql<SqlBool>`contacts.search_text like app.fold(${patternOf(term)}::text)`,
})

/** Filter: has any of the tags. */
export const byTags = (tags: readonly number[]): Filter => ({
  find: (db, most) =>
    holders(db, sql`select contact_id from contact_tags where tag_id = wanted.id order by contact_id desc`, tags, most),
  condition: isIn(sql`contact_tags m`, sql`m.tag_id = any(${[...tags]}::bigint[])`),
})

/** Filter: is in any of the wallets. */
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

/** Filter: is in any of the stages. */
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

/** Filter: is blocked for people or for chat flows, or is a group; with `isOn` false the opposite. */
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

/** Filter: the number has one of the Brazilian area codes. */
export const byAreaCodes = (codes: readonly string[]): Filter =>
  byCondition(sql<SqlBool>`left(contacts.number, 4) = any(${codes.map((code) => `55${code}`)}::text[])`)

const within = (at: RawBuilder<unknown>, { from, before }: Moments) =>
  sql<SqlBool>`(${from}::timestamptz is null or ${at} >= ${from}) and (${before}::timestamptz is null or ${at} < ${before})`

/** Filter: created within the days. */
export const byCreation = (days: Moments): Filter =>
  byCondition(sql<SqlBool>`(${within(sql`contacts.created_at`, days)})`)

/** Filter: last message within the days; excludes contacts without conversations. */
export const byLastTalk = (days: Moments): Filter =>
  byCondition(sql<SqlBool>`(select max(t.last_message_at) is not null and ${within(sql`max(t.last_message_at)`, days)}
    from tickets t where t.tenant_id = contacts.tenant_id and t.contact_id = contacts.id)`)

/** Filter: birthday in one of the months. */
export const byBirthMonths = (months: readonly number[]): Filter =>
  byCondition(
    sql<SqlBool>`left(contacts.birth_day, 2) = any(${months.map((month) => String(month).padStart(2, '0'))}::text[])`,
  )

/** Filter: reached by one of the campaigns and answered it, or with `isAnswered` false did not. */
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

/** Filter: came to a conversation by an ad, or with `isOn` false did not. */
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

/** Filter: has such a value in a custom field. */
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

/** Filter that matches no contact. */
export const nobody: Filter = { find: async () => [], condition: sql<SqlBool>`false` }

// No join: tested per contact in the order of names, until the page is full.
const isIn = (table: RawBuilder<unknown>, condition: RawBuilder<unknown>, alias: RawBuilder<unknown> = sql.ref('m')) =>
  sql<SqlBool>`(select true from ${table} where ${alias}.tenant_id = contacts.tenant_id
    and ${alias}.contact_id = contacts.id and ${condition} limit 1)`

// Row by row, ordered and with `offset 0`, so that each lookup uses its index: because of the limit the planner would
// rather scan the table until there are enough, which for a rare value is all of it.
async function holders(db: Queryable, of: RawBuilder<unknown>, ids: readonly number[], most: number) {
  // A contact with several of them appears several times.
  const { rows } = await sql<{
    id: number
  }>`select held.contact_id as id from unnest(${[...ids]}::bigint[]) as wanted (id)
    cross join lateral (${of} offset 0) held limit ${most * ids.length}`.execute(db)
  return [...new Set(rows.map((row) => row.id))]
}

/** Query of the contacts that the user may see. */
export function contactsFor(db: Queryable, onlyFor: OnlyFor): SelectQueryBuilder<DB, 'contacts', object> {
  // Merged contacts are represented by their person.
  const contacts = db.selectFrom('contacts').where('contacts.merged_into', 'is', null)
  if (onlyFor === null) return contacts
  const wallets = sql`select from contact_wallets w where w.tenant_id = contacts.tenant_id and w.contact_id = contacts.id`
  return contacts.where(sql<SqlBool>`(not exists (${wallets}) or exists (${wallets} and w.user_id = ${onlyFor}))`)
}

/** Query of the visible contacts that match a search and filters, unordered. */
export function narrowedContacts(db: Queryable, onlyFor: OnlyFor, { ids, conditions }: Narrowing) {
  let contacts = contactsFor(db, onlyFor)
  if (ids) contacts = contacts.where(sql<SqlBool>`contacts.id = any(${[...ids]}::bigint[])`)
  for (const condition of conditions) contacts = contacts.where(condition)
  return contacts
}

const narrowed = (db: Queryable, onlyFor: OnlyFor, narrowing: Narrowing) =>
  narrowedContacts(db, onlyFor, narrowing).orderBy('contacts.sort_name').orderBy('contacts.id')

/** Returns a page by name, before any join; `after` is the last (sort_name, id). */
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

/** Counts the contacts up to `most`, in the order of names like a page. */
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
