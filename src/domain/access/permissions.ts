import { type Assignable, isRouteHidden, type MenuVisibility } from './menu.ts'
import { type Feature, includes, type Plan } from './plan.ts'
import { type Profile, seesWide } from './profiles.ts'

/** Definition of one permission. */
export type PermissionSpec = {
  /** Description for administrators. */
  readonly allows: string
  /** Roles that have the permission. The superadmin runs the installation and counts as an admin in the own company. */
  readonly profiles: readonly Profile[]
  /** Screens that use the permission: it is denied when all of them are hidden (decision A1). None: screens do not affect it. */
  readonly screens?: readonly string[]
  /** Users from whom these screens can be hidden individually; omitted: none. */
  readonly assignable?: Assignable
  /** Plan feature that the permission requires. */
  readonly feature?: Feature
  /** Denied to restricted users, so that customers' data stays hidden from them (product facts 6.4). */
  readonly unrestricted?: true
  /** Denied in a session that was opened with the master key. */
  readonly personal?: true
  /** Part of the tenant-wide view: denied to limited supervisors, granted to support users (decisions A3, A13). */
  readonly wide?: true
  /** Kept while the company's payment is overdue, which denies all others. */
  readonly whenOverdue?: true
}

/** User data that permissions depend on; `supervisorsLimited` is the tenant's `supervisorAdmin: enabled`. */
export type Permitted = {
  readonly profile: Profile
  readonly isSupport?: boolean
  readonly restrictedUser?: boolean
  /** Whether another person opened the session with the master key. */
  readonly byMasterKey?: boolean
  readonly supervisorsLimited?: boolean
  /** Whether a payment of the company to the installation is overdue; it never locks out the superadmin. */
  readonly isOverdue?: boolean
  /** The company's plan; omitted: every feature is included. */
  readonly plan?: Plan
  /** Route names that the superadmin hides for the whole company (true = hidden). */
  readonly menuVisibility?: MenuVisibility
  /** Route names that are hidden for this user (true = hidden). */
  readonly menuPermissions?: MenuVisibility
}

/** Reason for which a permission is denied. */
export type Refusal =
  | 'masterKey'
  | 'profile'
  | 'overdue'
  | 'plan'
  | 'supervisorsLimited'
  | 'restricted'
  | 'hiddenByTenant'
  | 'hiddenForPerson'

/** Returns the first reason for which the person lacks a permission; null if granted. */
export function whyLacking(
  person: Permitted,
  { profiles, screens = [], feature, unrestricted, personal, wide, whenOverdue }: PermissionSpec,
): Refusal | null {
  if (personal && person.byMasterKey) return 'masterKey'
  if (wide ? !mayBeWide(person, profiles) : !profiles.includes(person.profile)) return 'profile'
  if (person.isOverdue && !whenOverdue && person.profile !== 'superadmin') return 'overdue'
  if (feature && person.plan && !includes(person.plan, feature)) return 'plan'
  if (wide && !seesWide(person, person.supervisorsLimited ?? false)) return 'supervisorsLimited'
  if (unrestricted && person.restrictedUser) return 'restricted'
  const hidden = screens.map((screen) => whyHidden(person, screen))
  if (hidden.length === 0 || hidden.includes(null)) return null
  return hidden.includes('hiddenForPerson') ? 'hiddenForPerson' : 'hiddenByTenant'
}

/** Returns the reason for which a path is hidden from the person's menu; null if shown. The superadmin sees every path. */
export function whyHidden(person: Permitted, path: string): 'hiddenByTenant' | 'hiddenForPerson' | null {
  if (person.profile === 'superadmin') return null
  if (isRouteHidden(person.menuVisibility ?? {}, path)) return 'hiddenByTenant'
  return isRouteHidden(person.menuPermissions ?? {}, path) ? 'hiddenForPerson' : null
}

const mayBeWide = (person: Permitted, profiles: readonly Profile[]): boolean =>
  person.isSupport === true || profiles.includes(person.profile)
