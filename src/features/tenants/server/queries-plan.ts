import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/**
 * Plan data for a user's login: end of the trial, user limit, and number of users before this one (the owner first, then by
 * account age). `isFree`: the owner and superadmins do not count.
 */
export type PlanFacts = { trialEndsAt: Date | null; maxUsers: number; usersBefore: number; isFree: boolean }

/** Reads the plan data of a user; undefined without the company, the user, or the plan. */
export async function planFacts(db: Queryable, tenantId: number, userId: number): Promise<PlanFacts | undefined> {
  const { rows } = await sql<PlanFacts>`
    select t.trial_ends_at as "trialEndsAt", t.max_users as "maxUsers",
      u.id = coalesce(t.owner_id, 0) or u.profile = 'superadmin' as "isFree",
      (select count(*) from users o where o.tenant_id = t.id and o.is_active
        and (o.id < u.id or o.id = t.owner_id) and o.id <> u.id) as "usersBefore"
    from tenants t join users u on u.tenant_id = t.id left join plans p on p.id = t.plan_id
    where t.id = ${tenantId} and u.id = ${userId} and (t.plan_id is null or p.id is not null)`.execute(db)
  return rows[0]
}
