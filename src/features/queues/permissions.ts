import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What queues may be used for, and by whom. */
export const permissions = {
  'queues:read': { allows: 'Escolher entre as filas', profiles: TEAM },
  'queues:write': {
    allows: 'Criar, alterar e excluir filas',
    profiles: LEADS,
    screens: ['/filas'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    queues: typeof permissions
  }
}
