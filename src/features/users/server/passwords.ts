import { AppError, fail, required } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { verifyAccessToken } from '#server/http/access-token.ts'
import type { RequestInfo, SlowCtx } from '#server/http/route.ts'
import { newHash, passwordMatches, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { removeLinks } from './confirm.ts'
import { findPasswordHash } from './queries.ts'
import { updatePerson } from './queries-change.ts'
import { revokeSessions } from './revoke.ts'

/** Decrypts a form's password (decision A12); an unreadable one is refused at its field. */
function typedPassword({ secrets }: Platform, request: RequestInfo, wire: string, field = 'password'): string {
  try {
    return passwordOf(request, wire, secrets)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return fail('ERR_VALIDATION', { [field]: 'A senha não pôde ser lida. Recarregue a página e tente de novo.' })
  }
}

/** Returns a form with its password, if any, decrypted. */
export const withTyped = <F extends { password?: string | undefined }>(
  platform: Platform,
  request: RequestInfo,
  form: F,
): F => (form.password === undefined ? form : { ...form, password: typedPassword(platform, request, form.password) })

/**
 * Throws a validation error at `current` unless it is the requesting user's password; attempts are rate-limited like those
 * of a login.
 */
export async function requireOwnPassword(
  { platform, tenantId, user }: SlowCtx,
  request: RequestInfo,
  wire: string,
): Promise<void> {
  const current = typedPassword(platform, request, wire, 'current')
  await platform.limits.use('login', `password|${tenantId}:${user.id}`, 'ERR_LIMIT_MAX')
  const stored = await platform.db.read(tenantId, (db) => findPasswordHash(db, user.id))
  if (!(await passwordMatches(stored, current)))
    fail('ERR_VALIDATION', {
      current: stored ? 'Esta não é a sua senha atual.' : 'Sua conta não tem senha: use “Esqueci a senha” na entrada.',
    })
  await platform.limits.forget('login', `password|${tenantId}:${user.id}`)
}

/** Changes the user's own password after checking the present one; returns the number of other devices logged out. */
export async function changeOwnPassword(
  ctx: SlowCtx,
  request: RequestInfo,
  form: { current: string; password: string; endOthers: boolean },
): Promise<{ ended: number }> {
  const { platform, tenantId, user } = ctx
  const password = typedPassword(platform, request, form.password)
  await requireOwnPassword(ctx, request, form.current)
  const hash = await newHash(password)
  const claims = await verifyAccessToken(platform, request.bearer ?? '')
  const { sessionId } = required(claims, 'ERR_SESSION_EXPIRED')
  return unit(platform, { tenantId, user }, async (ctx) => {
    await updatePerson(ctx.db, user.id, { password_hash: hash })
    await removeLinks(ctx, user.id, false)
    return { ended: form.endOthers ? await revokeSessions(ctx, user.id, { but: sessionId }, 'revoked') : 0 }
  })
}
