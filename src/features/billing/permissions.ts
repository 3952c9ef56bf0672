import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the company's payments to the installation. */
export const permissions = {
  'billing:read': {
    allows: 'Ver o que a empresa paga pelo Guichê',
    profiles: ['admin', 'superadmin'],
    whenOverdue: true,
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    billing: typeof permissions
  }
}
