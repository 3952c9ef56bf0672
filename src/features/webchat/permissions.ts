import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the webchat, with the roles that have each. */
export const permissions = {
  'webchat:write': {
    allows: 'Configurar o WebChat',
    profiles: ADMINS,
    screens: ['/configuracoes/webchat'],
    feature: 'channel:webchat',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    webchat: typeof permissions
  }
}
