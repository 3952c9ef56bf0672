import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on events that were put aside, with the roles that have each. */
export const permissions = {
  'journal:write': {
    allows: 'Ver as mensagens com erro e tentar de novo',
    profiles: ADMINS,
    screens: ['/eventos-separados'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    journal: typeof permissions
  }
}
