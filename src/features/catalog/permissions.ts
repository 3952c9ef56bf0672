import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the plain tables, with the roles that have each. */
export const permissions = {
  'tags:read': { allows: 'Escolher entre as etiquetas', profiles: TEAM },
  'tags:write': {
    allows: 'Criar, alterar e excluir etiquetas',
    profiles: LEADS,
    screens: ['/etiquetas'],
    assignable: 'leads',
  },
  'fast-replies:write': {
    allows: 'Criar, alterar e excluir mensagens rápidas',
    profiles: TEAM,
    screens: ['/mensagens-rapidas'],
    assignable: 'leads',
  },
  'reasons:write': {
    allows: 'Criar, alterar e excluir motivos',
    profiles: LEADS,
    screens: ['/configuracoes/motivos'],
  },
  'farewells:write': {
    allows: 'Criar, alterar e excluir despedidas',
    profiles: LEADS,
    screens: ['/fechamento'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    catalog: typeof permissions
  }
}
