import { ADMINS, LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on contacts: meaning, profiles and screens. */
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
  'contacts:force': {
    allows: 'Excluir contatos com tudo o que se conversou com eles',
    profiles: ADMINS,
    screens: ['/contatos'],
    unrestricted: true,
  },
  'contacts:forget': {
    allows: 'Esquecer uma pessoa a pedido dela (LGPD)',
    profiles: ADMINS,
    screens: ['/contatos'],
    unrestricted: true,
  },
  'contactFields:read': { allows: 'Ler os campos próprios dos contatos', profiles: TEAM },
  'contactFields:write': {
    allows: 'Criar, alterar e excluir campos próprios dos contatos',
    profiles: LEADS,
    screens: ['/campos-de-contatos'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    contacts: typeof permissions
  }
}
