import { sql } from 'kysely'
import type { Image } from '#domain/bulk/undo.ts'
import type { Card, CardFields, Change } from '#domain/funnel/card.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Card with the fields that changes need. */
export type LockedCard = Card & {
  readonly id: number
  readonly pipelineId: number
  readonly rank: string
  readonly entry: number
  readonly contactId: number
  readonly name: string
  readonly description: string
  readonly reason: string
  readonly fields: CardFields
}

/** Locks cards until the end of the transaction, in order of id; omits missing ones. */
export async function lockCards(db: Tx, ids: readonly number[]): Promise<LockedCard[]> {
  const { rows } = await sql<LockedCard>`
    select id, pipeline_id as "pipelineId", stage_id as "stageId", rank, entry, contact_id as "contactId",
      responsible_id as "responsibleId", closing_forecast::text as "closingForecast", value::text as value,
      status, name, description, reason, coalesce((select jsonb_object_agg(v.field_id, v.value)
        from opportunity_field_values v where v.tenant_id = o.tenant_id and v.opportunity_id = o.id), '{}') as fields
    from opportunities o where id = any(${bigints(ids)}) order by id for no key update of o`.execute(db)
  return rows
}

/**
 * Locks stages until the end of the transaction, in order of id, so that no concurrent transaction adds a card; omits
 * missing ones.
 */
export async function lockStages(db: Tx, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; pipelineId: number; position: number }>`
    select id, pipeline_id as "pipelineId", position from pipeline_stages where id = any(${bigints(ids)})
    order by id for no key update`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the sort keys around a place before a card of a stage, or at its end (null); undefined if the card is not there. */
export async function findGap(
  db: Queryable,
  stageId: number,
  { before, moving }: { readonly before: number | null; readonly moving: readonly number[] },
): Promise<{ from: string | null; to: string | null } | undefined> {
  const others = sql`stage_id = ${stageId} and id <> all(${bigints(moving)})`
  const end = await sql<{ key: string }>`
    select rank as key from opportunities where ${others} and id = ${before}`.execute(db)
  if (before !== null && end.rows.length === 0) return undefined
  const to = end.rows[0]?.key ?? null
  const { rows } = await sql<{ key: string }>`
    select rank as key from opportunities where ${others} ${to === null ? sql`` : sql`and rank < ${to}`}
    order by rank desc limit 1`.execute(db)
  return { from: rows[0]?.key ?? null, to }
}

/** Returns the number of cards in a stage, and its last key. */
export async function extentOf(db: Queryable, stageId: number): Promise<{ count: number; last: string | null }> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    select count(*)::int as count, max(rank) as last from opportunities where stage_id = ${stageId}`.execute(db)
  return firstOf(rows)
}

/** Rewrites the sort keys of a stage's cards in order; `keys` has one for each. */
export async function saveKeys(db: Tx, stageId: number, keys: readonly string[]): Promise<void> {
  await sql`update opportunities c set rank = n.key
    from (select id, row_number() over (order by rank) as turn from opportunities where stage_id = ${stageId}) o
    join unnest(${[...keys]}::text[]) with ordinality n (key, turn) using (turn)
    where c.tenant_id = app.tenant() and c.id = o.id`.execute(db)
}

/** Creation of a card: author, time, number of consecutive actions, and (`source`) the wish of another feature. */
type Made = {
  readonly userId: number | null
  readonly now: Date
  readonly depth: number
  readonly source: string | null
}

/** Inserts a card and returns its id. */
export async function insertCard(db: Tx, card: Omit<LockedCard, 'id' | 'entry'> & Made): Promise<number> {
  const { now } = card
  const { id } = await db
    .insertInto('opportunities')
    .values({
      ...{ tenant_id: sql<number>`app.tenant()`, pipeline_id: card.pipelineId, stage_id: card.stageId },
      ...{ rank: card.rank, contact_id: card.contactId, responsible_id: card.responsibleId, name: card.name },
      ...{ description: card.description, value: card.value, closing_forecast: card.closingForecast },
      ...{ status: card.status, reason: card.reason, stage_since: now, moved_at: now, user_id: card.userId },
      ...{ closed_at: card.status === 'open' ? null : now, created_at: now, updated_at: now },
      ...{ depth: card.depth, source: card.source },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return Number(id)
}

/** Updates cards; `isMoved`, `isEntered`, `isEnded` set the corresponding times. A user's change increments the revision. */
export async function updateCards(
  db: Tx,
  cards: readonly (LockedCard & {
    readonly isMoved: boolean
    readonly isEntered: boolean
    readonly isEnded: boolean
  })[],
  { by, now, depth }: { readonly by: number | null; readonly now: Date; readonly depth: number },
): Promise<void> {
  await sql`update opportunities o set
      pipeline_id = n."pipelineId", stage_id = n."stageId", rank = n.rank, entry = n.entry,
      responsible_id = n."responsibleId", closing_forecast = n."closingForecast", value = n.value, status = n.status,
      name = n.name, description = n.description, reason = n.reason,
      stage_since = case when n."isEntered" then ${now}::timestamptz else o.stage_since end,
      depth = case when n."isEntered" then ${depth}::int else o.depth end,
      moved_at = case when n."isMoved" then ${now}::timestamptz else o.moved_at end,
      closed_at = case when n.status = 'open' then null when n."isEnded" then ${now}::timestamptz else o.closed_at end,
      revision = o.revision + 1, changed_by = ${by}::bigint, changed_at = ${now}, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(cards)}::jsonb) as n (id bigint, "pipelineId" bigint, "stageId" bigint,
      rank text, entry int, "responsibleId" bigint, "closingForecast" date, value numeric, status text, name text,
      description text, reason text, "isMoved" boolean, "isEntered" boolean, "isEnded" boolean)
    where o.tenant_id = app.tenant() and o.id = n.id`.execute(db)
}

/** Row of the history to insert. */
export type HistoryRow = Change & {
  readonly opportunityId: number
  readonly entry: number
  readonly advanced: boolean | null
}

/** Inserts rows of the history. */
export async function insertHistory(
  db: Tx,
  rows: readonly HistoryRow[],
  { by, now }: { readonly by: number | null; readonly now: Date },
): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into opportunity_history
      (tenant_id, opportunity_id, kind, field_id, before, after, advanced, entry, user_id, at)
    select app.tenant(), n."opportunityId", n.kind, n."fieldId", n.before, n.after, n.advanced, n.entry, ${by}::bigint, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, turn) => ({ ...row, turn })))}::jsonb)
      as n ("opportunityId" bigint, kind text, "fieldId" bigint, before text, after text, advanced boolean, entry int, turn int)
    order by n.turn`.execute(db)
}

