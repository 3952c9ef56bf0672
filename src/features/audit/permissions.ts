import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the audit log, with the roles that have each. */
export const permissions = {
  'audit:read': { allows: 'Ver a auditoria da empresa', profiles: ADMINS, screens: ['/auditoria'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    audit: typeof permissions
  }
}
