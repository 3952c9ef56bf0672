import type { RawBuilder } from 'kysely'
import type { Queryable, Tx } from './db.ts'

/** Deletes at most `most` rows that are older than a time, and answers how many; fewer than `most`: that was all. */
export type Removal = (db: Tx, before: Date, most: number) => Promise<number>

/** The same for one company; as the platform, because the application may not forget what happened to a message. */
export type CompanyRemoval = (db: Tx, before: Date, most: number, tenantId: number) => Promise<number>

/** Runs a deletion and answers how many rows it took. */
export const removed = async (db: Queryable, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n)
