import { fail } from '#kit/errors.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import type { Platform } from '#server/platform.ts'
import { type PlanFacts, planFacts } from './queries-plan.ts'

/**
 * Checks whether the company's plan permits a user's login now (decision A16). Throws ERR_TENANT_INACTIVE after the trial,
 * INVALID_LICENSE for users beyond the limit, LICENSE_ERROR if the plan cannot be read. The owner may always log in.
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

/** Returns the error code of a login refused by the plan; null if permitted. */
export function refusalOf(facts: PlanFacts, now: Date): 'ERR_TENANT_INACTIVE' | 'INVALID_LICENSE' | null {
  if (facts.trialEndsAt && facts.trialEndsAt <= now) return 'ERR_TENANT_INACTIVE'
  return facts.isFree || facts.usersBefore < facts.maxUsers ? null : 'INVALID_LICENSE'
}
