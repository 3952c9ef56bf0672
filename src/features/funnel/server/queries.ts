import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Alert, DUE_DAYS, HIGH_VALUE, IDLE_DAYS } from '#domain/funnel/alerts.ts'
import type { CardStatus } from '#domain/funnel/card.ts'
import type { Order } from '#domain/funnel/orders.ts'
import { firstOf } from '#domain/present.ts'
import { contactsFor, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { personOf } from '#server/db/person.ts'
import { type FieldFilter, fieldCondition, type OwnValue, ownValuesOf } from '#server/own-fields.ts'
import { cardFieldTables } from './fields.ts'

/** Visibility of cards: all (`ownerId` null), or own and unassigned ones, the latter only with visible contacts. */
export type Sight = { readonly ownerId: number | null; readonly onlyFor: OnlyFor }

/** Filter of cards; days are `YYYY-MM-DD`, values decimal text. */
export type Narrowing = {
  readonly pipelineId?: number | undefined
  readonly stageIds?: readonly number[] | undefined
  readonly ids?: readonly number[] | undefined
  readonly contactIds?: readonly number[] | undefined
  /** Search: cards by name, or of these contacts. */
  readonly term?: { readonly text: string; readonly contactIds: readonly number[] } | undefined
  readonly owners?: readonly (number | 'none')[] | undefined
  readonly statuses?: readonly CardStatus[] | undefined
  readonly valueFrom?: string | undefined
  readonly valueTo?: string | undefined
  readonly madeFrom?: Date | undefined
  readonly madeBefore?: Date | undefined
  readonly forecastFrom?: string | undefined
  readonly forecastTo?: string | undefined
  readonly closedFrom?: Date | undefined
  readonly closedBefore?: Date | undefined
  readonly alert?: Alert | undefined
  /** Values of custom fields; null: a deleted field, which matches no card. */
  readonly fields?: readonly (FieldFilter | null)[] | undefined
}

/** Visibility and filter of a card request, with the company's current time. */
export type Asked = {
  readonly sight: Sight
  readonly narrowing: Narrowing
  readonly now: Date
  /** Current day in the company's time zone. */
  readonly today: string
}

const DAY_MS = 86_400_000

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`
// A single id is compared by equality, so that an index on it keeps the following columns in order.
const amongIds = (column: RawBuilder<unknown>, ids: readonly number[]) =>
  ids.length === 1 ? sql`${column} = ${ids[0]}::bigint` : sql`${column} = any(${bigints(ids)})`
// Statuses are literals, so that partial indexes of open cards apply.
const amongStatuses = (column: RawBuilder<unknown>, statuses: readonly CardStatus[]) =>
  statuses.length === 0 ? sql`false` : sql`${column} in (${sql.join(statuses.map((one) => sql.lit(one)))})`

const and = (conditions: readonly RawBuilder<unknown>[]) => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Conditions for the visible cards (`o`), in disjoint parts: own and unassigned ones. */
function seenParts(db: Queryable, { ownerId, onlyFor }: Sight): RawBuilder<SqlBool>[] {
  if (ownerId === null) return [sql<SqlBool>`true`]
  const own = sql<SqlBool>`o.responsible_id = ${ownerId}`
  const unassigned = sql<SqlBool>`o.responsible_id is null`
  if (onlyFor === null) return [own, unassigned]
  const contact = contactsFor(db, onlyFor)
    .select('contacts.id')
    .where(
      sql<SqlBool>`contacts.id = (select coalesce(k.merged_into, k.id) from contacts k where k.tenant_id = o.tenant_id and k.id = o.contact_id)`,
    )
  return [own, sql<SqlBool>`(${unassigned} and exists (${contact}))`]
}

/** SQL expression of the time before which a card of stage `s` is stale. */
export const staleBefore = (now: Date) => sql`${now}::timestamptz - s.stale_days * interval '1 day'`

/** Returns the time before which an unmoved card is idle. */
export const idleBefore = (now: Date) => new Date(now.getTime() - IDLE_DAYS * DAY_MS)

/** SQL query of the cards with an open task: their own, or one of their contact without opportunity. */
export const withTask = sql`select t.opportunity_id from tasks t where t.opportunity_id is not null and t.status <> 'finished'
  union select k.id from tasks t join opportunities k on k.tenant_id = t.tenant_id and k.contact_id = t.contact_id
    where t.contact_id is not null and t.opportunity_id is null and t.status <> 'finished'`

/** SQL condition of cards `o` with an alert. */
export const alerted = (alert: Alert, { now, today }: Pick<Asked, 'now' | 'today'>): RawBuilder<unknown> => {
  const conditions: Readonly<Record<Alert, RawBuilder<unknown>>> = {
    due: sql`o.closing_forecast <= ${today}::date + ${sql.lit(DUE_DAYS)}`,
    idle: sql`o.moved_at < ${idleBefore(now)}`,
    unassigned: sql`o.responsible_id is null`,
    high: sql`o.value > ${sql.lit(HIGH_VALUE)}`,
    stale: sql`o.stage_since < (select ${staleBefore(now)} from pipeline_stages s where s.tenant_id = o.tenant_id and s.id = o.stage_id)`,
    taskless: sql`o.id not in (${withTask})`,
  }
  return sql`o.status = 'open' and ${conditions[alert]}`
}

const hasValue = (filter: FieldFilter | null) =>
  filter === null
    ? sql`false`
    : sql`exists (select from opportunity_field_values v where v.tenant_id = o.tenant_id and v.opportunity_id = o.id
        and ${fieldCondition(filter)})`

/** SQL condition of a card request on `o`. */
export const matching = (db: Queryable, asked: Asked): RawBuilder<SqlBool> =>
  and([sql`(${sql.join(seenParts(db, asked.sight), sql` or `)})`, narrowed(asked)])

function narrowed(asked: Asked): RawBuilder<SqlBool> {
  const { narrowing: by } = asked
  const people = by.owners?.filter((one) => one !== 'none') ?? []
  const none = by.owners?.includes('none') ? sql` or o.responsible_id is null` : sql``
  return and([
    sql`true`,
    ...(by.pipelineId === undefined ? [] : [sql`o.pipeline_id = ${by.pipelineId}`]),
    ...(by.stageIds ? [amongIds(sql`o.stage_id`, by.stageIds)] : []),
    ...(by.ids ? [sql`o.id = any(${bigints(by.ids)})`] : []),
    ...(by.contactIds ? [sql`o.contact_id = any(${bigints(by.contactIds)})`] : []),
    ...(by.term
      ? [
          sql`(app.fold(o.name) like app.fold(${patternOf(by.term.text)}::text) or o.contact_id = any(array(
            select k.id from contacts k where k.id = any(${bigints(by.term.contactIds)})
              or k.merged_into = any(${bigints(by.term.contactIds)}))))`,
        ]
      : []),
    ...(by.owners ? [sql`(o.responsible_id = any(${bigints(people)})${none})`] : []),
    ...(by.statuses ? [amongStatuses(sql`o.status`, by.statuses)] : []),
    ...(by.valueFrom === undefined ? [] : [sql`o.value >= ${by.valueFrom}::numeric`]),
    ...(by.valueTo === undefined ? [] : [sql`o.value <= ${by.valueTo}::numeric`]),
    ...(by.madeFrom ? [sql`o.created_at >= ${by.madeFrom}`] : []),
    ...(by.madeBefore ? [sql`o.created_at < ${by.madeBefore}`] : []),
    ...(by.forecastFrom === undefined ? [] : [sql`o.closing_forecast >= ${by.forecastFrom}::date`]),
    ...(by.forecastTo === undefined ? [] : [sql`o.closing_forecast <= ${by.forecastTo}::date`]),
    ...(by.closedFrom ? [sql`o.closed_at >= ${by.closedFrom}`] : []),
    ...(by.closedBefore ? [sql`o.closed_at < ${by.closedBefore}`] : []),
    ...(by.alert ? [alerted(by.alert, asked)] : []),
    ...(by.fields ?? []).map(hasValue),
  ])
}

// Sort expression of each order, with its type for comparison.
const ORDERING: Readonly<Record<Order | 'rank', { value: RawBuilder<unknown>; cast: string; isDown: boolean }>> = {
  rank: { value: sql`o.rank`, cast: 'text', isDown: false },
  valor_desc: { value: sql`o.value`, cast: 'numeric', isDown: true },
  valor_asc: { value: sql`o.value`, cast: 'numeric', isDown: false },
  data_desc: { value: sql`o.id`, cast: 'bigint', isDown: true },
  data_asc: { value: sql`o.id`, cast: 'bigint', isDown: false },
  fechamento: { value: sql`coalesce(o.closing_forecast, '9999-12-31'::date)`, cast: 'date', isDown: false },
}

/** Start of a page: after the sort value and id of a card, or at an offset. */
export type Start = {
  readonly after: readonly [value: string, id: number] | null
  readonly offset: number
  readonly limit: number
}

/** Card with its sort value. */
export type Placed = { readonly id: number; readonly sortValue: string }

/** Returns a page of cards in an order, as ids and sort values. */
export async function pageOfCards(db: Queryable, asked: Asked, order: Order | 'rank', start: Start): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select o.id, o.value::text as "sortValue" from (${pageIn(db, asked, order, start)}) o
    order by ${inOrder(order)}`.execute(db)
  return rows
}

