import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Alert, DUE_DAYS, HIGH_VALUE, IDLE_DAYS } from '#domain/funnel/alerts.ts'
import type { CardStatus } from '#domain/funnel/card.ts'
import type { Order } from '#domain/funnel/orders.ts'
import { contactsFor, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { personOf } from '#server/db/person.ts'
import { type FieldFilter, fieldCondition, type OwnValue, ownValuesOf } from '#server/own-fields.ts'
import { cardFieldTables } from './fields.ts'

/** What a person may see: all cards (`ownerId` null), or own and unassigned ones; of the latter those of visible contacts. */
export type Sight = { readonly ownerId: number | null; readonly onlyFor: OnlyFor }

/** What cards are narrowed to; days are `YYYY-MM-DD`, values decimal text. */
export type Narrowing = {
  readonly pipelineId?: number | undefined
  readonly stageIds?: readonly number[] | undefined
  readonly ids?: readonly number[] | undefined
  readonly contactIds?: readonly number[] | undefined
  /** Those of a search: by name, or of these contacts. */
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
  /** Values of the company's own fields; null: a field that is gone, which no card has. */
  readonly fields?: readonly (FieldFilter | null)[] | undefined
}

/** Whose cards are asked for, by what they are narrowed, and the time in the company's zone. */
export type Asked = {
  readonly sight: Sight
  readonly narrowing: Narrowing
  readonly now: Date
  /** The company's day. */
  readonly today: string
}

const DAY_MS = 86_400_000

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`
// One value is compared as such: an index by it is read in the order of what follows.
function among(column: RawBuilder<unknown>, values: readonly (string | number)[], type: 'bigint' | 'text') {
  const cast = sql.raw(type)
  return values.length === 1 ? sql`${column} = ${values[0]}::${cast}` : sql`${column} = any(${[...values]}::${cast}[])`
}

const and = (conditions: readonly RawBuilder<unknown>[]) => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** The cards that a person sees (`o`). */
export function seen(db: Queryable, { ownerId, onlyFor }: Sight): RawBuilder<SqlBool> {
  if (ownerId === null) return sql<SqlBool>`true`
  const nobodys = sql`o.responsible_id is null`
  if (onlyFor === null) return sql<SqlBool>`(o.responsible_id = ${ownerId} or ${nobodys})`
  const contact = contactsFor(db, onlyFor)
    .select('contacts.id')
    .where(
      sql<SqlBool>`contacts.id = (select coalesce(k.merged_into, k.id) from contacts k where k.tenant_id = o.tenant_id and k.id = o.contact_id)`,
    )
  return sql<SqlBool>`(o.responsible_id = ${ownerId} or (${nobodys} and exists (${contact})))`
}

/** Since when the cards of the stage `s` have been there for too long. */
export const staleBefore = (now: Date) => sql`${now}::timestamptz - s.stale_days * interval '1 day'`

/** What asks for attention in a way, of `o`; `stale`: since when the cards of its stage have been there for too long. */
export const alerted = (
  alert: Alert,
  { now, today }: Pick<Asked, 'now' | 'today'>,
  stale = sql`(select ${staleBefore(now)} from pipeline_stages s where s.tenant_id = o.tenant_id and s.id = o.stage_id)`,
): RawBuilder<unknown> => {
  const conditions: Readonly<Record<Alert, RawBuilder<unknown>>> = {
    due: sql`o.closing_forecast <= ${today}::date + ${sql.lit(DUE_DAYS)}`,
    idle: sql`o.moved_at < ${new Date(now.getTime() - IDLE_DAYS * DAY_MS)}`,
    unassigned: sql`o.responsible_id is null`,
    high: sql`o.value > ${sql.lit(HIGH_VALUE)}`,
    stale: sql`o.stage_since < ${stale}`,
    // Each set is read once and hashed, not looked up for each card.
    taskless: sql`(o.id not in (select t.opportunity_id from tasks t where t.opportunity_id is not null and t.status <> 'finished')
      and o.contact_id not in (select t.contact_id from tasks t where t.contact_id is not null and t.opportunity_id is null
        and t.status <> 'finished'))`,
  }
  return sql`o.status = 'open' and ${conditions[alert]}`
}

const hasValue = (filter: FieldFilter | null) =>
  filter === null
    ? sql`false`
    : sql`exists (select from opportunity_field_values v where v.tenant_id = o.tenant_id and v.opportunity_id = o.id
        and ${fieldCondition(filter)})`

/** The condition of what is asked for, on `o`. */
export function matching(db: Queryable, asked: Asked): RawBuilder<SqlBool> {
  const { narrowing: by, sight } = asked
  const people = by.owners?.filter((one) => one !== 'none') ?? []
  const none = by.owners?.includes('none') ? sql` or o.responsible_id is null` : sql``
  return and([
    seen(db, sight),
    ...(by.pipelineId === undefined ? [] : [sql`o.pipeline_id = ${by.pipelineId}`]),
    ...(by.stageIds ? [among(sql`o.stage_id`, by.stageIds, 'bigint')] : []),
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
    ...(by.statuses ? [among(sql`o.status`, by.statuses, 'text')] : []),
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

// By what cards are put in order, and how that is compared.
const ORDERING: Readonly<Record<Order | 'rank', { value: RawBuilder<unknown>; cast: string; isDown: boolean }>> = {
  rank: { value: sql`o.rank`, cast: 'text', isDown: false },
  valor_desc: { value: sql`o.value`, cast: 'numeric', isDown: true },
  valor_asc: { value: sql`o.value`, cast: 'numeric', isDown: false },
  data_desc: { value: sql`o.id`, cast: 'bigint', isDown: true },
  data_asc: { value: sql`o.id`, cast: 'bigint', isDown: false },
  fechamento: { value: sql`coalesce(o.closing_forecast, '9999-12-31'::date)`, cast: 'date', isDown: false },
}

/** Where a page begins: behind the sort value and id of a card, or at an offset. */
export type Start = {
  readonly after: readonly [value: string, id: number] | null
  readonly offset: number
  readonly limit: number
}

/** A page of cards in an order, by id and sort value. */
export async function pageOfCards(
  db: Queryable,
  asked: Asked,
  order: Order | 'rank',
  { after, offset, limit }: Start,
): Promise<{ id: number; sortValue: string }[]> {
  const { value, cast, isDown } = ORDERING[order]
  const way = sql.raw(isDown ? 'desc' : 'asc')
  const beyond = sql.raw(isDown ? '<' : '>')
  const isBeyond = after
    ? sql`(${value}, o.id) ${beyond} (${after[0]}::${sql.raw(cast)}${cast === 'text' ? sql.raw(' collate "C"') : sql``}, ${after[1]}::bigint)`
    : sql`true`
  const { rows } = await sql<{ id: number; sortValue: string }>`
    select o.id, ${value}::text as "sortValue" from opportunities o
    where ${matching(db, asked)} and ${isBeyond} order by ${value} ${way}, o.id ${way}
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** How many cards there are. */
export async function countCards(db: Queryable, asked: Asked): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from opportunities o where ${matching(db, asked)}`.execute(db)
  return rows[0]!.n
}

/** A stage's cards: how many and what they are worth. */
export type StageSum = { readonly stageId: number; readonly count: number; readonly value: string }

/** The sums of the stages, counted card by card. */
export async function countStages(db: Queryable, asked: Asked): Promise<StageSum[]> {
  const { rows } = await sql<StageSum>`
    select o.stage_id as "stageId", count(*)::int as count, sum(o.value)::text as value
    from opportunities o where ${matching(db, asked)} group by o.stage_id`.execute(db)
  return rows
}

const ofOwners = ({ ownerId }: Sight) =>
  ownerId === null ? sql`true` : sql`m.owner_id = any(${bigints([0, ownerId])})`

/** The sums of stages as they are kept; of what a person sees. */
export async function storedStageSums(
  db: Queryable,
  sight: Sight,
  stageIds: readonly number[],
  statuses: readonly CardStatus[],
): Promise<StageSum[]> {
  const { rows } = await sql<StageSum>`
    select m.stage_id as "stageId", sum(m.count)::int as count, sum(m.value)::text as value from pipeline_sums m
    where m.stage_id = any(${bigints(stageIds)}) and m.status = any(${[...statuses]}::text[]) and ${ofOwners(sight)}
    group by m.stage_id`.execute(db)
  return rows
}

/** How many cards of a pipeline a person sees and what they are worth, by status; from the stored sums. */
export async function storedStatusSums(
  db: Queryable,
  sight: Sight,
  pipelineId: number,
): Promise<{ status: CardStatus; count: number; value: string }[]> {
  const { rows } = await sql<{ status: CardStatus; count: number; value: string }>`
    select m.status, sum(m.count)::int as count, sum(m.value)::text as value from pipeline_sums m
    join pipeline_stages s on s.tenant_id = m.tenant_id and s.id = m.stage_id
    where s.pipeline_id = ${pipelineId} and ${ofOwners(sight)} group by m.status`.execute(db)
  return rows
}

/** What is expected of the open cards that are forecast between two days: value by chance. */
export async function expectedOf(db: Queryable, asked: Asked): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    select coalesce(sum(n.value * s.chance / 100), 0)::numeric(18, 2)::text as value
    from (select o.stage_id, sum(o.value) as value from opportunities o where ${matching(db, asked)} group by 1) n
    join pipeline_stages s on s.id = n.stage_id`.execute(db)
  return rows[0]!.value
}

/** Cards by their ids, in no order; with the person that their contact is part of. */
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

/** Contacts whose data contain a text, at most so many. */
export async function searchContacts(db: Queryable, term: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, 1000)`.execute(db)
  return rows.map(({ id }) => id)
}

/** A person with all contacts that are part of them, whichever of them is named; empty where there is none. */
export async function partsOf(db: Queryable, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from contacts k join contacts c on c.tenant_id = k.tenant_id
      and (c.id = ${personOf('k')} or c.merged_into = ${personOf('k')})
    where k.id = ${contactId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What became of a card, the newest first. */
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
    .$if(before !== null, (query) => query.where('h.id', '<', before!))
    .orderBy('h.id', 'desc')
    .limit(limit)
    .execute()
}
