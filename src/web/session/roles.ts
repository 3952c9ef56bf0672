import type { Profile } from '#domain/access/profiles.ts'
import { t } from '../t.ts'

/** Portuguese names of the four roles. */
export const roleNames: Record<Profile, string> = {
  user: t('Atendente'),
  super: t('Supervisor'),
  admin: t('Administrador'),
  superadmin: t('Superadministrador'),
}
