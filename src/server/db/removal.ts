import type { RawBuilder } from 'kysely'
import type { Queryable, Tx } from './db.ts'

/** Deletes at most `most` rows older than a time, and returns their number; fewer than `most`: none are left. */
export type Removal = (db: Tx, before: Date, most: number) => Promise<number>

/**
 * Removal for one company; requires platform database access, because the application role may not delete a message's
 * history.
 */
export type CompanyRemoval = (db: Tx, before: Date, most: number, tenantId: number) => Promise<number>

/** Runs a deletion and returns the number of deleted rows. */
export const removed = async (db: Queryable, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n)
