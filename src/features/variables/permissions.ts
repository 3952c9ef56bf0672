import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on variables of texts, with the roles that have each. */
export const permissions = {
  'variables:read': { allows: 'Usar as variáveis nos textos', profiles: TEAM },
  'variables:write': {
    allows: 'Ver onde as variáveis são usadas e manter as constantes',
    profiles: LEADS,
    screens: ['/configuracoes/variaveis'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    variables: typeof permissions
  }
}
