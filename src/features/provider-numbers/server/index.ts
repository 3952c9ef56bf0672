import { registerKeeper } from '#features/connections/server/index.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { numberRoutes } from './routes.ts'
import { keeper, startReading, stateJob } from './states.ts'

export { takeState } from './states.ts'

registerKeeper('numbers', keeper)

/** Server part of the feature `provider-numbers`: numbers at providers: state, profile, and notifications to administrators. */
export const providerNumbersFeature: Feature = {
  name: 'provider-numbers',
  titles: { providerNumbers: 'Números nos provedores' },
  errors,
  routes: numberRoutes,
  jobs: [stateJob],
  start: async (platform) => (plays(platform.env, 'worker') ? startReading(platform) : async () => {}),
}
