import { ADMINS, LEADS, TEAM } from '#domain/access/profiles.ts'
import { assistantScreens } from '#domain/assistants/names.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on assistants, with the roles that have each. */
export const permissions = {
  'assistants:write': {
    allows: 'Conectar assistentes de IA, testá-los, escolher onde respondem e ver custos',
    feature: 'assistants',
    profiles: ADMINS,
    screens: [...assistantScreens.map(({ path }) => path), '/configuracoes/custos-de-ia'],
  },
  'copilot:use': {
    allows: 'Pedir ajuda ao copiloto e transcrever áudios ao atender',
    feature: 'assistants',
    profiles: TEAM,
    screens: [],
  },
  'assistants:call': {
    allows: 'Fazer ligações por assistentes de voz',
    feature: 'assistants',
    profiles: LEADS,
    screens: [],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    assistants: typeof permissions
  }
}
