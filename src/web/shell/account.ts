import { queryOptions, useQuery } from '@tanstack/react-query'
import { permissionEvents } from '#kit/permission-events.ts'
import { type CallOptions, isApiError, request } from '../api.ts'
import { queryClient } from '../client.ts'
import { applyColors } from '../colors.ts'
import { setZone } from '../format.ts'
import { notePreferences } from '../preferences.ts'
import { on, onReconnect, resync } from '../realtime/realtime.ts'
import {
  arePermissionsKnown,
  isRestricted,
  onPermissions,
  refreshPermissions,
  rememberPermissions,
} from '../session/permissions.ts'
import { refreshSession } from '../session/refresh.ts'
import {
  clearSession,
  goToLogin,
  type SessionPermissions,
  store,
  stored,
  storePermissions,
  viewer,
} from '../session/session.ts'
import { wantReload } from '../start/reloads.ts'
import { hasUnsaved } from '../unsaved.ts'

/** Logged-in user, as `GET /users/{id}` returns it to its owner. */
type Own = {
  id: number
  name: string
  email: string
  profile: string
  isOnline: boolean
  awayUntil?: string | null
} & {
  queues: SessionPermissions['queues']
  settings: SessionPermissions['settings']
  menuVisibility: SessionPermissions['menuVisibility']
  whatsappAllowed: readonly unknown[]
}

const key = ['account', 'own'] as const

async function readOwn(options: CallOptions): Promise<Own> {
  const own = await request<Own>('GET', `/users/${viewer().userId}`, { ...options, quiet: true })
  const { settings, menuVisibility, queues, ...person } = own
  rememberPermissions()
  store('username', own.name)
  store('usuario', { ...stored<object>('usuario'), ...person, queues })
  notePreferences()
  store('whatsappAllowed', own.whatsappAllowed)
  storePermissions(own.profile, { settings, menuVisibility, queues })
  applyColors(stored<Record<string, string>[]>('storedColors') ?? [])
  if (settings.timezone) setZone(settings.timezone)
  refreshPermissions()
  return own
}

const own = queryOptions({ queryKey: key, queryFn: ({ signal }) => readOwn({ signal }) })

/**
 * Returns the logged-in user, kept current by the session's timers (`reloadOwn`, `checkHours`): role, queues, settings and
 * colours are stored, so that a change takes effect without a new login.
 */
export function useOwn() {
  return useQuery({
    ...own,
    staleTime: 10_000,
    retry: (count, error) => count < 2 && isApiError(error) && error.status === 0,
  })
}

/** Reloads the logged-in user, after a read in progress: its answer may be older than what caused the reload. */
export async function reloadOwn(): Promise<void> {
  await queryClient
    .getQueryCache()
    .find({ queryKey: key })
    ?.promise?.catch(() => {})
  await queryClient.prefetchQuery({ ...own, staleTime: 0 })
}

/**
 * Loads the logged-in user if this browser has no stored permissions yet; fails as the read does. Stored ones are used to
 * draw this page: another tab may store others before this one has read for the first time.
 */
export async function requirePermissions(): Promise<void> {
  if (arePermissionsKnown()) rememberPermissions()
  else await queryClient.fetchQuery(own)
}

// Random delay: a change may reach everyone of a company at once, and not all shall ask in the same moment.
const spreadMs = 200

/**
 * Keeps the page in step with the user's permissions: they are reloaded after a change event or an absence; if they differ,
 * `judge` decides about the open screen, and everything on it is reloaded. Returns a function that stops it.
 */
export function watchPermissions(judge: () => void): () => void {
  let wasRestricted = isRestricted()
  const offs = [
    on(permissionEvents.changed, () => setTimeout(reloadOwn, Math.random() * spreadMs)),
    onReconnect(() => void reloadOwn()),
    onPermissions(() => {
      judge()
      const isOther = isRestricted() !== wasRestricted
      wasRestricted = isRestricted()
      if (isOther) startAnew()
      else reloadScreen()
    }),
  ]
  return () => {
    for (const off of offs) off()
  }
}

function reloadScreen(): void {
  queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== key[0] })
  resync()
}

// Unmasked data may be anywhere on the page: only a reload surely removes them.
function startAnew(): void {
  reloadScreen()
  if (hasUnsaved()) wantReload(`restricted ${isRestricted()}`)
  else location.reload()
}

/**
 * Reloads the logged-in user and, if business hours restrict users, asks whether the session may continue: outside of the
 * hours the server ends it.
 */
export async function checkHours(): Promise<void> {
  await reloadOwn()
  const settings = stored<{ key: string; value: string }[]>('configuracoes') ?? []
  if (settings.some(({ key: name, value }) => name === 'useUserBusinessHours' && value === 'enabled'))
    await refreshSession()
}

/** Query key of the logged-in user. */
export const ownKey = key

/** Sets one's presence. */
export const setOnline = (isOnline: boolean): Promise<unknown> =>
  request('PUT', `/usersIsOnline/${viewer().userId}`, { body: { isOnline } })

/** Starts the user's break until a time, during which nothing is distributed to them; null ends it. */
export const setAway = (until: Date | null): Promise<unknown> =>
  request('PUT', `/users/${viewer().userId}/away`, { body: { until: until?.toISOString() ?? null }, quiet: true })

/** Logs out: the server ends the session of this device, every tab goes to the login page. */
export async function logOut(): Promise<void> {
  try {
    await request('POST', '/auth/logout/', { body: { userId: viewer().userId }, quiet: true })
  } catch {
    // without the server the session here still ends
  }
  clearSession()
  goToLogin()
}
