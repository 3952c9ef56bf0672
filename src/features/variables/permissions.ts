import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What variables of texts may be used for, and by whom. */
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
