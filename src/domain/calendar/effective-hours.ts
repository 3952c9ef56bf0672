import { type BusinessDay, type Holiday, isOpen } from './business-hours.ts'
import type { LocalTime } from './local-time.ts'

/** Hours of a company or queue: the week (empty: none) and the absence message (empty: none). */
export type Hours = { readonly week: readonly BusinessDay[]; readonly message: string }

/** Hours that apply to a conversation, with their owner. */
export type EffectiveHours = Hours & { readonly of: 'user' | 'queue' | 'tenant' }

/**
 * Returns the hours that apply (product facts 6.6): the agent's if the company enables them, else the queue's, else the
 * company's. The message is the queue's, else the company's.
 */
export function effectiveHours(from: {
  readonly user: readonly BusinessDay[]
  readonly useUserHours: boolean
  readonly queue: Hours | undefined
  readonly tenant: Hours
}): EffectiveHours {
  const { user, useUserHours, queue, tenant } = from
  const message = queue?.message || tenant.message
  if (useUserHours && user.length > 0) return { of: 'user', week: user, message }
  return queue && queue.week.length > 0
    ? { of: 'queue', week: queue.week, message }
    : { of: 'tenant', week: tenant.week, message }
}

/** Returns the absence message at this local time; null while open, or without message. */
export function absenceMessage(hours: Hours, holidays: readonly Holiday[], at: LocalTime): string | null {
  return hours.message === '' || isOpen(hours.week, holidays, at) ? null : hours.message
}
