import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on webhooks, with the roles that have each. */
export const permissions = {
  'webhooks:write': {
    allows: 'Avisar outros sistemas do que acontece (webhooks) e ver o que lhes foi enviado',
    profiles: ADMINS,
    feature: 'webhooks',
    screens: ['/configuracoes/webhooks'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    webhookEndpoints: typeof permissions
  }
}
