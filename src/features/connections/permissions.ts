import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What connections may be used for, and by whom. */
export const permissions = {
  'connections:read': { allows: 'Escolher entre os canais', profiles: TEAM },
  'connections:write': { allows: 'Criar, alterar, conectar e desconectar canais', profiles: ADMINS },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    connections: typeof permissions
  }
}
