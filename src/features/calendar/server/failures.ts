import { CalendarFailure } from '#providers/calendars/port.ts'
import type { Ctx } from '#server/context.ts'
import { calendarChanges } from '../contract.ts'
import { updateSync } from './queries-syncs.ts'

/** Pause of an account whose app or calendar the provider does not know, in ms. */
const FAILED_MS = 30 * 60_000

/** Publishes that the events or state of an account changed. */
export const publish = (ctx: Ctx, configId: number): void =>
  ctx.emit(calendarChanges.changed, { configId }, { kind: 'tenant' })

/**
 * Records a failure that stops an account: after a revoked consent it is not called until a new login. Returns whether the
 * error was such a failure.
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
