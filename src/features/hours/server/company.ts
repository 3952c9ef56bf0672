import { type BusinessDay, isOpen, nextOpening, USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { absenceMessage, effectiveHours } from '#domain/calendar/effective-hours.ts'
import { type LocalTime, localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import { companyHours } from '#server/company-hours.ts'
import { actorWithin, type Ctx } from '#server/context.ts'

/** Returns the week for the form; open every day if the company has none. */
export const shownWeek = (week: readonly BusinessDay[]): BusinessDay[] =>
  week.length > 0 ? [...week] : USUAL_WEEK.map((day) => ({ ...day, type: 'O' }))

const clock = ({ timezone }: TenantSettings, now: Date): LocalTime =>
  localTime(now.getTime(), offsetMinutes(timezone, now.getTime()))

/** Whether the company is there now, and else from when on. */
export function openingOf(settings: TenantSettings, now: Date): { isOpen: boolean; opensAt: Date | null } {
  const { week, holidays } = companyHours(settings)
  const at = clock(settings, now)
  if (isOpen(week, holidays, at)) return { isOpen: true, opensAt: null }
  const next = nextOpening(week, holidays, at)
  if (!next) return { isOpen: false, opensAt: null }
  const wall = Date.UTC(next.year, next.month - 1, next.day, next.hour, next.minute)
  return { isOpen: false, opensAt: new Date(wall - offsetMinutes(settings.timezone, wall) * 60_000) }
}

/** Whether business hours of this week are open now; always with an empty week. */
export const isOpenNow = (settings: TenantSettings, week: readonly BusinessDay[], now: Date): boolean =>
  isOpen(week, companyHours(settings).holidays, clock(settings, now))

/** Returns a function that tells whether the company is open at a time for a connection; reads the clock once for a batch. */
export function openAt(settings: TenantSettings, at: Date): (connectionId: number) => boolean {
  const isThere = isOpenNow(settings, companyHours(settings).week, at)
  return (connectionId) => isThere || settings.withoutHours.has(connectionId)
}

type Conversation = { readonly userId: number | null; readonly queueId: number | null; readonly connectionId: number }

/**
 * Returns a function that returns the absence message of a conversation now; null while open, and without queries if neither
 * company nor queues have a message. Reads the clock once for a batch.
 */
export function absenceAt(
  ctx: Pick<Ctx, 'platform' | 'tenantId' | 'db' | 'settings' | 'now'>,
): ((conversation: Conversation) => Promise<string | null>) | null {
  const { settings, now } = ctx
  const { week, message, holidays } = companyHours(settings)
  if (message === '' && !Object.values(settings.queueHours).some((queue) => queue.message !== '')) return null
  const at = clock(settings, now)
  const useUserHours = isOn(settings, 'useUserBusinessHours')
  return async ({ userId, queueId, connectionId }) => {
    if (settings.withoutHours.has(connectionId)) return null
    const owner = useUserHours && userId !== null ? await actorWithin(ctx, userId) : null
    const hours = effectiveHours({
      user: owner?.businessHours ?? [],
      useUserHours,
      queue: queueId === null ? undefined : settings.queueHours[queueId],
      tenant: { week, message },
    })
    return absenceMessage(hours, holidays, at)
  }
}
