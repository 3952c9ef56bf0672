import { sql } from 'kysely'
import { type CompanyRemoval, removed } from '../db/removal.ts'

/** The beginning of the changes feed; who comes from before it reads everything again. */
export const removeChanges: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from changes where tenant_id = ${tenantId} and at < ${before} and seq in (
      select seq from changes where tenant_id = ${tenantId} order by seq limit ${most})`,
  )
