import { TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What may be done with tasks, and by whom. */
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
