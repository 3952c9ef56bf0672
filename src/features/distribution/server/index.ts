import type { Feature } from '#server/feature.ts'
import { followDistribution } from './follow.ts'
import { distributionRoutes } from './routes.ts'

/** Server part of the feature `distribution`: automatic assignment of tickets to agents. */
export const distributionFeature: Feature = {
  name: 'distribution',
  titles: { distribution: 'Distribuição' },
  routes: distributionRoutes,
  start: followDistribution,
}
