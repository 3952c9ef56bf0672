import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What tutorials may be used for, and by whom. */
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
