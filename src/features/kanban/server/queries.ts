import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Narrowing, narrowedContacts, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { COUNTED } from '#server/paging.ts'

/** Whose cards are asked for: those that the person may see, and a filter lets through. */
export type Asked = { readonly onlyFor: OnlyFor; readonly narrowing: Narrowing }

/** A column of the board: a stage, no stage (null), or a tag. */
export type Column = { readonly kanban: number | null } | { readonly tag: number }

/** Where a column goes on: behind this key of a stage, else behind this id. */
export type After = string | number | null

/** Up to so many cards of a column are read at once. */
export const PAGE = 50

const cards = (db: Queryable, { onlyFor, narrowing }: Asked) => narrowedContacts(db, onlyFor, narrowing)

function within(db: Queryable, asked: Asked, column: Column) {
  if ('kanban' in column)
    return cards(db, asked).where('contacts.kanban', column.kanban === null ? 'is' : '=', column.kanban)
  return cards(db, asked)
    .innerJoin('contact_tags as marked', (join) =>
      join.onRef('marked.tenant_id', '=', 'contacts.tenant_id').onRef('marked.contact_id', '=', 'contacts.id'),
    )
    .where('marked.tag_id', '=', column.tag)
}

// The order of a column, by which its index has it.
const keyOf = (
  column: Column,
): { key: RawBuilder<string | number>; way: 'asc' | 'desc'; beyond: RawBuilder<unknown> } => {
  if ('tag' in column) return { key: sql<number>`marked.contact_id`, way: 'desc', beyond: sql`<` }
  if (column.kanban === null) return { key: sql<number>`contacts.id`, way: 'desc', beyond: sql`<` }
  return { key: sql<string>`contacts.kanban_order`, way: 'asc', beyond: sql`>` }
}

/** The next cards of a column, one more than are shown, by their ids and keys. */
export async function pageOfColumn(
  db: Queryable,
  asked: Asked,
  column: Column,
  after: After,
): Promise<{ id: number; key: string | number }[]> {
  const { key, way, beyond } = keyOf(column)
  let page = within(db, asked, column).select(['contacts.id', key.as('key')])
  if (after !== null) page = page.where(sql<SqlBool>`${key} ${beyond} ${after}`)
  return page
    .orderBy(key, way)
    .limit(sql.lit(PAGE + 1))
    .execute()
}

/** How many cards a column has, up to `COUNTED`. */
export async function countColumn(db: Queryable, asked: Asked, column: Column): Promise<number> {
  const { key, way } = keyOf(column)
  const counted = within(db, asked, column).select('contacts.id').orderBy(key, way).limit(sql.lit(COUNTED))
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select((counting) => counting.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Those of some contacts that the person may see and the filter lets through. */
export async function seenOf(db: Queryable, asked: Asked, ids: readonly number[]): Promise<number[]> {
  const rows = await cards(db, asked)
    .select('contacts.id')
    .where(sql<SqlBool>`contacts.id = any(${[...ids]}::bigint[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** The newest live ticket of each contact, of those that meet a condition on `tickets`. */
export async function liveTickets(db: Queryable, contactIds: readonly number[], visible: RawBuilder<SqlBool>) {
  const rows = await db
    .selectFrom('tickets')
    .leftJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'tickets.tenant_id').onRef('users.id', '=', 'tickets.user_id'),
    )
    .distinctOn('tickets.contact_id')
    .select(['tickets.contact_id', 'tickets.id', 'tickets.status', 'users.name as username'])
    .select(['tickets.unread_messages', 'tickets.waiting_since'])
    .where(sql<SqlBool>`tickets.contact_id = any(${[...contactIds]}::bigint[])`)
    .where(sql<SqlBool>`tickets.status in ('open', 'pending')`)
    .where(visible)
    .orderBy('tickets.contact_id')
    .orderBy('tickets.updated_at', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.contact_id, row]))
}

/** The stages in their order. */
export const listStages = (db: Queryable) =>
  db.selectFrom('stages').select(['id', 'name', 'color']).orderBy('position').orderBy('id').execute()

/** The tags in use, by name. */
export const listTags = (db: Queryable) =>
  db
    .selectFrom('tags')
    .select(['id', 'tag', 'color'])
    .where('is_active', '=', true)
    .orderBy('tag')
    .orderBy('id')
    .execute()

/** Whether any contact stands in a stage. */
export async function stageIsUsed(db: Queryable, id: number): Promise<boolean> {
  const contact = await db.selectFrom('contacts').select('id').where('kanban', '=', id).limit(1).executeTakeFirst()
  return contact !== undefined
}

/** How many stages there are; nobody else makes one until the transaction ends. */
export async function countStages(db: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('stages', app.tenant()))`.execute(db)
  return (await listStages(db)).length
}

/** Removes a stage. */
export async function removeStage(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('stages').where('id', '=', id).execute()
}
