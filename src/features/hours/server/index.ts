import { saveSettings } from '#features/settings/server/index.ts'
import { companyHours } from '#server/company-hours.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { hours } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { openingOf, shownWeek } from './company.ts'

export { absenceAt, isOpenNow, openAt } from './company.ts'

const routes = implement(hours, {
  get: ({ settings, now }) => {
    const { week, message, holidays } = companyHours(settings)
    return [
      {
        businessHours: shownWeek(week),
        messageBusinessHours: message,
        holidays: [...holidays],
        timezone: settings.timezone,
        ...openingOf(settings, now),
      },
    ]
  },
  setWeek: async (ctx, { body }) => {
    const businessHours = body.toSorted((a, b) => a.day - b.day)
    await saveSettings(ctx, { businessHours: JSON.stringify(businessHours) })
    return { businessHours }
  },
  setMessage: async (ctx, { body: { messageBusinessHours } }) => {
    await saveSettings(ctx, { messageBusinessHours })
    return { messageBusinessHours }
  },
  setHolidays: async (ctx, { body }) => {
    const holidays = body.toSorted((a, b) => (a.date < b.date ? -1 : 1))
    await saveSettings(ctx, { holidays: JSON.stringify(holidays) })
    return { holidays }
  },
})

/** Server part of the feature `hours`: business hours and holidays. */
export const hoursFeature: Feature = {
  name: 'hours',
  titles: { hours: 'Horário de atendimento' },
  settings,
  permissions,
  routes,
}
