import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Tx } from '#server/db/db.ts'
import type { Removal } from '#server/db/removal.ts'

/** Returns the ids of all companies. */
export async function listTenants(db: Tx): Promise<number[]> {
  return (await db.selectFrom('tenants').select('id').orderBy('id').execute()).map(({ id }) => id)
}

/** Removes failed jobs; the queue itself removes successful ones. */
export const removeJobs: Removal = async (db, before, most) =>
  firstOf(
    (await sql<{ amount: number }>`select app.forget_jobs(${before}::timestamptz, ${most}) as amount`.execute(db)).rows,
  ).amount
