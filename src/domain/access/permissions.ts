import type { Profile } from './profiles.ts'

const TEAM = ['user', 'super', 'admin', 'superadmin'] as const
const LEADS = ['super', 'admin', 'superadmin'] as const
const ADMIN = ['admin', 'superadmin'] as const
const PLATFORM = ['superadmin'] as const

/** Every permission and the profiles that have it. The superadmin runs the installation and, in the own tenant, is an admin. */
export const PERMISSIONS = {
  /** The installation: tenants, plans, version, health. */
  'platform:read': PLATFORM,
  'platform:write': PLATFORM,

  'dashboard:read': TEAM,
  'tickets:read': TEAM,
  'tickets:write': TEAM,
  /** The show-all filter, and filters by another user. */
  'tickets:all': LEADS,
  'contacts:read': TEAM,
  'contacts:write': TEAM,
  'contacts:delete': LEADS,
  /** Deleting a contact together with its tickets. */
  'contacts:force-delete': ADMIN,
  'messages:forward': TEAM,

  /** Names of queues, tags, connections and colleagues, which filters and transfers need. */
  'queues:read': TEAM,
  'tags:read': TEAM,
  'connections:read': TEAM,
  'users:read': TEAM,
  'settings:read': TEAM,
  'queues:write': LEADS,
  'tags:write': LEADS,
  'connections:write': LEADS,
  'users:write': ADMIN,
  'settings:write': ADMIN,
  'webchat:write': ADMIN,
  'lab:use': LEADS,
} as const satisfies Record<string, readonly Profile[]>

/** The name of a permission, as contracts and screens ask for it. */
export type Permission = keyof typeof PERMISSIONS

/** What permissions depend on; `supervisorsLimited` is the tenant's `supervisorAdmin: enabled`. */
export type Permitted = {
  readonly profile: Profile
  readonly restrictedUser?: boolean
  readonly supervisorsLimited?: boolean
}

/** What a tenant with limited supervisors takes from them: the wide view. */
const WIDE: ReadonlySet<Permission> = new Set(['tickets:all'])
/** What a restricted user may not do: customers' data stays out of sight. */
const UNRESTRICTED: ReadonlySet<Permission> = new Set([
  'contacts:read',
  'contacts:write',
  'contacts:delete',
  'contacts:force-delete',
  'messages:forward',
])

/** Whether the user has the permission. */
export function can(user: Permitted, permission: Permission): boolean {
  if (user.restrictedUser && UNRESTRICTED.has(permission)) return false
  if (user.profile === 'super' && user.supervisorsLimited && WIDE.has(permission)) return false
  return (PERMISSIONS[permission] as readonly Profile[]).includes(user.profile)
}
