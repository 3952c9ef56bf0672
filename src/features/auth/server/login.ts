import { hasSecondStep } from '#features/second-factor/server/index.ts'
import { fail } from '#kit/errors.ts'
import { findInDirectory } from '#server/db/directory.ts'
import { sourceOf } from '#server/http/device.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { passwordMatches, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { enter } from './enter.ts'
import { findPassword, readInstallation } from './queries.ts'
import { recorded, recordRefusal } from './refusals.ts'

/**
 * Logs in by e-mail or username, or returns the second step. Unknown accounts take the same time and get the same response
 * as a wrong password. After 200 failures a day from any addresses, a password suffices only on a known device, which has
 * 200 attempts of its own.
 */
export async function login(platform: Platform, request: RequestInfo, input: { name: string; password: string }) {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const password = passwordOf(request, input.password, platform.secrets)
  const [known, { hasTenant }] = await platform.db.askAsPlatform((db) =>
    Promise.all([findInDirectory(db, 'login', input.name), readInstallation(db)]),
  )
  if (!hasTenant) fail('ERROR_NO_PERMISSION_API_ADMIN')
  // For an unknown name the same queries run without a result.
  const { tenant_id: tenantId, subject_id: subject } = known ?? { tenant_id: 0, subject_id: '0' }
  const who = { tenantId, userId: Number(subject) }
  const stored = await platform.db.read(tenantId, (db) => findPassword(db, who.userId))
  const source = sourceOf(platform, request, stored ? { ...who, tokenVersion: stored.token_version } : null)
  const account = known ? `${tenantId}:${subject}` : `name ${input.name}`
  const attempts = `${account}|${source.key}`
  await platform.limits.use('login', attempts, 'ERR_LIMIT_MAX')
  // Counted before it is looked at, and given back if it was right: many at once are many.
  const day = source.isKnown ? attempts : account
  const isWithin = await platform.limits.isWithin('loginDay', day)
  const matches = await passwordMatches(stored?.password_hash ?? null, password)
  const isEnough = isWithin || (matches && (await hasSecondStep(platform, who)))
  if (!known || !matches || !isEnough) {
    const refusal = isWithin ? 'ERR_INVALID_CREDENTIALS' : 'ERR_LOGIN_LOCKED'
    await recordRefusal(platform, request, known ? who : null, refusal)
    return fail(refusal)
  }
  await platform.limits.giveBack('loginDay', day)
  const answer = await enter(platform, request, who, 'password').catch((error: unknown) =>
    recorded(platform, request, who, error),
  )
  // A correct password alone must not permit unlimited second steps.
  if ('token' in answer) await platform.limits.forget('login', attempts)
  return answer
}