/** Returns the first cards of several stages in an order. */
export async function firstInStages(
  db: Queryable,
  asked: Asked,
  order: Order | 'rank',
  { stageIds, limit }: { readonly stageIds: readonly number[]; readonly limit: number },
): Promise<(Placed & { readonly stageId: number })[]> {
  const page = pageIn(db, asked, order, { after: null, offset: 0, limit }, sql`o.stage_id = s.id`)
  const { rows } = await sql<Placed & { stageId: number }>`
    select s.id as "stageId", o.id, o.value::text as "sortValue"
    from unnest(${bigints(stageIds)}) s (id) cross join lateral (${page}) o order by ${inOrder(order)}`.execute(db)
  return rows
}

const inOrder = (order: Order | 'rank') => sql.raw(ORDERING[order].isDown ? 'o.value desc, o.id desc' : 'o.value, o.id')

// Reads each disjoint part in the order of its index, only as far as the page needs.
function pageIn(
  db: Queryable,
  asked: Asked,
  order: Order | 'rank',
  { after, offset, limit }: Start,
  more: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const { value, cast, isDown } = ORDERING[order]
  const beyond = sql.raw(isDown ? '<' : '>')
  const isBeyond = after
    ? sql`(${value}, o.id) ${beyond} (${after[0]}::${sql.raw(cast)}${cast === 'text' ? sql.raw(' collate "C"') : sql``}, ${after[1]}::bigint)`
    : sql`true`
  const way = sql.raw(isDown ? 'desc' : 'asc')
  const parts = seenParts(db, asked.sight).map(
    (seen) => sql`(select o.id, ${value} as value from opportunities o
      where ${and([seen, more, narrowed(asked), isBeyond])} order by ${value} ${way}, o.id ${way} limit ${offset + limit})`,
  )
  return sql`select o.id, o.value from (${sql.join(parts, sql` union all `)}) o
    order by ${inOrder(order)} limit ${limit} offset ${offset}`
}

