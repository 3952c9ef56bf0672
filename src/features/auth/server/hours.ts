import { type BusinessDay, isOpen } from '#domain/calendar/business-hours.ts'
import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { fail } from '#kit/errors.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'

type Hours = { business_hours: unknown }

/** Whether somebody may work now: their own hours bind only where the company says so, and by its clock. */
export function isWithinHours({ business_hours: hours }: Hours, settings: TenantSettings, now: Date): boolean {
  if (!hours || !isOn(settings, 'useUserBusinessHours')) return true
  const at = now.getTime()
  return isOpen(hours as BusinessDay[], [], localTime(at, offsetMinutes(settings.timezone, at)))
}

/** Fails with OUT_RANGE outside the person's own hours. */
export function assertWithinHours(user: Hours, settings: TenantSettings, now: Date): void {
  if (!isWithinHours(user, settings, now)) fail('OUT_RANGE')
}
