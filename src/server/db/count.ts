import type { SelectQueryBuilder } from 'kysely'
import type { Queryable } from './db.ts'

/** Counts the rows of a query, up to `most`. */
export async function countUpTo<DB, TB extends keyof DB, O>(
  db: Queryable,
  rows: SelectQueryBuilder<DB, TB, O>,
  most: number,
): Promise<number> {
  const { n } = await db
    .selectFrom(rows.limit(most).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
