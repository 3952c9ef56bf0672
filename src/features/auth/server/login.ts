import { fail } from '#kit/errors.ts'
import { findInDirectory } from '#server/db/directory.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { passwordMatches, readPassword } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { findPasswordHash, readInstallation } from './queries.ts'
import { openSession } from './sessions.ts'

/** Logs in by e-mail or username; unknown accounts take as long and get the same answer as a wrong password. */
export async function login(platform: Platform, request: RequestInfo, input: { name: string; password: string }) {
  const network = networkOf(request.ip)
  const account = `${input.name}|${network}`
  await platform.limits.use('loginAddress', network, 'ERR_LIMIT_MAX')
  await platform.limits.use('login', account, 'ERR_LIMIT_MAX')
  const isLoopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip)
  const password = readPassword(input.password, platform.secrets, request.secure || isLoopback)
  const { known, domain, hasTenant } = await platform.db.asPlatform(async (db) => ({
    known: await findInDirectory(db, 'login', input.name),
    domain: await findInDirectory(db, 'domain', request.host.toLowerCase()),
    hasTenant: (await readInstallation(db)).hasTenant,
  }))
  if (!hasTenant) fail('ERROR_NO_PERMISSION_API_ADMIN')
  // For an unknown name the same is asked, of nobody.
  const { tenant_id: tenantId, subject_id: subject } = known ?? { tenant_id: 0, subject_id: '0' }
  const hash = await platform.db.read(tenantId, (db) => findPasswordHash(db, Number(subject)))
  const matches = await passwordMatches(hash, password)
  if (!known || !matches) return fail('ERR_INVALID_CREDENTIALS')
  if (domain && domain.tenant_id !== known.tenant_id) fail('INVALID_DOMAIN')
  if (known.status !== 'active') fail('ERR_TENANT_INACTIVE')
  await platform.limits.forget('login', account)
  return openSession(platform, request, tenantId, Number(subject))
}
