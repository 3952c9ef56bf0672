import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What reports may be used for, and by whom. */
export const permissions = {
  'reports:read': {
    allows: 'Ver, imprimir e exportar relatórios dos atendimentos e contatos ao seu alcance',
    profiles: LEADS,
    feature: 'reports',
    screens: ['/relatorios'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    reports: typeof permissions
  }
}
