import { LEADS, TEAM } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** Permissions of samples, and the profiles that have them. */
export const permissions = {
  'samples:read': { allows: 'Ver as amostras', profiles: TEAM },
  'samples:write': {
    allows: 'Criar, alterar, usar e excluir amostras',
    feature: 'samples',
    profiles: LEADS,
    screens: ['/amostras'],
    assignable: 'leads',
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    samples: typeof permissions
  }
}
