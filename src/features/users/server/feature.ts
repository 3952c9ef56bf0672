import type { Feature } from '#server/feature.ts'
import { userErrors } from '../errors.ts'
import { peopleRoutes } from './routes.ts'
import { tenantRoutes } from './tenants.ts'

/** Users: administering them, one's own account, the users of all companies. Beside the door, which entering needs itself. */
export const usersFeature: Feature = { name: 'users', errors: userErrors, routes: [...peopleRoutes, ...tenantRoutes] }
