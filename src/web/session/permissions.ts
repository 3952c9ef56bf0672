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

/** Whether the server has said in this browser what the person may do. */
export const arePermissionsKnown = (): boolean => storedUser().permissions !== undefined

/** Whether the person has a permission, as the server last said. */
export const may = (permission: Permission): boolean => storedUser().permissions?.includes(permission) ?? false

/** Returns the logged-in user's role, for the visibility rules. */
export const ranked = (): Ranked => ({ profile: viewer().profile, isSupport: storedUser().isSupport === true })

/** Whether customers' data is masked for the person. */
export const isRestricted = (): boolean => storedUser().restrictedUser === true

const version = createStore(0)

/** The username to log in with, drawn again when it changes; null where the e-mail does. */
export function useEntersBy(): string | null {
  version.use()
  return storedUser().entersBy ?? null
}

type Setting = { key: string; value: string }

/** Whether a switch of the tenant is on, as the session keeps it. */
export const isSettingOn = (key: string): boolean =>
  (stored<Setting[]>('configuracoes') ?? []).some((one) => one.key === key && one.value === 'enabled')

const keys = ['profile', 'queues', 'configuracoes', 'menuVisibility', 'whatsappAllowed'] as const

function asText(): string {
  const { permissions, isSupport, restrictedUser, entersBy } = storedUser()
  return JSON.stringify([keys.map((key) => stored(key)), permissions, isSupport, restrictedUser, entersBy])
}

// Each tab by itself: another one may have stored the change already.
let known: string | undefined

/** Notes what the storage says before it is written, so that a change is noticed. */
export function rememberPermissions(): void {
  known ??= asText()
}

/** Tells this tab that role, permissions, menu or settings are other ones now, if they are. */
export function refreshPermissions(): void {
  const now = asText()
  if (now === known) return
  known = now
  version.set(version.get() + 1)
}

/** Subscribes to every change of the person's permissions. */
export const onPermissions = version.subscribe

/** `may` for a component: it is drawn again when the answers may be other ones. */
export function useMay(): typeof may {
  version.use()
  return may
}
