import type { Feature } from '#server/feature.ts'
import { entryRoutes } from './entry-routes.ts'
import { supportRoutes } from './masterkey.ts'
import { resetJob } from './reset.ts'
import { authRoutes } from './routes.ts'

export { ownerSetupLink } from './setup.ts'

/** Entering and leaving. */
export const authFeature: Feature = {
  name: 'auth',
  routes: [...authRoutes, ...entryRoutes, ...supportRoutes],
  jobs: [resetJob],
}
