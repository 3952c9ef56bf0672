import { fail } from '#kit/errors.ts'
import { findInDirectory } from '#server/db/directory.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { passwordMatches, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { enter } from './enter.ts'
import { findPasswordHash, readInstallation } from './queries.ts'
import { recorded, recordRefusal } from './refusals.ts'

/**
 * Logs in by e-mail or username, or asks for the second step; unknown accounts take as long and get the same answer as a
 * wrong password.
 */
export async function login(platform: Platform, request: RequestInfo, input: { name: string; password: string }) {
  const network = networkOf(request.ip)
  const account = `${input.name}|${network}`
  await platform.limits.use('loginAddress', network, 'ERR_LIMIT_MAX')
  await platform.limits.use('login', account, 'ERR_LIMIT_MAX')
  const password = passwordOf(request, input.password, platform.secrets)
  const { known, hasTenant } = await platform.db.asPlatform(async (db) => ({
    known: await findInDirectory(db, 'login', input.name),
    hasTenant: (await readInstallation(db)).hasTenant,
  }))
  if (!hasTenant) fail('ERROR_NO_PERMISSION_API_ADMIN')
  // For an unknown name the same is asked, of nobody.
  const { tenant_id: tenantId, subject_id: subject } = known ?? { tenant_id: 0, subject_id: '0' }
  const hash = await platform.db.read(tenantId, (db) => findPasswordHash(db, Number(subject)))
  const matches = await passwordMatches(hash, password)
  const who = { tenantId, userId: Number(subject) }
  if (!known || !matches) {
    await recordRefusal(platform, request, known ? who : null, 'ERR_INVALID_CREDENTIALS')
    return fail('ERR_INVALID_CREDENTIALS')
  }
  const answer = await enter(platform, request, who, 'password').catch((error: unknown) =>
    recorded(platform, request, who, error),
  )
  // Who has only the password may not begin second steps without end.
  if ('token' in answer) await platform.limits.forget('login', account)
  return answer
}
