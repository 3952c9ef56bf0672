import { sql } from 'kysely'
import type { DB } from '#db/types.ts'
import { firstOf } from '#domain/present.ts'
import type { Tx } from './db.ts'

/** Locks the count of a company's rows of a table until the transaction ends: one transaction counts at a time. */
export async function lockCount(db: Tx, table: keyof DB): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${table}, app.tenant()))`.execute(db)
}

/** Returns the number of the company's rows in a table, with a lock until the transaction ends. */
export async function countLocked(db: Tx, table: keyof DB): Promise<number> {
  await lockCount(db, table)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)
  return firstOf(rows).n
}
