import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { repeated } from '#server/repeated.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { campaignRoutes, outreachRoutes } from './campaigns.ts'
import { serveLinks } from './clicks.ts'
import { addUpCounts } from './follow.ts'
import { massRoutes } from './mass.ts'
import { openDue, openJob } from './series.ts'
import { recoverTurns, turnJob } from './turn.ts'

export { followStatuses, takeCampaignAnswers } from './follow.ts'
export { outreachFor } from './insight.ts'
export { forgetRecipients } from './queries-items.ts'

/** Interval of summing up and publishing counts, in ms. */
const COUNT_EVERY_MS = 1000
/**
 * Interval of recovering turns without a job and opening due dispatches, in ms, and delay after which a turn counts as
 * overdue.
 */
const RECOVER_EVERY_MS = 3000
const OVERDUE_MS = 1000

/** Feature of campaigns: planned messages to many contacts. */
export const campaignsFeature: Feature = {
  name: 'campaigns',
  titles: { campaigns: 'Campanhas', outreach: 'Cuidado com os números', dispatches: 'Disparos em massa' },
  permissions,
  errors,
  settings,
  routes: [...campaignRoutes, ...outreachRoutes, ...massRoutes],
  jobs: [turnJob, openJob],
  attach(platform, parts) {
    if (plays(platform.env, 'web')) serveLinks(platform, parts)
  },
  start(platform) {
    const { every, stop } = repeated(platform)
    if (plays(platform.env, 'worker')) {
      every(COUNT_EVERY_MS, () => addUpCounts(platform))
      every(RECOVER_EVERY_MS, () => recoverTurns(platform, OVERDUE_MS))
      every(RECOVER_EVERY_MS, () => openDue(platform))
    }
    return async () => stop()
  },
}
