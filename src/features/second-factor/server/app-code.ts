import { fail, required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Source } from '#server/http/device.ts'
import type { Platform } from '#server/platform.ts'
import { findPerson, lockApp, savePending, updateApp } from './queries.ts'
import { hashOf, newRecoveryCodes } from './recovery.ts'

// Loaded on first use, since few users have an app.
const totp = () => import('./totp.ts')

const boundTo = (tenantId: number, userId: number): string => `${tenantId}/second_factors/${userId}`
const opened = (
  { platform, tenantId }: Pick<Ctx, 'platform' | 'tenantId'>,
  userId: number,
  encrypted: string,
): string => platform.secrets.decrypt(encrypted, boundTo(tenantId, userId))

/** Creates a secret that waits for its first code. */
export async function beginApp(ctx: Ctx, userId: number): Promise<{ secret: string; uri: string }> {
  const { email } = required(await findPerson(ctx.db, userId), 'ERR_NO_USER_FOUND')
  const { newSecret, uriOf } = await totp()
  const secret = newSecret()
  await savePending(ctx.db, userId, ctx.platform.secrets.encrypt(secret, boundTo(ctx.tenantId, userId)))
  return { secret, uri: uriOf(secret, email) }
}

/**
 * Activates the pending secret with its first code and returns new recovery codes; null for a wrong code. `isFirst`: only
 * without an active app, since the user is not logged in.
 */
export async function confirmApp(
  ctx: Ctx,
  userId: number,
  code: string,
  { isFirst = false } = {},
): Promise<string[] | null> {
  const row = await lockApp(ctx.db, userId)
  if (!row?.pending || (isFirst && row.secret)) return null
  const { stepOf } = await totp()
  const step = stepOf(opened(ctx, userId, row.pending), digitsOf(code), ctx.now, 0)
  if (step === null) return null
  const { codes, hashes } = newRecoveryCodes()
  await updateApp(ctx.db, userId, {
    secret: row.pending,
    pending: null,
    last_step: step,
    recovery: hashes,
    confirmed_at: ctx.now,
  })
  return codes
}

/** Replaces the recovery codes by new ones. */
export async function renewCodes(ctx: Ctx, userId: number): Promise<string[]> {
  const row = await lockApp(ctx.db, userId)
  if (!row?.secret) return fail('ERR_A2F_OFF')
  const { codes, hashes } = newRecoveryCodes()
  await updateApp(ctx.db, userId, { recovery: hashes })
  return codes
}

/** Whether a code of the app or a recovery code is right; it is used up with that. */
export async function acceptCode(ctx: Ctx, userId: number, code: string): Promise<boolean> {
  const row = await lockApp(ctx.db, userId)
  if (!row?.secret) return false
  const digits = digitsOf(code)
  if (isAppCode(code)) {
    const { stepOf } = await totp()
    const step = stepOf(opened(ctx, userId, row.secret), digits, ctx.now, row.last_step)
    if (step !== null) await updateApp(ctx.db, userId, { last_step: step })
    return step !== null
  }
  const hash = hashOf(code)
  const left = row.recovery
  if (!left.includes(hash)) return false
  await updateApp(ctx.db, userId, { recovery: left.filter((one) => one !== hash) })
  return true
}

// Apps show a gap between the digits, and people write it.
const digitsOf = (code: string): string => code.replace(/[\s-]/g, '')

/** Whether a code is an app's, which can be guessed, unlike a recovery code. */
const isAppCode = (code: string): boolean => /^\d{6}$/.test(digitsOf(code))

/**
 * Rate-limits attempts of an app's code: ten per quarter of an hour from one source, and 200 a day from unknown sources.
 * Returns what to do after a right code. Recovery codes are never limited: 80 bits cannot be guessed, and the owner must not
 * be locked out.
 */
export async function limitCodes(
  { limits }: Platform,
  { tenantId, userId }: { tenantId: number; userId: number },
  source: Source,
  code: string,
): Promise<() => Promise<void>> {
  if (!isAppCode(code)) return async () => {}
  const account = `${tenantId}:${userId}`
  const attempts = `${account}|${source.key}`
  await limits.use('secondFactor', attempts, 'ERR_LIMIT_MAX')
  if (!source.isKnown) await limits.use('secondFactorDay', account, 'ERR_A2F_LOCKED')
  return async () => {
    await limits.forget('secondFactor', attempts)
    if (!source.isKnown) await limits.giveBack('secondFactorDay', account)
  }
}
