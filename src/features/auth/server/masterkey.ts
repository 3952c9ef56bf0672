import { seesAsAdmin } from '#domain/access/profiles.ts'
import { present } from '#domain/present.ts'
import { revokeSessions } from '#features/users/server/index.ts'
import { supportEvents } from '#features/users/support-events.ts'
import { fail } from '#kit/errors.ts'
import { recordAudit } from '#server/audit.ts'
import { findInDirectory } from '#server/db/directory.ts'
import { changeInstallation, type Installation } from '#server/db/installation.ts'
import { verifyAccessToken } from '#server/http/access-token.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import { implement, type RequestInfo } from '#server/http/route.ts'
import { hashPassword, passwordMatches, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { newToken } from '#server/secrets.ts'
import { type KeyState, support } from '../support.ts'
import { findSupported, listSupport } from './queries-recovery.ts'
import { openSession } from './sessions.ts'

const PART = 'masterKey'
const SESSION_MS = 3600_000

type StoredKey = { hash: string; createdAt: string; createdBy: string }

const storedKey = (installation: Installation): StoredKey | null =>
  (installation[PART] as StoredKey | undefined) ?? null

const shown = (key: StoredKey | null): KeyState => ({
  enabled: key !== null,
  createdAt: key?.createdAt ?? null,
  createdBy: key?.createdBy ?? '',
})

async function save(platform: Platform, key: StoredKey | null): Promise<KeyState> {
  await platform.db.asPlatform((db) => changeInstallation(db, PART, key))
  platform.bus.stale('installation all')
  return shown(key)
}

/**
 * Opens an account for an hour (decision A14). All failures give the same response after the same time; the superadmin's
 * account cannot be opened.
 */
async function enter(platform: Platform, request: RequestInfo, input: { email: string; password: string }) {
  await platform.limits.use('masterKey', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const key = passwordOf(request, input.password, platform.secrets)
  const matches = await passwordMatches(storedKey(await platform.installation.get('all'))?.hash ?? null, key)
  const known = await platform.db.asPlatform((db) => findInDirectory(db, 'login', input.email))
  const tenantId = known?.tenant_id ?? 0
  const user = await platform.db.read(tenantId, (db) => findSupported(db, Number(known?.subject_id ?? 0)))
  if (!matches || !known || !user) {
    await recordAudit(platform, 'platform', {
      action: 'masterkey.refused',
      actor: null,
      from: request,
      result: 'ERR_INVALID_CREDENTIALS',
    })
    return fail('ERR_INVALID_CREDENTIALS')
  }
  if (known.status !== 'active') fail('ERR_TENANT_INACTIVE')
  const endsAt = new Date(platform.now().getTime() + SESSION_MS)
  const event = {
    action: 'masterkey.used',
    actor: { ...user, isSupport: true, method: 'masterkey' },
    from: request,
    target: { tenantId, userId: user.id },
  } as const
  // Audited first, so that nothing happens without a record.
  await recordAudit(platform, 'platform', event)
  await recordAudit(platform, tenantId, event)
  const answer = await openSession(platform, request, tenantId, user.id, { method: 'masterkey', endsAt })
  return { ...answer, endsAt }
}

/** Routes of the master key and support access. */
export const supportRoutes = implement(support, {
  keyState: ({ installation }) => shown(storedKey(installation)),
  makeKey: async ({ platform, user, now }) => {
    const key = newToken()
    const state = await save(platform, {
      hash: await hashPassword(key),
      createdAt: now.toISOString(),
      createdBy: user.name,
    })
    return { ...state, key }
  },
  dropKey: ({ platform }) => save(platform, null),
  enter: ({ platform }, { body, request }) => enter(platform, request, body),
  access: async ({ platform, db, user, now }, { request }) => {
    const living = await listSupport(db, now)
    const claims = request.bearer ? await verifyAccessToken(platform, request.bearer) : null
    const isOwn = living.some(({ id }) => id === claims?.sessionId)
    const seen = isOwn || seesAsAdmin(user) ? living : []
    return { isOwn, sessions: seen.map(({ name, endsAt }) => ({ userName: name, endsAt: present(endsAt) })) }
  },
  end: async (ctx) => {
    for (const { id, userId } of await listSupport(ctx.db, ctx.now))
      await revokeSessions(ctx, userId, { only: id }, 'revoked')
    ctx.emit(supportEvents.changed, { isActive: false }, { kind: 'tenant' })
    return { message: 'ok' }
  },
})
