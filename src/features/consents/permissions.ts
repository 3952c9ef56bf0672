import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on consents, with the roles that have each. */
export const permissions = {
  'consents:read': {
    allows: 'Ver os consentimentos dos contatos',
    profiles: TEAM,
    screens: ['/contatos'],
  },
  'consents:write': {
    allows: 'Registrar consentimentos e descadastros',
    profiles: TEAM,
    screens: ['/contatos'],
    unrestricted: true,
  },
  'consents:export': {
    allows: 'Exportar os consentimentos da empresa',
    profiles: LEADS,
    screens: ['/contatos'],
    unrestricted: true,
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    consents: typeof permissions
  }
}
