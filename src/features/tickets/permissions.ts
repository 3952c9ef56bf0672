import { ADMINS, LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on tickets: meaning, profiles and screens. */
export const permissions = {
  'tickets:read': { allows: 'Ver os atendimentos ao seu alcance', profiles: TEAM, screens: ['/atendimento'] },
  'tickets:write': { allows: 'Atender, responder, transferir e resolver', profiles: TEAM, screens: ['/atendimento'] },
  'tickets:start': {
    allows: 'Iniciar uma conversa com um contato',
    profiles: TEAM,
    screens: ['/atendimento'],
    unrestricted: true,
  },
  'messages:share': {
    allows: 'Encaminhar mensagens e enviar contatos',
    profiles: TEAM,
    screens: ['/atendimento'],
    unrestricted: true,
  },
  'messages:export': {
    allows: 'Exportar conversas em JSON, PDF ou ZIP',
    profiles: TEAM,
    screens: ['/atendimento'],
    unrestricted: true,
  },
  'messages:repair': { allows: 'Reenviar mensagens paradas', profiles: ADMINS, screens: ['/atendimento'] },
  'messages:import': {
    allows: 'Importar conversas que os canais guardam',
    profiles: ADMINS,
    screens: ['/atendimento', '/sessoes'],
  },
  'distribution:write': {
    allows: 'Dizer como as filas distribuem e transbordam',
    profiles: LEADS,
    screens: ['/filas'],
  },
  'tickets:all': {
    allows: 'Ver os atendimentos de todos e filtrar por pessoa',
    profiles: LEADS,
    screens: ['/atendimento'],
    wide: true,
  },
  'schedules:read': {
    allows: 'Ver a lista de mensagens agendadas dos atendimentos ao seu alcance',
    profiles: TEAM,
    screens: ['/agendamentos'],
    assignable: 'leads',
  },
  'notes:read': {
    allows: 'Ver a lista de notas dos atendimentos ao seu alcance',
    profiles: TEAM,
    screens: ['/notas'],
    assignable: 'leads',
  },
  'protocols:read': {
    allows: 'Ver a lista de protocolos dos atendimentos ao seu alcance',
    profiles: TEAM,
    screens: ['/protocolos'],
    assignable: 'leads',
  },
  'macros:write': { allows: 'Criar, alterar e excluir macros', profiles: LEADS, screens: ['/macros'] },
  'tickets:maintain': {
    allows: 'Mudar de canal, marcar como lidos e corrigir os atendimentos da empresa toda',
    profiles: ADMINS,
    screens: ['/atendimento'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    tickets: typeof permissions
  }
}
