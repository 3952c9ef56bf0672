import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { keysOfSignups } from './queries.ts'
import { signupRoutes } from './routes.ts'

export { removeSignups } from './queries.ts'
export { backTo, makeState, noteState, takenState, verifierOf } from './states.ts'

/** Server part of the feature `provider-signup`: logins at providers that connect their accounts. */
export const providerSignupFeature: Feature = {
  name: 'provider-signup',
  titles: { providerSignups: 'Login nos provedores' },
  errors,
  routes: signupRoutes,
  encryptedWith: keysOfSignups,
}
