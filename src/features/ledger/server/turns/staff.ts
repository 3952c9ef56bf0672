import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import { present } from '#domain/present.ts'
import type { TenantSettings } from '#kit/settings.ts'

/** Port to the features that know hours and presence of people, for distribution. */
export type Staff = {
  /** Whether a person with this week is available now; without a week always. */
  isOpenNow(settings: TenantSettings, week: readonly BusinessDay[], now: Date): boolean
  /** Types of events after which a person's availability may have changed. */
  readonly changes: readonly string[]
}

let registered: Staff | undefined

/** Registers the port (`server/features.ts`). */
export const registerStaff = (staff: Staff): void => {
  registered = staff
}

/** Returns the registered staff. */
export const staff = (): Staff => present(registered)
