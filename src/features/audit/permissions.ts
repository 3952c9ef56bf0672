import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What the audit log may be used for, and by whom. */
export const permissions = {
  'audit:read': { allows: 'Ver a auditoria da empresa', profiles: ADMINS, screens: ['/auditoria'] },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    audit: typeof permissions
  }
}
