import { ADMINS, LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions of voice calls, with the roles that have each. */
export const permissions = {
  'voice:call': {
    allows: 'Fazer e atender ligações',
    profiles: TEAM,
    feature: 'voice',
    // Who calls sees numbers and names; a call is made in one's own name.
    unrestricted: true,
    personal: true,
  },
  'voice:read': {
    allows: 'Ver o registro das ligações',
    profiles: LEADS,
    screens: ['/logligacao'],
    feature: 'voice',
  },
  'voice:write': {
    allows: 'Criar, alterar e remover linhas de voz',
    profiles: ADMINS,
    screens: ['/wavoip'],
    feature: 'voice',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    voice: typeof permissions
  }
}
