import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on users, with the roles that have each. */
export const permissions = {
  'users:read': { allows: 'Ver quem são os colegas', profiles: TEAM },
  'users:write': { allows: 'Administrar usuários e os acessos deles', profiles: ADMINS, screens: ['/usuarios'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    users: typeof permissions
  }
}
