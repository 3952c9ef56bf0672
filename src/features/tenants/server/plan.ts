import { fail } from '#kit/errors.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import type { Platform } from '#server/platform.ts'
import { type PlanFacts, planFacts } from './queries-plan.ts'

/**
 * Whether the company's plan lets this user in now (decision A16): ERR_TENANT_INACTIVE after the trial, INVALID_LICENSE
 * for whoever comes after the number of users, LICENSE_ERROR when nothing can be read. The owner always gets in.
 */
export async function checkPlan(platform: Platform, tenantId: number, userId: number): Promise<void> {
  const facts = await platform.db
    .askAsPlatform((db) => planFacts(db, tenantId, userId))
    .catch((err: unknown) => {
      if (isInfrastructure(err)) throw err
      platform.log.error({ err, tenantId }, 'the plan could not be read')
      return fail('LICENSE_ERROR')
    })
  const refusal = facts ? refusalOf(facts, platform.now()) : 'LICENSE_ERROR'
  if (refusal) fail(refusal)
}

/** Why somebody may not come in; null when they may. */
export function refusalOf(facts: PlanFacts, now: Date): 'ERR_TENANT_INACTIVE' | 'INVALID_LICENSE' | null {
  if (facts.trialEndsAt && facts.trialEndsAt <= now) return 'ERR_TENANT_INACTIVE'
  return facts.isFree || facts.usersBefore < facts.maxUsers ? null : 'INVALID_LICENSE'
}
