import { TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the private chat, with the roles that have each. */
export const permissions = {
  'private-chat:use': {
    allows: 'Conversar com colegas no chat privado',
    profiles: TEAM,
    screens: ['/chat-privado'],
    assignable: 'everybody',
    personal: true,
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    privateChat: typeof permissions
  }
}
