import { TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions of campaigns, with the profiles that have them. */
export const permissions = {
  'campaigns:write': {
    allows: 'Criar, programar e acompanhar campanhas',
    profiles: TEAM,
    screens: [
      '/campanhas',
      ...['/massa/texto', '/massa/textovariavel', '/massa/template', '/massa/template-variavel', '/massa/sms'],
    ],
    unrestricted: true,
    assignable: 'everybody',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    campaigns: typeof permissions
  }
}
