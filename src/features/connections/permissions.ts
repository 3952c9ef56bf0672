import { ADMINS, LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions of connections, with the profiles that have them. */
export const permissions = {
  'connections:read': { allows: 'Escolher entre os canais', profiles: TEAM },
  'connections:list': { allows: 'Ver os canais e como estão', profiles: LEADS, screens: ['/sessoes'] },
  'connections:write': { allows: 'Criar, alterar, conectar, desconectar e remover canais', profiles: ADMINS },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    connections: typeof permissions
  }
}
