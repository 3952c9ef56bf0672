import { useQuery } from '@tanstack/react-query'
import { type CallOptions, isApiError, request } from '../api.ts'
import { applyColors } from '../colors.ts'
import { setZone } from '../format.ts'
import { clearSession, goToLogin, type Standing, store, stored, storeStanding, viewer } from '../session.ts'

/** One's own user, as `GET /users/{id}` answers it to its owner. */
type Own = { id: number; name: string; email: string; profile: string; isOnline: boolean } & {
  queues: Standing['queues']
  settings: Standing['settings'] | null
  menuVisibility: Standing['menuVisibility'] | null
}

const key = ['account', 'own'] as const

async function readOwn(options: CallOptions): Promise<Own> {
  const own = await request<Own>('GET', `/users/${viewer().userId}`, { ...options, quiet: true })
  const { settings, menuVisibility, queues, ...person } = own
  store('username', own.name)
  store('usuario', { ...stored<object>('usuario'), ...person, queues })
  if (settings && menuVisibility) storeStanding(own.profile, { settings, menuVisibility, queues })
  applyColors(stored<Record<string, string>[]>('storedColors') ?? [])
  if (settings?.timezone) setZone(settings.timezone)
  return own
}

/**
 * One's own user, kept current: every 30 s, for the role `user` every 30 min (specification §4); role, queues, settings
 * and colours are stored as they are now, so a change takes effect without a new login.
 */
export function useOwn() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readOwn({ signal }),
    refetchInterval: viewer().profile === 'user' ? 1_800_000 : 30_000,
    staleTime: 10_000,
    retry: (count, error) => count < 2 && isApiError(error) && error.status === 0,
  })
}

/** The key of one's own user in the query cache. */
export const ownKey = key

/** Sets one's presence. */
export const setOnline = (isOnline: boolean): Promise<unknown> =>
  request('PUT', `/usersIsOnline/${viewer().userId}`, { body: { isOnline } })

/** Keeps the chosen colour scheme with the account; the page has changed already. */
export const keepScheme = (isDark: boolean): Promise<unknown> =>
  request('PUT', `/users/${viewer().userId}/configs`, { body: { isDark }, quiet: true })

/** Leaves: the server ends the session of this device, every tab goes to the login page. */
export async function logOut(): Promise<void> {
  try {
    await request('POST', '/auth/logout/', { body: { userId: viewer().userId }, quiet: true })
  } catch {
    // without the server the session here still ends
  }
  clearSession()
  goToLogin()
}
