import type { Feature } from '#server/feature.ts'
import { importJob } from './import.ts'
import { historyRoutes, timesJob } from './imports.ts'

export { publishRefresh } from './progress.ts'

/** Older conversations, brought in from what channels keep. */
export const historyFeature: Feature = {
  name: 'history',
  titles: { history: 'Importação de conversas' },
  routes: historyRoutes,
  jobs: [importJob, timesJob],
}
