import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on reports: meaning, profiles and screens. */
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
