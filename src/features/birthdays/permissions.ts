import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on birthdays, with the roles that have each. */
export const permissions = {
  'birthdays:read': {
    allows: 'Ver os aniversários dos contatos',
    profiles: TEAM,
    screens: ['/aniversarios'],
    unrestricted: true,
  },
  'birthdays:send': {
    allows: 'Enviar parabéns aos aniversariantes',
    profiles: TEAM,
    screens: ['/aniversarios'],
    unrestricted: true,
  },
  'birthdays:write': {
    allows: 'Configurar o envio automático de parabéns',
    profiles: LEADS,
    screens: ['/aniversarios'],
    unrestricted: true,
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    birthdays: typeof permissions
  }
}
