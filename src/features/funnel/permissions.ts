import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions on the funnel: meaning, profiles and screens. */
export const permissions = {
  'funnel:read': {
    allows: 'Ver as próprias oportunidades e as sem responsável; quem coordena vê todas',
    profiles: TEAM,
    screens: ['/funil'],
    assignable: 'everybody',
  },
  'funnel:write': {
    allows: 'Criar, alterar e mover oportunidades',
    profiles: TEAM,
    screens: ['/funil'],
  },
  'funnel:export': { allows: 'Exportar oportunidades', profiles: LEADS, screens: ['/funil'] },
  'pipelines:write': {
    allows: 'Criar, alterar e excluir funis, etapas e campos de oportunidades',
    profiles: LEADS,
    screens: ['/funil'],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    funnel: typeof permissions
  }
}
