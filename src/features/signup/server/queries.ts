import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import type { Plan } from '../contract.ts'
import { planTable } from '../table.ts'

/** Table access to plans, with their numbers of companies; requires platform database access. */
export const planRows = tableOf<Plan>(planTable, [
  sql`(select count(*) from tenants t where t.plan_id = plans.id) as tenants`,
])

/** Returns the first `most` plans on offer, cheapest first. */
export const listOffered = (db: Tx, most: number): Promise<Plan[]> =>
  planRows.page(db, { sort: 'value' }, { after: null, offset: 0, limit: most }, sql<SqlBool>`is_active`)

/** Whether a user cannot log in by e-mail before confirming it. */
export async function isWaiting(db: Tx, tenantId: number, userId: number): Promise<boolean> {
  const query = db
    .selectFrom('users')
    .select('waiting_email')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).waiting_email !== null
}
