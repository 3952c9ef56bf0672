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

/** So often counts are added up and told. */
const COUNT_EVERY_MS = 1000
/** So often turns are looked for whose jobs were given up or whose clock is another one, and dispatches whose start has come. */
const RECOVER_EVERY_MS = 3000
const OVERDUE_MS = 1000

/** Campaigns: what is said to many contacts by a plan. */
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
