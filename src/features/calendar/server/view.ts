import { forecastsOn } from '#features/funnel/server/index.ts'
import { scheduledOn } from '#features/schedules/server/index.ts'
import { tasksOn } from '#features/tasks/server/index.ts'
import { may } from '#server/actors.ts'
import { companyHours } from '#server/company-hours.ts'
import { implement } from '#server/http/route.ts'
import { calendar } from '../contract.ts'
import { shownEvent } from './event-routes.ts'
import { listEvents } from './queries-events.ts'
import { dayStart } from './spans.ts'

/** Maximum number of entries of each kind. */
const MOST = 500

/** Routes of the calendar view: entries of each kind that the user may see. */
export const viewRoutes = implement(calendar, {
  view: async (ctx, { query: { from, to } }) => {
    const { db, user, settings } = ctx
    const asked = { from, to, limit: MOST }
    const zone = settings.timezone
    const forecasts = may(user, settings, 'funnel:read') ? await forecastsOn(ctx, asked) : []
    const tasks = may(user, settings, 'tasks:write') ? await tasksOn(db, user, asked) : []
    const messages = may(user, settings, 'schedules:read') ? await scheduledOn(ctx, asked) : []
    const events = await listEvents(db, { from: dayStart(zone, from), to: dayStart(zone, to, 1), limit: MOST })
    const holidays = companyHours(settings)
      .holidays.filter(({ active, date }) => active && date >= from && date <= to)
      .map(({ date, description }) => ({ day: date, name: description }))
    return {
      ...{ forecasts, tasks, messages, holidays, events: events.map(shownEvent) },
      isCapped: [forecasts, tasks, messages, events].some((rows) => rows.length >= MOST),
    }
  },
})
