import { type BusinessDay, isOpen } from '#domain/calendar/business-hours.ts'
import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { fail } from '#kit/errors.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'

type Hours = { business_hours: BusinessDay[] | null }

/** Throws OUT_RANGE outside of the user's own hours, if the company enables the check; in the company's zone. */
export function assertWithinHours({ business_hours: hours }: Hours, settings: TenantSettings, now: Date): void {
  if (!hours || !isOn(settings, 'useUserBusinessHours')) return
  const at = now.getTime()
  if (!isOpen(hours, [], localTime(at, offsetMinutes(settings.timezone, at)))) fail('OUT_RANGE')
}
