import { LEADS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on opening hours, with the roles that have each. */
export const permissions = {
  'hours:write': {
    allows: 'Definir o horário de atendimento, a mensagem de ausência e os feriados',
    profiles: LEADS,
    screens: ['/horario-atendimento'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    hours: typeof permissions
  }
}
