import type { RawBuilder } from 'kysely'
import type { Queryable, Tx } from './db.ts'

/** Deletes at most `most` rows that are older than a time, and answers how many; fewer than `most`: that was all. */
export type Removal = (db: Tx, before: Date, most: number) => Promise<number>

/** Removal for one company; as the platform, because the application role may not delete a message's history. */
export type CompanyRemoval = (db: Tx, before: Date, most: number, tenantId: number) => Promise<number>

/** Runs a deletion and answers how many rows it took. */
export const removed = async (db: Queryable, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n)
