import { ADMINS, LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What policies of SLA may be used for, and by whom. */
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
