import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on rules, with the roles that have each. */
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
