import type { Profile } from '#domain/access/profiles.ts'
import { t } from '../t.ts'

/** What the four roles are called. */
export const roleNames: Record<Profile, string> = {
  user: t('Atendente'),
  super: t('Supervisor'),
  admin: t('Administrador'),
  superadmin: t('Superadministrador'),
}