/** Counts the cards. */
export async function countCards(db: Queryable, asked: Asked): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from opportunities o where ${matching(db, asked)}`.execute(db)
  return firstOf(rows).n
}

/** Returns cards by id, unordered, with the person of their contact. */
export async function loadCards(db: Queryable, ids: readonly number[]) {
  const { rows } = await sql<{
    id: number
    name: string
    pipelineId: number
    stageId: number
    rank: string
    entry: number
    contactId: number
    person: number
    responsibleId: number | null
    responsibleName: string | null
    closingForecast: string | null
    value: string
    description: string
    status: CardStatus
    reason: string
    stageSince: Date
    movedAt: Date
    staleDays: number
    createdAt: Date
    updatedAt: Date
    own: OwnValue[]
  }>`
    select o.id, o.name, o.pipeline_id as "pipelineId", o.stage_id as "stageId", o.rank, o.entry,
      o.contact_id as "contactId", coalesce(c.merged_into, c.id) as person,
      o.responsible_id as "responsibleId", u.name as "responsibleName",
      o.closing_forecast::text as "closingForecast", o.value::text as value, o.description, o.status, o.reason,
      o.stage_since as "stageSince", o.moved_at as "movedAt", s.stale_days as "staleDays",
      o.created_at as "createdAt", o.updated_at as "updatedAt",
      ${ownValuesOf(cardFieldTables, { tenant: 'o.tenant_id', id: 'o.id' })} as own
    from opportunities o
    join contacts c on c.tenant_id = o.tenant_id and c.id = o.contact_id
    join pipeline_stages s on s.tenant_id = o.tenant_id and s.id = o.stage_id
    left join users u on u.tenant_id = o.tenant_id and u.id = o.responsible_id
    where o.id = any(${bigints(ids)})`.execute(db)
  return rows
}

/** Returns contacts by id. */
export async function loadPersons(db: Queryable, ids: readonly number[]) {
  const rows = await db
    .selectFrom('contacts')
    .select(['id', 'name', 'number', 'email', 'profile_pic_file as picture'])
    .where(sql<SqlBool>`id = any(${bigints(ids)})`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns contacts that contain a text, up to a limit. */
export async function searchContacts(db: Queryable, term: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, 1000)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the ids of a person and all merged contacts, given any of them; empty if it does not exist. */
export async function partsOf(db: Queryable, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from contacts k join contacts c on c.tenant_id = k.tenant_id
      and (c.id = ${personOf('k')} or c.merged_into = ${personOf('k')})
    where k.id = ${contactId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the history of a card, newest first. */
export async function pageOfHistory(db: Queryable, id: number, before: number | null, limit: number) {
  return db
    .selectFrom('opportunity_history as h')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'h.tenant_id').onRef('u.id', '=', 'h.user_id'))
    .leftJoin('opportunity_fields as f', (join) =>
      join.onRef('f.tenant_id', '=', 'h.tenant_id').onRef('f.id', '=', 'h.field_id'),
    )
    .select(['h.id', 'h.kind', 'h.before', 'h.after', 'h.entry', 'h.user_id as userId', 'u.name as userName', 'h.at'])
    .select('f.name as field')
    .where('h.opportunity_id', '=', id)
    .$if(before !== null, (query) => query.where('h.id', '<', before))
    .orderBy('h.id', 'desc')
    .limit(limit)
    .execute()
}
