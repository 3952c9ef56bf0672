import type { Feature } from '#server/feature.ts'
import { importJob } from './import.ts'
import { historyRoutes, timesJob } from './imports.ts'

export { publishRefresh } from './progress.ts'

/** Server part of the feature `history`: import of older conversations from channels. */
export const historyFeature: Feature = {
  name: 'history',
  titles: { history: 'Importação de conversas' },
  routes: historyRoutes,
  jobs: [importJob, timesJob],
}
