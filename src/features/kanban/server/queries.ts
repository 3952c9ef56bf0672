import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
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

function within(db: Queryable, asked: Asked, column: Column, after: After) {
  if ('tag' in column) {
    let holders = db.selectFrom('contact_tags').select('contact_id').where('tag_id', '=', column.tag)
    if (after !== null) holders = holders.where('contact_id', '<', Number(after))
    // In their order, and each looked up by its id (`offset 0`: neither is merged with everybody in the order of ids).
    const marked = holders.orderBy('contact_id', 'desc').offset(sql.lit(0)).as('marked')
    const one = cards(db, asked)
      .select('contacts.id')
      .where(sql<SqlBool>`contacts.id = marked.contact_id`)
      .offset(sql.lit(0))
    return db
      .selectFrom(marked)
      .innerJoinLateral(one.as('contacts'), (join) => join.onTrue())
      .select(['contacts.id', 'contacts.id as key'])
      .orderBy('marked.contact_id', 'desc')
  }
  const all = cards(db, asked).select('contacts.id')
  if (column.kanban === null) {
    const unstaged = all.select('contacts.id as key').where('contacts.kanban', 'is', null)
    return (after === null ? unstaged : unstaged.where('contacts.id', '<', Number(after))).orderBy(
      'contacts.id',
      'desc',
    )
  }
  const staged = all.select('contacts.kanban_order as key').where('contacts.kanban', '=', column.kanban)
  return (after === null ? staged : staged.where('contacts.kanban_order', '>', String(after))).orderBy(
    'contacts.kanban_order',
  )
}

/** The next cards of a column, one more than are shown, by their ids and keys. */
export async function pageOfColumn(
  db: Queryable,
  asked: Asked,
  column: Column,
  after: After,
): Promise<{ id: number; key: string | number }[]> {
  const page = within(db, asked, column, after) as SelectQueryBuilder<
    DB,
    'contacts',
    { id: number; key: string | number }
  >
  return page.limit(sql.lit(PAGE + 1)).execute()
}

/** How many cards a column has, up to `COUNTED`. */
export async function countColumn(db: Queryable, asked: Asked, column: Column): Promise<number> {
  const all = within(db, asked, column, null) as SelectQueryBuilder<DB, 'contacts', { id: number }>
  const counted = all.limit(sql.lit(COUNTED))
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

/** Removes a stage. */
export async function removeStage(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('stages').where('id', '=', id).execute()
}
