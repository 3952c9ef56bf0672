import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import { type Narrowing, narrowedContacts, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { COUNTED } from '#server/paging.ts'

/** Filter of cards: visible to the user, and matching the narrowing. */
export type Asked = { readonly onlyFor: OnlyFor; readonly narrowing: Narrowing }

/** Column of the board: a stage, no stage (null), or a tag. */
export type Column = { readonly kanban: number | null } | { readonly tag: number }

/** Cursor of a column: an order key within a stage, else an id. */
export type After = string | number | null

/** Maximum number of cards read at once per column. */
export const PAGE = 50

const cards = (db: Queryable, { onlyFor, narrowing }: Asked) => narrowedContacts(db, onlyFor, narrowing)

function within(db: Queryable, asked: Asked, column: Column, after: After) {
  if ('tag' in column) {
    let holders = db.selectFrom('contact_tags').select('contact_id').where('tag_id', '=', column.tag)
    if (after !== null) holders = holders.where('contact_id', '<', Number(after))
    // `offset 0` keeps the order and a look-up per id: a merge join would read all contacts.
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

/** Returns ids and keys of a column's next cards, one more than shown. */
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

/** Counts a column's cards, up to `COUNTED`. */
export async function countColumn(db: Queryable, asked: Asked, column: Column): Promise<number> {
  const all = within(db, asked, column, null) as SelectQueryBuilder<DB, 'contacts', { id: number }>
  const counted = all.limit(sql.lit(COUNTED))
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select((counting) => counting.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Returns those of the contacts that the user may see and the filter matches. */
export async function seenOf(db: Queryable, asked: Asked, ids: readonly number[]): Promise<number[]> {
  const rows = await cards(db, asked)
    .select('contacts.id')
    .where(sql<SqlBool>`contacts.id = any(${[...ids]}::bigint[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the stages in order. */
export const listStages = (db: Queryable) =>
  db.selectFrom('stages').select(['id', 'name', 'color']).orderBy('position').orderBy('id').execute()

/** Returns the tags in use, by name. */
export const listTags = (db: Queryable) =>
  db
    .selectFrom('tags')
    .select(['id', 'tag', 'color'])
    .where('is_active', '=', true)
    .orderBy('tag')
    .orderBy('id')
    .execute()

/** Whether any contact is in a stage. */
export async function stageIsUsed(db: Queryable, id: number): Promise<boolean> {
  const contact = await db.selectFrom('contacts').select('id').where('kanban', '=', id).limit(1).executeTakeFirst()
  return contact !== undefined
}

/** Removes a stage. */
export async function removeStage(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('stages').where('id', '=', id).execute()
}
