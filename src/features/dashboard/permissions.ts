import { TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What the panel may be used for, and by whom. */
export const permissions = {
  'dashboard:read': { allows: 'Ver o painel', profiles: TEAM, screens: ['/home'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    dashboard: typeof permissions
  }
}