/** Counts cards that left a stage, and those of them that advanced. */
export async function countExits(
  db: Tx,
  stageId: number,
  { exits, advances }: { readonly exits: number; readonly advances: number },
): Promise<void> {
  await sql`update pipeline_stages set exits = exits + ${exits}, advances = advances + ${advances}
    where id = ${stageId}`.execute(db)
}

/** Deletes a card with its history. */
export async function removeCard(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('opportunities').where('id', '=', id).execute()
}

/** Returns the first cards of a stage or pipeline, in any status; at most `most`. */
export async function firstCards(
  db: Queryable,
  where: { readonly stageId: number } | { readonly pipelineId: number },
  most: number,
): Promise<number[]> {
  const condition = 'stageId' in where ? sql`stage_id = ${where.stageId}` : sql`pipeline_id = ${where.pipelineId}`
  const { rows } = await sql<{ id: number }>`
    select id from opportunities where ${condition} order by stage_id, rank limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the cards of a user, at most `most`. */
export async function cardsOfOwner(db: Queryable, userId: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from opportunities where responsible_id = ${userId} order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Checks that a user exists and is active. */
export async function isColleague(db: Queryable, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the fields of cards that an undo compares and restores. */
export async function cardImages(db: Queryable, ids: readonly number[]): Promise<Map<number, Image>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Image & { id: number }>`
    select o.id, o.revision, '' as mark, o.changed_by as "changedBy", to_jsonb(o.changed_at) as "changedAt",
      jsonb_build_object('stageId', o.stage_id, 'status', o.status, 'reason', o.reason,
        'responsibleId', o.responsible_id) as fields
    from opportunities o where o.id = any(${bigints(ids)})`.execute(db)
  return new Map(rows.map(({ id, ...image }) => [id, image]))
}

/** Restores the revisions of cards after an undo. */
export async function countBack(
  db: Tx,
  counts: readonly ({ readonly id: number } & Pick<Image, 'revision' | 'changedBy' | 'changedAt'>)[],
): Promise<void> {
  await sql`update opportunities o set revision = b.revision, changed_by = b."changedBy", changed_at = b."changedAt"
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
      as b (id bigint, revision int, "changedBy" bigint, "changedAt" timestamptz)
    where o.tenant_id = app.tenant() and o.id = b.id`.execute(db)
}

/** Erases texts of contacts' cards; values stay. */
export async function emptyCards(db: Tx, contactIds: readonly number[]): Promise<void> {
  await sql`delete from opportunity_field_values v using opportunities o
    where v.tenant_id = app.tenant() and o.tenant_id = v.tenant_id and o.id = v.opportunity_id
      and o.contact_id = any(${bigints(contactIds)})`.execute(db)
  await sql`select app.erase_opportunity_texts(${bigints(contactIds)})`.execute(db)
  await sql`update opportunities set name = 'Oportunidade', description = '', reason = ''
    where contact_id = any(${bigints(contactIds)})`.execute(db)
}
