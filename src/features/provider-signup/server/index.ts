import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { signupRoutes } from './routes.ts'

/** Server part of the feature `provider-signup`: logins at providers that connect their accounts. */
export const providerSignupFeature: Feature = {
  name: 'provider-signup',
  titles: { providerSignups: 'Login nos provedores' },
  errors,
  routes: signupRoutes,
}
