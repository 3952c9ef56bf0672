import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on chat flows: meaning, profiles and screens. */
export const permissions = {
  'flows:write': {
    allows: 'Criar, alterar e publicar chatbots e respostas automáticas',
    profiles: LEADS,
    screens: ['/chat-flow'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    flows: typeof permissions
  }
}
