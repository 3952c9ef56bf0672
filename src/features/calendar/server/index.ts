import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { startLooking } from '#server/looking.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { accountRoutes } from './account-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { flowEventJob } from './flow-events.ts'
import { pushJob } from './push.ts'
import { syncJob, workCalendars } from './sync.ts'
import { viewRoutes } from './view.ts'

const EVERY_MS = 15_000

/** Server part of the feature `calendar`: the calendar, and the company's calendars at a provider. */
export const calendarFeature: Feature = {
  name: 'calendar',
  titles: { calendar: 'Calendário', calendarEvents: 'Eventos do Google Agenda', calendarAccounts: 'Google Agenda' },
  permissions,
  errors,
  routes: [...viewRoutes, ...eventRoutes, ...accountRoutes],
  jobs: [syncJob, pushJob, flowEventJob],
  start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    return startLooking(platform, {
      ...{ work: workCalendars, everyMs: EVERY_MS, complaint: 'calendars that are due could not be read' },
    })
  },
}
