import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { peopleRoutes } from './routes.ts'
import { tenantRoutes } from './tenants.ts'

/** Server part of the feature `users`, except for its port, which the login imports directly. */
export const usersFeature: Feature = {
  name: 'users',
  titles: { users: 'Usuários', ownProfile: 'Meu perfil', userTenants: 'Usuários das empresas' },
  settings,
  permissions,
  errors,
  routes: [...peopleRoutes, ...tenantRoutes],
}
