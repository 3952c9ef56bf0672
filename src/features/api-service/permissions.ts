import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on keys of the API, with the roles that have each. */
export const permissions = {
  'api:write': {
    allows: 'Criar chaves com que outros programas usam o Guichê',
    profiles: ADMINS,
    feature: 'api',
    screens: ['/api-service'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    apiService: typeof permissions
  }
}
