import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What settings may be used for, and by whom. */
export const permissions = {
  'settings:read': { allows: 'Conhecer as configurações que valem para si', profiles: TEAM },
  'settings:write': { allows: 'Mudar as configurações da empresa', profiles: ADMINS, screens: ['/configuracoes'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    settings: typeof permissions
  }
}
