import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the calendar, with the roles that have each. */
export const permissions = {
  'calendar:read': {
    allows: 'Ver o calendário: previsões, tarefas, mensagens agendadas, feriados e eventos',
    profiles: TEAM,
    screens: ['/funil/calendar'],
  },
  'calendar:write': {
    allows: 'Criar, alterar e excluir eventos das agendas conectadas',
    profiles: TEAM,
    screens: ['/funil/calendar'],
  },
  'calendar-accounts:write': {
    allows: 'Conectar agendas do Google',
    profiles: ADMINS,
    screens: ['/configuracoes/google-calendar'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    calendar: typeof permissions
  }
}
