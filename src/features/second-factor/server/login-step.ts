import { type SecondStep, secondSteps } from '#domain/access/second-factor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { recordAudit } from '#server/audit.ts'
import { unit } from '#server/context.ts'
import { findInDirectory, forgetSubject, takeFromDirectory } from '#server/db/directory.ts'
import { countTry, writeOnce } from '#server/db/directory-steps.ts'
import { sourceOf } from '#server/http/device.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { newToken } from '#server/secrets.ts'
import { acceptCode, beginApp, confirmApp, limitCodes } from './app-code.ts'
import { findFactors, findPerson } from './queries.ts'

const KIND = 'a2f'
const LIFETIME_MS = 5 * 60_000
const MOST_TRIES = 5

/** User after the first factor, with its method. */
type Person = { tenantId: number; userId: number; method: 'password' | 'code' | 'oidc' }
type Awaited = { tries: number; method: Person['method']; steps: SecondStep[] }

/**
 * Returns the missing second step after the first factor: a key valid for five minutes, and the methods. Null if the login
 * is complete. It is stored in the directory, so that any process can complete it.
 */
export async function askSecondStep(
  platform: Platform,
  { tenantId, userId, method }: Person,
): Promise<{ pendingSessionId: string; methods: SecondStep[] } | null> {
  const settings = await platform.settings.get(String(tenantId))
  const factors = await platform.db.read(tenantId, (db) => findFactors(db, userId))
  const steps = secondSteps(factors, isOn(settings, 'requireSecondFactor'))
  if (steps.length === 0) return null
  const pendingSessionId = newToken()
  const now = platform.now()
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  const data: Awaited = { tries: 0, method, steps }
  await platform.db.asPlatform((db) =>
    writeOnce(db, { kind: KIND, key: pendingSessionId, tenantId, userId, data, expiresAt, now }),
  )
  return { pendingSessionId, methods: steps }
}

/** Whether a user has an own second factor, so that a password alone does not suffice. */
export async function hasSecondStep({ db }: Platform, who: { tenantId: number; userId: number }): Promise<boolean> {
  const { hasApp, passkeys } = await db.read(who.tenantId, (tenant) => findFactors(tenant, who.userId))
  return hasApp || passkeys > 0
}

/** Returns the app secret for a user who must enrol before the first session. */
export async function enrolInLogin(platform: Platform, request: RequestInfo, pendingSessionId: string) {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const step = await platform.db.asPlatform((db) => findInDirectory(db, KIND, pendingSessionId))
  const isOver = !step || step.expires_at! < platform.now()
  if (isOver || !(step.data as Awaited).steps.includes('enrol')) return fail('ERR_A2F_OVER')
  return unit(platform, { tenantId: step.tenant_id, user: null }, (ctx) => beginApp(ctx, Number(step.subject_id)))
}

/**
 * Checks the code of the second step and completes it; an enrolment returns recovery codes. Each attempt is counted before
 * the check, so that parallel guesses count too.
 */
export async function finishSecondStep(
  platform: Platform,
  request: RequestInfo,
  { pendingSessionId, code }: { pendingSessionId: string; code: string },
): Promise<Person & { recoveryCodes: string[] | null }> {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const step = await platform.db.asPlatform((db) => countTry(db, KIND, pendingSessionId, platform.now(), MOST_TRIES))
  if (!step) return fail('ERR_A2F_OVER')
  const tenantId = step.tenant_id
  const userId = Number(step.subject_id)
  const { tries, method, steps } = step.data as Awaited
  const person = await platform.db.read(tenantId, (db) => findPerson(db, userId))
  const account = person ? { tenantId, userId, tokenVersion: person.token_version } : null
  const forgetTries = await limitCodes(platform, { tenantId, userId }, sourceOf(platform, request, account), code)
  const { isRight, recoveryCodes } = await unit(platform, { tenantId, user: null }, async (ctx) => {
    if (!steps.includes('enrol')) return { isRight: await acceptCode(ctx, userId, code), recoveryCodes: null }
    const made = await confirmApp(ctx, userId, code, { isFirst: true })
    return { isRight: made !== null, recoveryCodes: made }
  })
  if (!isRight) {
    await recordRefusal(platform, request, tenantId, userId, person)
    return fail(tries < MOST_TRIES ? 'ERR_A2F_INVALID' : 'ERR_A2F_OVER')
  }
  const ended = await platform.db.asPlatform((db) => takeFromDirectory(db, KIND, pendingSessionId))
  if (!ended) return fail('ERR_A2F_OVER')
  await platform.db.asPlatform((db) => forgetSubject(db, KIND, tenantId, String(userId)))
  await forgetTries()
  return { tenantId, userId, method, recoveryCodes }
}

async function recordRefusal(
  platform: Platform,
  request: RequestInfo,
  tenantId: number,
  userId: number,
  person: { name: string; profile: string } | undefined,
) {
  await recordAudit(platform, tenantId, {
    action: 'secondFactor.refused',
    actor: { id: userId, name: person?.name ?? '', profile: person?.profile ?? '' },
    from: request,
    result: 'ERR_A2F_INVALID',
  })
}
