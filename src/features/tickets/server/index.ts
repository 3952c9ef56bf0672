import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { repeated } from '#server/repeated.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { wakeJob } from './change/snooze.ts'
import { closeQuiet } from './closing/auto-close.ts'
import { groupRoutes } from './groups/routes.ts'
import { notificationRoutes } from './notifications/notifications.ts'
import { reconcileJob } from './persons/persons.ts'
import { ticketRoutes } from './routes.ts'
import { mendJob } from './sets/mend.ts'
import { ticketViewRoutes } from './views/views.ts'

const CLOSE_EVERY_MS = 60_000

/** Tickets feature: lists, moves, notifications and closing. */
export const ticketsFeature: Feature = {
  name: 'tickets',
  titles: {
    tickets: 'Atendimentos',
    groups: 'Grupos',
    notifications: 'Sino: menções e transferências',
    ticketViews: 'Visões salvas dos atendimentos',
  },
  settings,
  permissions,
  routes: [...ticketRoutes, ...notificationRoutes, ...groupRoutes, ...ticketViewRoutes],
  jobs: [wakeJob, mendJob, reconcileJob],
  start(platform) {
    const { every, stop } = repeated(platform)
    if (plays(platform.env, 'worker')) every(CLOSE_EVERY_MS, () => closeQuiet(platform))
    return async () => stop()
  },
}
