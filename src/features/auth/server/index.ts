import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { settings } from '../settings.ts'
import { entryRoutes } from './entry-routes.ts'
import { supportRoutes } from './masterkey.ts'
import { resetJob } from './reset.ts'
import { authRoutes } from './routes.ts'

export { ownerSetupLink } from './setup.ts'

/** Server part of the feature `auth`: login, logout and password recovery. */
export const authFeature: Feature = {
  name: 'auth',
  titles: {
    auth: 'Entrada e saída',
    entry: 'Outras entradas e segunda etapa',
    recovery: 'Senha esquecida',
    support: 'Acesso de suporte',
  },
  settings,
  errors,
  routes: [...authRoutes, ...entryRoutes, ...supportRoutes],
  jobs: [resetJob],
}
