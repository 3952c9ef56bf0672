import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions of the lab, with the profiles that have them. */
export const permissions = {
  'lab:use': {
    allows: 'Usar o laboratório de canais',
    profiles: LEADS,
    screens: ['/laboratorio'],
    feature: 'channel:lab',
    // A user of a lab phone reads and writes as the customer.
    unrestricted: true,
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    lab: typeof permissions
  }
}
