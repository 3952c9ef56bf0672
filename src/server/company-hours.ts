import type { BusinessDay, Holiday } from '#domain/calendar/business-hours.ts'
import type { TenantSettings } from '#kit/settings.ts'

type Company = {
  readonly week: readonly BusinessDay[]
  readonly message: string
  readonly holidays: readonly Holiday[]
}

const known = new WeakMap<TenantSettings, Company>()

/** Week, absence message and holidays of the company; read once per version of its settings. */
export function companyHours(settings: TenantSettings): Company {
  const before = known.get(settings)
  if (before) return before
  const { businessHours, messageBusinessHours, holidays } = settings.values
  const company = { week: JSON.parse(businessHours), message: messageBusinessHours, holidays: JSON.parse(holidays) }
  known.set(settings, company)
  return company
}
