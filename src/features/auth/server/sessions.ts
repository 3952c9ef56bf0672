import type { z } from 'zod'
import { checkPlan } from '#features/tenants/server/index.ts'
import { userEvents } from '#features/users/contract.ts'
import {
  insertSession,
  lockSession,
  markPresence,
  revokeSessions,
  supportEnd,
  updateSession,
} from '#features/users/server/index.ts'
import { supportEvents } from '#features/users/support-events.ts'
import { AppError, fail, required } from '#kit/errors.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import { personOf } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { addToDirectory, findInDirectory, forgetSubject } from '#server/db/directory.ts'
import { signAccessToken } from '#server/http/access-token.ts'
import { rememberDevice } from '#server/http/device.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { newToken, sha256 } from '#server/secrets.ts'
import { sessionPermissionsOf } from '#server/session-permissions.ts'
import type { loginAnswer } from '../contract.ts'
import { assertWithinHours } from './hours.ts'
import { findUserForLogin } from './queries.ts'

const COOKIE = 'guiche_refresh'
const PATH = '/api/auth'
const LIFETIME_SECONDS = 30 * 24 * 3600
const GRACE_MS = 30_000

/** Authentication method of a session. */
export type SessionMethod = 'password' | 'code' | 'passkey' | 'oidc' | 'masterkey'

/** Returns the expiry of a session used now: 30 days, or its fixed end if earlier. */
const lifetime = (now: Date, endsAt: Date | null): Date =>
  new Date(Math.min(now.getTime() + LIFETIME_SECONDS * 1000, endsAt?.getTime() ?? Number.POSITIVE_INFINITY))

const setCookie = (request: RequestInfo, token: string, now: Date, expiresAt: Date): void =>
  request.setCookie(COOKIE, token, {
    path: PATH,
    maxAgeSeconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1000),
  })

/**
 * Opens a session on this device: access token in the response, refresh token in an httpOnly cookie (decision A30). Ends
 * this browser's previous session, and those on other devices if the company permits one device only. Throws OUT_RANGE
 * outside of the user's own hours, and as `checkPlan` does. `endsAt`: an expiry that no refresh extends; support sessions
 * always have one, and the company is notified of them.
 */
export async function openSession(
  platform: Platform,
  request: RequestInfo,
  tenantId: number,
  userId: number,
  { method = 'password', endsAt: until = null }: { method?: SessionMethod; endsAt?: Date | null } = {},
): Promise<z.input<typeof loginAnswer>> {
  const now = platform.now()
  const byMasterKey = method === 'masterkey'
  await checkPlan(platform, tenantId, userId)
  const refreshToken = newToken()
  const sessionId = uuidv7(now.getTime())
  const cookie = request.cookies[COOKIE]
  const before = cookie ? await platform.db.askAsPlatform((db) => findInDirectory(db, 'refresh', cookie)) : null
  await platform.db.asPlatform((db) =>
    addToDirectory(db, {
      kind: 'refresh',
      key: refreshToken,
      tenantId,
      subjectId: sessionId,
      expiresAt: lifetime(now, until),
    }),
  )
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const found = required(await findUserForLogin(ctx.db, userId), 'ERR_INVALID_CREDENTIALS')
    const { user } = found
    if (!byMasterKey) assertWithinHours(user, ctx.settings, now)
    const endsAt = until ?? (user.is_support ? supportEnd(now) : null)
    const expiresAt = lifetime(now, endsAt)
    await insertSession(ctx.db, {
      tenant_id: tenantId,
      id: sessionId,
      user_id: userId,
      refresh_hash: sha256(refreshToken),
      user_agent: request.userAgent.slice(0, 300),
      ip: request.ip,
      expires_at: expiresAt,
      method,
      ends_at: endsAt,
    })
    if (before?.tenant_id === tenantId) await revokeSessions(ctx, userId, { only: before.subject_id }, 'left')
    // A support session does not end the user's own sessions.
    if (isOn(ctx.settings, 'forceLogout') && !byMasterKey)
      await revokeSessions(ctx, userId, { but: sessionId }, 'forced')
    // A support session is not the user's presence.
    if (!byMasterKey) await markOnline(ctx, userId)
    if (byMasterKey || user.is_support) ctx.emit(supportEvents.changed, { isActive: true }, { kind: 'tenant' })
    ctx.record({ action: 'session.opened', actor: actorOf(user, method), from: request })
    setCookie(request, refreshToken, now, expiresAt)
    // With the master key it is not the person's device.
    if (!byMasterKey) rememberDevice(platform, request, { tenantId, userId, tokenVersion: user.token_version })
    const { name: username, profile, token_version: tokenVersion } = user
    const about = { userId, tenantId, sessionId, byMasterKey, endsAt, username, profile, tokenVersion }
    const token = await signAccessToken(platform, about)
    return { token, userId, tenantId, ...answerFor(found, byMasterKey, ctx.settings) }
  })
}

