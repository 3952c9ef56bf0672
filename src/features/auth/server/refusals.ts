import { AppError, type ErrorCode } from '#kit/errors.ts'
import { recordAudit } from '#server/audit.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'

/**
 * Records that somebody was not let in: in the account's company, or in the installation's log where there is no such
 * account, so that both take as long. What was typed as a name is kept nowhere: now and then it is a password.
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

/** Passes a refusal on, recorded; whatever else went wrong is passed on as it is. */
export async function recorded(
  platform: Platform,
  from: RequestInfo,
  known: { tenantId: number; userId: number },
  error: unknown,
): Promise<never> {
  if (error instanceof AppError) await recordRefusal(platform, from, known, error.code)
  throw error
}
