import { createTenant, setOwner } from '#features/tenants/server/index.ts'
import {
  addressOf,
  createUser,
  proveEmail,
  publishProof,
  revokeSessions,
  setPassword,
} from '#features/users/server/index.ts'
import { AppError, fail } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { transactionTime } from '#server/db/db.ts'
import { findInDirectory, takeFromDirectory } from '#server/db/directory.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { newHash, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { newToken, sha256 } from '#server/secrets.ts'
import { enter } from './enter.ts'
import { findInvited, readInstallation } from './queries.ts'
import { findReceiver } from './queries-recovery.ts'

const OWNER_CODE_MS = 3600_000

/** Returns a one-time link, valid for an hour, that creates the owner; null if a tenant exists (decision A15). */
export async function ownerSetupLink(platform: Platform, address: string): Promise<string | null> {
  return platform.db.asPlatform(async (db) => {
    if ((await readInstallation(db)).hasTenant) return null
    const code = newToken()
    const expiresAt = new Date(transactionTime(db).getTime() + OWNER_CODE_MS).toISOString()
    await changeInstallation(db, 'ownerCode', { hash: sha256(code).toString('hex'), expiresAt })
    return `${address.replace(/\/$/, '')}/login?tokenSetup=${code}`
  })
}

/** Returns what a code permits, without using it. */
export async function checkSetup(platform: Platform, request: RequestInfo, code: string) {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  if (await isOwnerCode(platform, code)) return { kind: 'owner' as const, email: null, name: null }
  for (const kind of ['invite', 'mailed_invite', 'email'] as const) {
    const known = await platform.db.asPlatform((db) => findInDirectory(db, kind, code))
    if (!known || isOver(platform, known.expires_at)) continue
    const user = await platform.db.read(known.tenant_id, (db) => findInvited(db, Number(known.subject_id)))
    if (!user) break
    return kind === 'email' ? { kind, ...user, email: addressOf(code) } : { kind: 'invite' as const, ...user }
  }
  return fail('ERR_CODE_INVALID')
}

/**
 * Uses an e-mail confirmation code: the address becomes its account's login name, or a username does if another account has
 * proven the address.
 */
export async function confirmEmail(platform: Platform, request: RequestInfo, code: string) {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const proven = await platform.db.asPlatform(async (db) => {
    const known = await takeFromDirectory(db, 'email', code)
    if (!known || isOver(platform, known.expires_at)) return null
    const who = { tenantId: known.tenant_id, userId: Number(known.subject_id) }
    return proveEmail(db, platform, who, addressOf(code), request)
  })
  if (!proven) return fail('ERR_CODE_INVALID')
  await publishProof(platform, proven)
  const { email, isHeld, username } = proven
  return { email, isHeld, username }
}

/**
 * Uses a set-up code: sets the password, and for the owner creates the first company; then logs in, or returns the missing
 * second step.
 */
export async function setup(
  platform: Platform,
  request: RequestInfo,
  input: {
    code: string
    password: string
    name?: string | undefined
    email?: string | undefined
    companyName?: string | undefined
  },
) {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const password = passwordOf(request, input.password, platform.secrets)
  const passwordHash = await newHash(password)
  if (await isOwnerCode(platform, input.code)) {
    const { name, email, companyName = 'Minha empresa' } = input
    if (!name || !email)
      throw new AppError('ERR_VALIDATION', {
        ...(name ? {} : { name: 'Informe seu nome.' }),
        ...(email ? {} : { email: 'Informe o e-mail.' }),
      })
    const { tenantId, userId } = await platform.db.asPlatform(async (db) => {
      const { data } = await readInstallation(db, true)
      if (data.ownerCode?.hash !== sha256(input.code).toString('hex')) return fail('ERR_CODE_INVALID')
      await changeInstallation(db, 'ownerCode', null)
      const tenantId = await createTenant(db, { name: companyName })
      const userId = await createUser(db, { tenantId, name, email, profile: 'superadmin', passwordHash })
      await setOwner(db, tenantId, userId)
      return { tenantId, userId }
    })
    return enter(platform, request, { tenantId, userId }, 'code')
  }
  const { invite, proven } = await platform.db.asPlatform(async (db) => {
    const invite = await takeFromDirectory(db, 'invite', input.code)
    if (invite) return { invite, proven: null }
    // Opening a mailed link proves the ownership of its address.
    const mailed = await takeFromDirectory(db, 'mailed_invite', input.code)
    if (!mailed || isOver(platform, mailed.expires_at)) return { invite: null, proven: null }
    const who = { tenantId: mailed.tenant_id, userId: Number(mailed.subject_id) }
    const user = await findReceiver(db, who.tenantId, who.userId)
    return { invite: mailed, proven: user ? await proveEmail(db, platform, who, user.email, request) : null }
  })
  if (!invite || isOver(platform, invite.expires_at)) return fail('ERR_CODE_INVALID')
  await publishProof(platform, proven)
  const base = { tenantId: invite.tenant_id, user: null }
  const userId = Number(invite.subject_id)
  // A new password takes over the account: sessions with the old one end.
  await unit(platform, base, async (ctx) => {
    await setPassword(ctx, userId, passwordHash)
    await revokeSessions(ctx, userId, {}, 'revoked')
  })
  return enter(platform, request, { tenantId: invite.tenant_id, userId }, 'code')
}

async function isOwnerCode(platform: Platform, code: string): Promise<boolean> {
  const { data, hasTenant } = await platform.db.asPlatform((db) => readInstallation(db))
  if (hasTenant || !data.ownerCode) return false
  return data.ownerCode.hash === sha256(code).toString('hex') && !isOver(platform, new Date(data.ownerCode.expiresAt))
}

const isOver = (platform: Platform, end: Date | null): boolean => end !== null && end < platform.now()
