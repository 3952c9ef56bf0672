import type { z } from 'zod'
import { userEvents } from '#features/users/contract.ts'
import { AppError, fail, required } from '#kit/errors.ts'
import { type SettingKey, settingsRegistry } from '#kit/settings.ts'
import { unit } from '#server/context.ts'
import { addToDirectory, findInDirectory, forgetSubject } from '#server/db/directory.ts'
import { signAccessToken } from '#server/http/access-token.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { newToken, sha256 } from '#server/secrets.ts'
import type { loginAnswer } from '../contract.ts'
import { findUserForLogin, insertSession, lockSession, markPresence, updateSession } from './queries.ts'

const COOKIE = 'guiche_refresh'
const PATH = '/api/auth'
const LIFETIME_SECONDS = 30 * 24 * 3600
const GRACE_MS = 30_000

/** Opens a session on this device: access token in the answer, refresh token in an httpOnly cookie (decision A30). */
export async function openSession(
  platform: Platform,
  request: RequestInfo,
  tenantId: number,
  userId: number,
): Promise<z.input<typeof loginAnswer>> {
  const now = platform.now()
  const refreshToken = newToken()
  const sessionId = uuidv7(now.getTime())
  const expiresAt = new Date(now.getTime() + LIFETIME_SECONDS * 1000)
  await platform.db.asPlatform((db) =>
    addToDirectory(db, { kind: 'refresh', key: refreshToken, tenantId, subjectId: sessionId, expiresAt }),
  )
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const found = required(await findUserForLogin(ctx.db, userId), 'ERR_INVALID_CREDENTIALS')
    const { user, queues, connections } = found
    await insertSession(ctx.db, {
      tenant_id: tenantId,
      id: sessionId,
      user_id: userId,
      refresh_hash: sha256(refreshToken),
      user_agent: request.userAgent.slice(0, 300),
      ip: request.ip,
      expires_at: expiresAt,
    })
    await markPresence(ctx.db, userId, { is_online: true, last_login: now })
    ctx.emit(userEvents.online, { action: 'update', data: { userId, isOnline: true } }, { kind: 'tenant' })
    request.setCookie(COOKIE, refreshToken, { path: PATH, maxAgeSeconds: LIFETIME_SECONDS })
    const configs = user.configs as { filtrosAtendimento?: unknown; isDark?: boolean }
    return {
      token: await signAccessToken(platform, {
        userId,
        tenantId,
        sessionId,
        tokenVersion: user.token_version,
        username: user.name,
        profile: user.profile,
      }),
      username: user.name,
      email: user.email,
      profile: user.profile as 'user',
      userId,
      tenantId,
      queues,
      blockWavoip: user.block_wavoip,
      whatsappAllowed: connections,
      configs: { filtrosAtendimento: configs.filtrosAtendimento ?? null, isDark: configs.isDark ?? null },
      settings: Object.fromEntries(
        (Object.keys(settingsRegistry) as SettingKey[])
          .filter((key) => key !== 'systemColors')
          .map((key) => [key, ctx.settings.values[key]]),
      ),
      menuVisibility: JSON.parse(ctx.settings.values.menuVisibility) as Record<string, boolean>,
    }
  })
}

/**
 * Exchanges the cookie for a new access token and rotates it. The predecessor is accepted for 30 s and gets the same
 * successor, so that two tabs do not log each other out; a later reuse ends the session (decision B24).
 */
export async function refreshSession(platform: Platform, request: RequestInfo): Promise<{ token: string }> {
  const token = request.cookies[COOKIE] ?? fail('ERR_SESSION_EXPIRED')
  const known = await platform.db.asPlatform((db) => findInDirectory(db, 'refresh', token))
  if (!known) return fail('ERR_SESSION_EXPIRED')
  if (known.status !== 'active') return fail('ERR_TENANT_INACTIVE')
  const tenantId = known.tenant_id
  const sessionId = known.subject_id
  const next = platform.secrets.nextRefreshToken(token)
  const now = platform.now()
  const expiresAt = new Date(now.getTime() + LIFETIME_SECONDS * 1000)
  const result = await unit(platform, { tenantId, user: null }, async (ctx) => {
    const session = await lockSession(ctx.db, sessionId)
    if (!session || session.revoked_at || session.expires_at < now) return null
    const presented = sha256(token)
    if (presented.equals(session.refresh_hash)) {
      await updateSession(ctx.db, sessionId, {
        refresh_hash: sha256(next),
        previous_hash: presented,
        previous_until: new Date(now.getTime() + GRACE_MS),
        last_used_at: now,
        expires_at: expiresAt,
      })
    } else if (!(session.previous_hash && presented.equals(session.previous_hash) && session.previous_until! > now)) {
      await updateSession(ctx.db, sessionId, { revoked_at: now })
      ctx.stale(`revokedSessions ${tenantId}:${sessionId}`)
      return null
    }
    const found = await findUserForLogin(ctx.db, session.user_id)
    return found && { ...found.user, sessionId }
  })
  if (!result) {
    request.clearCookie(COOKIE, PATH)
    throw new AppError('ERR_SESSION_EXPIRED')
  }
  await platform.db.asPlatform((db) =>
    addToDirectory(db, { kind: 'refresh', key: next, tenantId, subjectId: sessionId, expiresAt }),
  )
  request.setCookie(COOKIE, next, { path: PATH, maxAgeSeconds: LIFETIME_SECONDS })
  return {
    token: await signAccessToken(platform, {
      userId: result.id,
      tenantId,
      sessionId,
      tokenVersion: result.token_version,
      username: result.name,
      profile: result.profile,
    }),
  }
}

/** Ends the session of this device; a logout without one is fine. */
export async function closeSession(platform: Platform, request: RequestInfo): Promise<void> {
  const token = request.cookies[COOKIE]
  request.clearCookie(COOKIE, PATH)
  if (!token) return
  const known = await platform.db.asPlatform((db) => findInDirectory(db, 'refresh', token))
  if (!known) return
  const { tenant_id: tenantId, subject_id: sessionId } = known
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    const session = await lockSession(ctx.db, sessionId)
    if (!session) return
    await updateSession(ctx.db, sessionId, { revoked_at: platform.now() })
    await markPresence(ctx.db, session.user_id, { is_online: false, last_logout: platform.now() })
    ctx.emit(
      userEvents.online,
      { action: 'update', data: { userId: session.user_id, isOnline: false } },
      { kind: 'tenant' },
    )
    ctx.stale(`revokedSessions ${tenantId}:${sessionId}`)
  })
  await platform.db.asPlatform((db) => forgetSubject(db, 'refresh', tenantId, sessionId))
}
