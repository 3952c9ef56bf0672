import type { Profile } from '#domain/access/profiles.ts'

/** What the four roles are called. */
export const roleNames: Record<Profile, string> = {
  user: 'Atendente',
  super: 'Supervisor',
  admin: 'Administrador',
  superadmin: 'Superadministrador',
}
