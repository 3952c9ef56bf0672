import type { Profile } from '../access/profiles.ts'

/** User data that decides who may change the account. */
export type Person = {
  readonly id: number
  readonly profile: Profile
  readonly isActive: boolean
  readonly isSupport: boolean
}

/** User who changes an account; `isAtHome`: within the own company. */
export type Manager = {
  readonly id: number
  readonly name: string
  readonly profile: Profile
  readonly isAtHome: boolean
}

/** Changes of an account; leaving the company means inactive. */
export type AccountChange = Partial<Pick<Person, 'profile' | 'isActive' | 'isSupport'>>

/** Number of the company's other active administrators, and number of superadmins among them. */
export type Others = { readonly admins: number; readonly superadmins: number }

/** Error code of a refused change to an account. */
export type ManagingRefusal = 'ERR_NO_PERMISSION' | 'ERR_OWN_ACCESS' | 'ERR_LAST_ADMIN'

/**
 * Returns the error code for a manager's change of an account; null if permitted. Managers cannot change accounts above
 * their own, raise one above it, or change their own role or access; a company keeps one administrator. Superadmins exist
 * only in the company that runs the installation.
 */
export function refuseManaging(
  by: Omit<Manager, 'name'>,
  person: Person,
  change: AccountChange,
  others: Others,
): ManagingRefusal | null {
  const after = { ...person, ...change }
  if (!isAdmin(by)) return 'ERR_NO_PERMISSION'
  const isPromoted = after.profile === 'superadmin' && person.profile !== 'superadmin'
  if (by.profile !== 'superadmin' && (isSuperadmin(person) || isPromoted || after.isSupport !== person.isSupport))
    return 'ERR_NO_PERMISSION'
  if (isPromoted && !by.isAtHome) return 'ERR_NO_PERMISSION'
  const isOwn = by.id === person.id
  if (isOwn && (after.profile !== person.profile || after.isActive !== person.isActive)) return 'ERR_OWN_ACCESS'
  const loses = (has: (one: Pick<Person, 'profile'>) => boolean) =>
    person.isActive && has(person) && !(after.isActive && has(after))
  if (loses(isAdmin) && others.admins === 0) return 'ERR_LAST_ADMIN'
  return loses(isSuperadmin) && others.superadmins === 0 ? 'ERR_LAST_ADMIN' : null
}

const isSuperadmin = ({ profile }: Pick<Person, 'profile'>): boolean => profile === 'superadmin'
const isAdmin = (one: Pick<Person, 'profile'>): boolean => one.profile === 'admin' || isSuperadmin(one)
