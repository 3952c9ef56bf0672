import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What rules may be used for, and by whom. */
export const permissions = {
  'rules:write': {
    allows: 'Criar, alterar, testar e ligar automações',
    profiles: LEADS,
    screens: ['/automacoes'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    rules: typeof permissions
  }
}
