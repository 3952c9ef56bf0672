import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on message templates, with the roles that have each. */
export const permissions = {
  'templates:read': { allows: 'Ver e escolher modelos de mensagem', profiles: TEAM, screens: ['/atendimento'] },
  'templates:write': { allows: 'Criar, alterar, excluir e testar modelos de mensagem', profiles: ADMINS },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    messageTemplates: typeof permissions
  }
}
