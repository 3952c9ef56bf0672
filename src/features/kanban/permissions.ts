import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the kanban, with the roles that have each. */
export const permissions = {
  'kanban:read': {
    allows: 'Ver o painel de contatos por etapa',
    profiles: TEAM,
    screens: ['/kanban'],
    assignable: 'everybody',
  },
  'stages:read': { allows: 'Escolher entre as etapas do kanban', profiles: TEAM },
  'stages:write': {
    allows: 'Criar, alterar e excluir etapas do kanban',
    profiles: LEADS,
    screens: ['/lanes'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    kanban: typeof permissions
  }
}
