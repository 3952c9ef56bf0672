import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What contacts may be used for, and by whom. */
export const permissions = {
  'contacts:read': { allows: 'Ver os contatos com todos os dados', profiles: TEAM, unrestricted: true },
  'contacts:write': { allows: 'Cadastrar e alterar contatos', profiles: TEAM, unrestricted: true },
  'contacts:merge': { allows: 'Mesclar contatos e desfazer', profiles: LEADS, unrestricted: true },
  'contacts:import': {
    allows: 'Importar e sincronizar contatos, e desfazer',
    profiles: LEADS,
    screens: ['/contatos/importar'],
    unrestricted: true,
  },
  'contacts:export': { allows: 'Exportar os contatos', profiles: LEADS, screens: ['/contatos'], unrestricted: true },
  'contacts:delete': { allows: 'Excluir contatos', profiles: LEADS, screens: ['/contatos'], unrestricted: true },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    contacts: typeof permissions
  }
}
