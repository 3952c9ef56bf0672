import { ADMINS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What message templates may be used for, and by whom. */
export const permissions = {
  'templates:read': { allows: 'Ver e escolher modelos de mensagem', profiles: TEAM, screens: ['/atendimento'] },
  'templates:write': { allows: 'Criar, alterar, excluir e testar modelos de mensagem', profiles: ADMINS },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    messageTemplates: typeof permissions
  }
}
