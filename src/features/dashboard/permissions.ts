import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the panels, with the roles that have each. */
export const permissions = {
  'dashboard:read': { allows: 'Ver o painel', profiles: TEAM, screens: ['/home'] },
  'panel:read': {
    allows:
      'Ver o painel de atendimentos: o que cada pessoa e cada fila tem; supervisor limitado, só das próprias filas',
    profiles: LEADS,
    screens: ['/painel-atendimentos'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    dashboard: typeof permissions
  }
}
