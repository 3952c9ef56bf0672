import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on queues, with the roles that have each. */
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
