import { type Assignable, isRouteHidden, type MenuVisibility } from './menu.ts'
import { type Feature, includes, type Plan } from './plan.ts'
import { type Profile, seesWide } from './profiles.ts'

/** One permission as data. */
export type PermissionSpec = {
  /** Description for administrators. */
  readonly allows: string
  /** Roles that have it. The superadmin runs the installation and, in the own company, is an admin. */
  readonly profiles: readonly Profile[]
  /** The screens on which it is used: where all of them are hidden, it is taken away (decision A1). None: others need it. */
  readonly screens?: readonly string[]
  /** Roles whose menus these screens may be hidden from per person; left out: none. */
  readonly assignable?: Assignable
  /** Plan feature that the company needs for it. */
  readonly feature?: Feature
  /** Restricted users lack it: customers' data stays out of their sight (product facts 6.4). */
  readonly unrestricted?: true
  /** The person's alone: who opened the account with the master key lacks it. */
  readonly personal?: true
  /** Part of the wide view: limited supervisors lack it, support users have it (decisions A3, A13). */
  readonly wide?: true
}

/** Facts that permissions depend on; `supervisorsLimited` is the tenant's `supervisorAdmin: enabled`. */
export type Permitted = {
  readonly profile: Profile
  readonly isSupport?: boolean
  readonly restrictedUser?: boolean
  /** The account was opened with the master key by another person. */
  readonly byMasterKey?: boolean
  readonly supervisorsLimited?: boolean
  /** Plan of the company; left out: everything is included. */
  readonly plan?: Plan
  /** Routes that the superadmin hides in the whole company. */
  readonly menuVisibility?: MenuVisibility
  /** Routes hidden for this person (true = hidden, as above). */
  readonly menuPermissions?: MenuVisibility
}

/** Why a permission is missing. */
export type Refusal =
  | 'masterKey'
  | 'profile'
  | 'plan'
  | 'supervisorsLimited'
  | 'restricted'
  | 'hiddenByTenant'
  | 'hiddenForPerson'

/** The first reason for which the person lacks a permission; null when they have it. */
export function whyLacking(
  person: Permitted,
  { profiles, screens = [], feature, unrestricted, personal, wide }: PermissionSpec,
): Refusal | null {
  if (personal && person.byMasterKey) return 'masterKey'
  if (wide ? !mayBeWide(person, profiles) : !profiles.includes(person.profile)) return 'profile'
  if (feature && person.plan && !includes(person.plan, feature)) return 'plan'
  if (wide && !seesWide(person, person.supervisorsLimited ?? false)) return 'supervisorsLimited'
  if (unrestricted && person.restrictedUser) return 'restricted'
  const hidden = screens.map((screen) => whyHidden(person, screen))
  if (hidden.length === 0 || hidden.includes(null)) return null
  return hidden.includes('hiddenForPerson') ? 'hiddenForPerson' : 'hiddenByTenant'
}

/** Why a path is hidden from the person's menu; null when it is not. Nothing is hidden from the superadmin. */
export function whyHidden(person: Permitted, path: string): 'hiddenByTenant' | 'hiddenForPerson' | null {
  if (person.profile === 'superadmin') return null
  if (isRouteHidden(person.menuVisibility ?? {}, path)) return 'hiddenByTenant'
  return isRouteHidden(person.menuPermissions ?? {}, path) ? 'hiddenForPerson' : null
}

const mayBeWide = (person: Permitted, profiles: readonly Profile[]): boolean =>
  person.isSupport === true || profiles.includes(person.profile)
