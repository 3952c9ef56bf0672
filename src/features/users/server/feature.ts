import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { peopleRoutes } from './routes.ts'
import { tenantRoutes } from './tenants.ts'

/** Users: administering them, one's own account, the users of all companies. Beside the door, which entering needs itself. */
export const usersFeature: Feature = {
  name: 'users',
  titles: { users: 'Usuários', ownProfile: 'Meu perfil', userTenants: 'Usuários das empresas' },
  settings,
  permissions,
  errors,
  routes: [...peopleRoutes, ...tenantRoutes],
}
