/** The four roles as stored and sent; `super` is a supervisor, `superadmin` runs the installation. */
export const PROFILES = ['user', 'super', 'admin', 'superadmin'] as const

/** Role of a user. */
export type Profile = (typeof PROFILES)[number]

/** Roles of a permission that every user has. */
export const TEAM = ['user', 'super', 'admin', 'superadmin'] as const

/** Roles of a permission for supervisors and above. */
export const LEADS = ['super', 'admin', 'superadmin'] as const

/** Roles of a permission for administrators. */
export const ADMINS = ['admin', 'superadmin'] as const

/** Roles of a permission that only the superadmin has. */
export const PLATFORM = ['superadmin'] as const

/** Role of a user; only the superadmin sets `isSupport` (decision A13). */
export type Ranked = { readonly profile: Profile; readonly isSupport?: boolean }

/** Whether a user has an admin's view: admins, support users, and the superadmin within the own tenant. */
export function seesAsAdmin({ profile, isSupport }: Ranked): boolean {
  return isSupport === true || profile === 'admin' || profile === 'superadmin'
}

/**
 * Whether a user sees the whole tenant: admins and support, and supervisors unless limited (wire `supervisorAdmin:
 * enabled`).
 */
export function seesWide(person: Ranked, supervisorsLimited: boolean): boolean {
  return seesAsAdmin(person) || (person.profile === 'super' && !supervisorsLimited)
}
