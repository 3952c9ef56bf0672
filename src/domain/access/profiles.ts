/** The four roles as they are stored and sent; `super` is a supervisor, `superadmin` runs the installation. */
export const PROFILES = ['user', 'super', 'admin', 'superadmin'] as const

/** One of the four roles. */
export type Profile = (typeof PROFILES)[number]

/** Whether a role runs its own tenant: admins, and the superadmin, who within the own tenant is one of them. */
export function isAdmin(profile: Profile): boolean {
  return profile === 'admin' || profile === 'superadmin'
}

/** Whether a role sees the whole tenant: admins, and supervisors unless limited (wire name `supervisorAdmin: enabled`). */
export function seesWide(profile: Profile, supervisorsLimited: boolean): boolean {
  return isAdmin(profile) || (profile === 'super' && !supervisorsLimited)
}
