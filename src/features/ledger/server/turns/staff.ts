import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { TenantSettings } from '#kit/settings.ts'

/** What distribution asks of those who know the people: hours and presence are other features'. */
export type Staff = {
  /** Whether somebody with this week is there now; no week at all means always. */
  isOpenNow(settings: TenantSettings, week: readonly BusinessDay[], now: Date): boolean
  /** The types of events after which somebody may be there, away, or able to take more. */
  readonly changes: readonly string[]
}

let registered: Staff | undefined

/** Says who that is (`server/features.ts`). */
export const registerStaff = (staff: Staff): void => {
  registered = staff
}

/** Whoever was registered. */
export const staff = (): Staff => registered!
