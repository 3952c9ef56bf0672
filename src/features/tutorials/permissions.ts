import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on tutorials, with the roles that have each. */
export const permissions = {
  'tutorials:read': { allows: 'Ver os tutoriais', profiles: TEAM },
  'tutorials:write': {
    allows: 'Criar, alterar e excluir tutoriais',
    profiles: ADMINS,
    screens: ['/configuracoes/tutoriais'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    tutorials: typeof permissions
  }
}
