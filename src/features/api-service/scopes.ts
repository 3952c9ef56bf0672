import type { Permission } from '#kit/permissions.ts'

/** What a key may do where nobody says otherwise: what the external API is for. */
export const USUAL_SCOPES = [
  'tickets:read',
  'tickets:write',
  'tickets:start',
  'contacts:read',
  'contacts:write',
  'connections:read',
] as const satisfies readonly Permission[]

/** What no program may do: keys that make keys, the installation. */
export const isForPrograms = (permission: string): boolean =>
  !permission.startsWith('platform:') && permission !== 'api:write'
