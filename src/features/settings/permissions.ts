import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on settings, with the roles that have each. */
export const permissions = {
  'settings:read': { allows: 'Conhecer as configurações que valem para si', profiles: TEAM },
  'settings:write': { allows: 'Mudar as configurações da empresa', profiles: ADMINS, screens: ['/configuracoes'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    settings: typeof permissions
  }
}
