import { CalendarFailure } from '#providers/calendars/port.ts'
import type { Ctx } from '#server/context.ts'
import { calendarChanges } from '../contract.ts'
import { updateSync } from './queries-syncs.ts'

/** How long an account waits whose app or calendar the provider does not know, ms. */
const FAILED_MS = 30 * 60_000

/** Publishes that events, or what is known of an account, changed. */
export const publish = (ctx: Ctx, configId: number): void =>
  ctx.emit(calendarChanges.changed, { configId }, { kind: 'tenant' })

/**
 * Records what keeps an account from being asked: nobody asks it again after its consent was taken back, until somebody
 * signs in. Answers whether it was such a failure.
 */
export async function noteFailure(ctx: Ctx, accountId: number, error: unknown): Promise<boolean> {
  if (!(error instanceof CalendarFailure) || (error.problem !== 'revoked' && error.problem !== 'setup')) return false
  const isRevoked = error.problem === 'revoked'
  await updateSync(ctx.db, accountId, {
    ...{ status: isRevoked ? 'revoked' : 'failed', problem: error.message },
    ...(isRevoked ? {} : { due_at: new Date(ctx.now.getTime() + FAILED_MS) }),
  })
  publish(ctx, accountId)
  return true
}
