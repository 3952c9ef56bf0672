import { ADMINS, LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on policies of SLA, with the roles that have each. */
export const permissions = {
  'sla:read': {
    allows: 'Ver os prazos de resposta e de solução',
    profiles: LEADS,
    screens: ['/configuracoes/sla'],
  },
  'sla:write': {
    allows: 'Definir os prazos de resposta e de solução',
    profiles: ADMINS,
    screens: ['/configuracoes/sla'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    sla: typeof permissions
  }
}
