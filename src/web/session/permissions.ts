import type { Ranked } from '#domain/access/profiles.ts'
import type { Permission } from '#kit/permissions.ts'
import { createStore } from '../store.ts'
import { stored, viewer } from './session.ts'

/** Last known data of the user from the server, beside the specification's own keys. */
type StoredUser = {
  permissions?: readonly string[]
  isSupport?: boolean
  restrictedUser?: boolean
  entersBy?: string | null
}
const storedUser = (): StoredUser => stored<StoredUser>('usuario') ?? {}

/** Whether this browser has stored the user's permissions. */
export const arePermissionsKnown = (): boolean => storedUser().permissions !== undefined

/** Whether the person has a permission, as the server last said. */
export const may = (permission: Permission): boolean => storedUser().permissions?.includes(permission) ?? false

/** Returns the logged-in user's role, for the visibility rules. */
export const ranked = (): Ranked => ({ profile: viewer().profile, isSupport: storedUser().isSupport === true })

/** Whether customers' data is masked for the person. */
export const isRestricted = (): boolean => storedUser().restrictedUser === true

const version = createStore(0)

/** Returns the username to log in with; null if it is the e-mail. */
export function useEntersBy(): string | null {
  version.use()
  return storedUser().entersBy ?? null
}

type Setting = { key: string; value: string }

/** Whether a switch of the tenant is on, by the stored session data. */
export const isSettingOn = (key: string): boolean =>
  (stored<Setting[]>('configuracoes') ?? []).some((one) => one.key === key && one.value === 'enabled')

const keys = ['profile', 'queues', 'configuracoes', 'menuVisibility', 'whatsappAllowed'] as const

function asText(): string {
  const { permissions, isSupport, restrictedUser, entersBy } = storedUser()
  return JSON.stringify([keys.map((key) => stored(key)), permissions, isSupport, restrictedUser, entersBy])
}

// Per tab: another tab may have stored the change already.
let known: string | undefined

/** Remembers the stored permissions before a write, so that a change is noticed. */
export function rememberPermissions(): void {
  known ??= asText()
}

/** Publishes changed role, permissions, menu or settings to this tab, if they changed. */
export function refreshPermissions(): void {
  const now = asText()
  if (now === known) return
  known = now
  version.set(version.get() + 1)
}

/** Subscribes to every change of the person's permissions. */
export const onPermissions = version.subscribe

/** Hook form of `may`: draws the component again when permissions change. */
export function useMay(): typeof may {
  version.use()
  return may
}
