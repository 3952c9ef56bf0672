import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What the lab may be used for, and by whom. */
export const permissions = {
  'lab:use': {
    allows: 'Usar o laboratório de canais',
    profiles: LEADS,
    screens: ['/laboratorio'],
    feature: 'channel:lab',
    // Whoever holds a phone of the lab reads and speaks as the customer.
    unrestricted: true,
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    lab: typeof permissions
  }
}
