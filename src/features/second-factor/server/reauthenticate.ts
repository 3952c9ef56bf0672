import { fail } from '#kit/errors.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { passwordMatches, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { findPerson } from './queries.ts'

/**
 * Checks the logged-in user's password again; a wrong one is refused at its field, five attempts per minute. Must run
 * outside of a transaction, so that the count persists.
 */
export async function checkPassword(
  { platform, tenantId, user }: { platform: Platform; tenantId: number; user: { id: number } },
  request: RequestInfo,
  wire: string,
) {
  const key = `${tenantId}:${user.id}`
  await platform.limits.use('login', key, 'ERR_LIMIT_MAX')
  const person = await platform.db.read(tenantId, (db) => findPerson(db, user.id))
  const password = passwordOf(request, wire, platform.secrets)
  const matches = await passwordMatches(person?.password_hash ?? null, password)
  if (!person || !matches) return fail('ERR_VALIDATION', { password: 'A senha não confere.' })
  await platform.limits.forget('login', key)
  return person
}
