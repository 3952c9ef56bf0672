import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What the webchat may be used for, and by whom. */
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
