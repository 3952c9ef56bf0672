import { ADMINS, LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on ratings, with the roles that have each. */
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
