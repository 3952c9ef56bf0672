import { sql } from 'kysely'
import { type CompanyRemoval, removed } from '../db/removal.ts'
import type { Forgetting } from '../forgetting.ts'

/**
 * Maximum number of stored changes. A client receives at most the last five thousand; the others are for processes that are
 * behind.
 */
const MOST_RECORDED = 20_000

/**
 * Deletes the beginning of the changes feed: what is old, and what is beyond the maximum; clients with an earlier cursor
 * reload everything.
 */
export const removeChanges: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from changes where tenant_id = ${tenantId} and seq in (
      select seq from changes where tenant_id = ${tenantId} order by seq limit ${most})
      and (at < ${before} or seq <= (select last_seq - ${sql.lit(MOST_RECORDED)} from feed_heads where tenant_id = ${tenantId}))`,
  )

/**
 * Empties the changes feed of a company, because its entries repeat messages; clients that were away reload everything.
 */
export const forgetChanges: Forgetting = async ({ db }) => {
  await sql`delete from changes`.execute(db)
}
