import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { settings } from '../settings.ts'
import { keysOfSecrets } from './queries.ts'
import { secondFactorRoutes } from './routes.ts'

export { askSecondStep, enrolInLogin, finishSecondStep, hasSecondStep } from './login-step.ts'
export { checkPasskey, passkeyLoginOptions } from './passkeys.ts'
export { forgetFactors } from './queries.ts'

/** Server part of the feature `second-factor`: second factors and passkeys. */
export const secondFactorFeature: Feature = {
  name: 'second-factor',
  titles: { secondFactor: 'Segundo fator', passkeys: 'Passkeys' },
  settings,
  errors,
  routes: secondFactorRoutes,
  constraints: { passkeys_credential: 'ERR_PASSKEY_EXISTS' },
  encryptedWith: keysOfSecrets,
}
