import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { repeated } from '#server/repeated.ts'
import { dueJob, recoverDue } from './release.ts'
import { scheduleRoutes } from './schedule.ts'

export { bodyToSend } from './fill-in.ts'
export { releaseMessages } from './release.ts'
export { adoptSchedules, changeWaiting, countScheduled, scheduledOn } from './schedule.ts'

/** Interval of the search for overdue messages, in ms. */
const DUE_RECOVERY_MS = 3000
const OVERDUE_MS = 1000

/** Server part of the feature `schedules`: scheduled messages. */
export const schedulesFeature: Feature = {
  name: 'schedules',
  titles: { schedules: 'Mensagens agendadas' },
  routes: scheduleRoutes,
  jobs: [dueJob],
  start(platform) {
    const { every, stop } = repeated(platform)
    if (plays(platform.env, 'worker')) every(DUE_RECOVERY_MS, () => recoverDue(platform, OVERDUE_MS))
    return async () => stop()
  },
}
