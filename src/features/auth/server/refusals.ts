import { AppError, type ErrorCode } from '#kit/errors.ts'
import { recordAudit } from '#server/audit.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'

/**
 * Records a refused login in the log of the account's company, or of the installation for an unknown account, so that both
 * take the same time. The typed name is not stored: it may be a password.
 */
export async function recordRefusal(
  platform: Platform,
  from: RequestInfo,
  known: { tenantId: number; userId: number } | null,
  result: ErrorCode,
): Promise<void> {
  const actor = known && { id: known.userId, name: '' }
  await recordAudit(platform, known?.tenantId ?? 'platform', { action: 'session.refused', actor, from, result })
}

/** Records a refusal and rethrows it; other errors are rethrown only. */
export async function recorded(
  platform: Platform,
  from: RequestInfo,
  known: { tenantId: number; userId: number },
  error: unknown,
): Promise<never> {
  if (error instanceof AppError) await recordRefusal(platform, from, known, error.code)
  throw error
}
