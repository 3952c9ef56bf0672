import { ADMINS, LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What ratings may be used for, and by whom. */
export const permissions = {
  'ratings:read': {
    allows: 'Ver as avaliações dos atendimentos ao seu alcance',
    feature: 'ratings',
    profiles: LEADS,
    screens: ['/avaliacoes'],
    assignable: 'leads',
  },
  'ratings:delete': {
    allows: 'Excluir avaliações',
    feature: 'ratings',
    profiles: ADMINS,
    screens: ['/avaliacoes'],
  },
  'ratings:write': {
    allows: 'Configurar a avaliação',
    feature: 'ratings',
    profiles: ADMINS,
    screens: ['/avaliacoes'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    ratings: typeof permissions
  }
}
