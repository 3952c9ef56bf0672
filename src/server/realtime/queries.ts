import { sql } from 'kysely'
import { type CompanyRemoval, removed } from '../db/removal.ts'
import type { Forgetting } from '../forgetting.ts'

/** Nobody is told more than the last five thousand; the others are for processes that are behind. */
const MOST_RECORDED = 20_000

/** The beginning of the changes feed: what is old, and what is too far back; who comes from before it reads everything again. */
export const removeChanges: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from changes where tenant_id = ${tenantId} and seq in (
      select seq from changes where tenant_id = ${tenantId} order by seq limit ${most})
      and (at < ${before} or seq <= (select last_seq - ${sql.lit(MOST_RECORDED)} from feed_heads where tenant_id = ${tenantId}))`,
  )

/** The changes feed of a company, up to now: whoever was away reads everything again, and nothing that was said stands in it. */
export const forgetChanges: Forgetting = async ({ db }) => {
  await sql`delete from changes`.execute(db)
}
