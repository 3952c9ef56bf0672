import { TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on tasks, with the roles that have each. */
export const permissions = {
  'tasks:write': {
    allows: 'Criar, alterar e concluir tarefas',
    profiles: TEAM,
    screens: ['/tarefas'],
    assignable: 'everybody',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    tasks: typeof permissions
  }
}
