import { mergeMenus } from '#domain/access/menu.ts'
import { permissionsOf } from '#kit/permissions.ts'
import type { SessionPermissions } from '#kit/session-permissions.ts'
import { browserSettings, type TenantSettings } from '#kit/settings.ts'
import { type Person, permittedOf } from './actors.ts'

// The list of contacts is hidden from restricted users, in their menu too (product facts 6.4).
const HIDDEN_FROM_RESTRICTED = { contatos: true }

/** Returns the browser's session data of a user, from their row and the tenant's current settings. */
export function sessionPermissionsOf(
  person: Person & { readonly queues: SessionPermissions['queues'] },
  settings: TenantSettings,
): SessionPermissions {
  const permitted = permittedOf(person, settings)
  const { profile, restrictedUser, isSupport } = permitted
  const own = restrictedUser ? { ...permitted.menuPermissions, ...HIDDEN_FROM_RESTRICTED } : permitted.menuPermissions
  return {
    profile,
    queues: person.queues,
    restrictedUser,
    isSupport,
    entersBy: person.entersBy,
    menuVisibility: mergeMenus(permitted.menuVisibility, own),
    permissions: permissionsOf(permitted),
    settings: browserSettings(settings),
  }
}
