import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What events that were put aside may be used for, and by whom. */
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