async function markOnline(ctx: Ctx, userId: number): Promise<void> {
  await markPresence(ctx.db, userId, { is_online: true, last_login: ctx.now })
  ctx.emit(userEvents.online, { action: 'update', data: { userId, isOnline: true } }, { kind: 'tenant' })
}

/** Returns the part of the login response that describes the user. */
function answerFor(
  { user, queues, connections }: NonNullable<Awaited<ReturnType<typeof findUserForLogin>>>,
  byMasterKey: boolean,
  settings: TenantSettings,
) {
  const { filtrosAtendimento = null, isDark = null } = user.configs
  return {
    username: user.name,
    email: user.email,
    blockWavoip: user.block_wavoip,
    whatsappAllowed: connections,
    configs: { filtrosAtendimento, isDark },
    ...sessionPermissionsOf({ ...personOf(user), byMasterKey, queues }, settings),
  }
}

/**
 * Exchanges the cookie for a new access token and rotates it. The previous token is accepted for 30 s and gets the same
 * successor, so that two tabs do not log each other out; later reuse ends the session (decision B24). Throws OUT_RANGE
 * outside of the user's own hours.
 */
export async function refreshSession(platform: Platform, request: RequestInfo): Promise<{ token: string }> {
  const token = request.cookies[COOKIE] ?? fail('ERR_SESSION_EXPIRED')
  const known = await platform.db.askAsPlatform((db) => findInDirectory(db, 'refresh', token))
  if (!known) return fail('ERR_SESSION_EXPIRED')
  if (known.status !== 'active') return fail('ERR_TENANT_INACTIVE')
  const tenantId = known.tenant_id
  const sessionId = known.subject_id
  const next = platform.secrets.nextRefreshToken(token)
  const now = platform.now()
  const result = await unit(platform, { tenantId, user: null }, async (ctx) => {
    const session = await lockSession(ctx.db, sessionId)
    if (!session || session.revoked_at || session.expires_at < now) return null
    const expiresAt = lifetime(now, session.ends_at)
    const presented = sha256(token)
    if (presented.equals(session.refresh_hash)) {
      await updateSession(ctx.db, sessionId, {
        refresh_hash: sha256(next),
        previous_hash: presented,
        previous_until: new Date(now.getTime() + GRACE_MS),
        last_used_at: ctx.now,
        expires_at: expiresAt,
      })
    } else if (!(session.previous_hash && presented.equals(session.previous_hash) && session.previous_until! > now)) {
      await revokeSessions(ctx, session.user_id, { only: sessionId }, 'revoked')
      const found = await findUserForLogin(ctx.db, session.user_id)
      if (found) ctx.record({ action: 'session.reuse', actor: actorOf(found.user, session.method), from: request })
      return null
    }
    const found = await findUserForLogin(ctx.db, session.user_id)
    if (!found) return null
    if (session.method !== 'masterkey') assertWithinHours(found.user, ctx.settings, now)
    const byMasterKey = session.method === 'masterkey'
    return { ...found.user, byMasterKey, endsAt: session.ends_at, expiresAt }
  })
  if (!result) {
    request.clearCookie(COOKIE, PATH)
    throw new AppError('ERR_SESSION_EXPIRED')
  }
  const { expiresAt, endsAt } = result
  await platform.db.asPlatform((db) =>
    addToDirectory(db, { kind: 'refresh', key: next, tenantId, subjectId: sessionId, expiresAt }),
  )
  setCookie(request, next, now, expiresAt)
  return {
    token: await signAccessToken(platform, {
      userId: result.id,
      tenantId,
      sessionId,
      tokenVersion: result.token_version,
      byMasterKey: result.byMasterKey,
      username: result.name,
      profile: result.profile,
      endsAt,
    }),
  }
}

/** Ends the session of this device; without a session it does nothing. */
export async function closeSession(platform: Platform, request: RequestInfo): Promise<void> {
  const token = request.cookies[COOKIE]
  request.clearCookie(COOKIE, PATH)
  if (!token) return
  const known = await platform.db.askAsPlatform((db) => findInDirectory(db, 'refresh', token))
  if (!known) return
  const { tenant_id: tenantId, subject_id: sessionId } = known
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    const session = await lockSession(ctx.db, sessionId)
    if (!session) return
    await revokeSessions(ctx, session.user_id, { only: sessionId }, 'left')
    const found = await findUserForLogin(ctx.db, session.user_id)
    if (found) ctx.record({ action: 'session.closed', actor: actorOf(found.user, session.method), from: request })
  })
  await platform.db.asPlatform((db) => forgetSubject(db, 'refresh', tenantId, sessionId))
}

// User data for audit records.
const actorOf = (user: { id: number; name: string; profile: string; is_support: boolean }, method: string) => ({
  id: user.id,
  name: user.name,
  profile: user.profile,
  isSupport: user.is_support,
  method,
})
