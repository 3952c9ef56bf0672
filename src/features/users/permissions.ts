import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What users may be used for, and by whom. */
export const permissions = {
  'users:read': { allows: 'Ver quem são os colegas', profiles: TEAM },
  'users:write': { allows: 'Administrar usuários e os acessos deles', profiles: ADMINS, screens: ['/usuarios'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    users: typeof permissions
  }
}
