import { TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on groups, with the roles that have each. */
export const permissions = {
  'groups:write': {
    allows: 'Criar e mudar grupos, e dizer o que acontece neles por conta própria',
    profiles: TEAM,
    screens: [
      ...['/grupo/massagrupos', '/grupo/massagrupos2', '/grupo/massausuarios'],
      ...['/grupo/saudacao', '/grupo/despedida', '/grupo/banlist', '/grupo/wordlist'],
    ],
    unrestricted: true,
    assignable: 'everybody',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    groupTools: typeof permissions
  }
}
