import type { Feature } from '#server/feature.ts'
import { followDistribution } from './follow.ts'
import { distributionRoutes } from './routes.ts'

/** Who of a queue gets which ticket, and why. */
export const distributionFeature: Feature = {
  name: 'distribution',
  titles: { distribution: 'Distribuição' },
  routes: distributionRoutes,
  start: followDistribution,
}
