import { fail } from '#kit/errors.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { passwordMatches, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { findPerson } from './queries.ts'

/**
 * Asks once more for the password of whoever is logged in; a wrong one is told at its field, five times a minute. Outside of
 * a unit of work: what is counted stays counted.
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
