import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on teams, with the roles that have each. */
export const permissions = {
  'teams:read': { allows: 'Ver as equipes', profiles: TEAM },
  'teams:write': {
    allows: 'Criar, alterar e excluir equipes',
    profiles: LEADS,
    screens: ['/equipes'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    teams: typeof permissions
  }
}
