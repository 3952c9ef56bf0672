import type { MenuVisibility } from '#domain/access/menu.ts'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { t } from '../t.ts'

/** Data of the user and the company: part of the login's answer and of the user's own `GET /users/{id}`. */
export type SessionPermissions = {
  queues: readonly { id: number; queue: string }[]
  settings: Readonly<Record<string, string>>
  menuVisibility: MenuVisibility
}

/** Answer of `POST /auth/login/` and of the set-up (specification §3). */
export type LoginAnswer = SessionPermissions & {
  token: string
  username: string
  email: string
  profile: string
  userId: number
  tenantId: number
  blockWavoip: boolean
  whatsappAllowed: readonly unknown[]
  configs: { filtrosAtendimento?: unknown; isDark: boolean | null }
}

const identity = ['token', 'username', 'profile', 'userId', 'dashboardChartPanels'] as const
const everything = [
  ...identity,
  'usuario',
  'queues',
  'bloquearWavoip',
  'whatsappAllowed',
  'filtrosAtendimento',
  'configuracoes',
  'filasCadastradas',
  'nullticket',
  'supervisorAdmin',
  'tagFiltro',
  'kanbanFiltro',
  'mostrarGruposParaTodos',
  'mostrarFechadoParaTodos',
  'storedColors',
  'menuVisibility',
] as const

/** Key of the browser storage, as named in the specification. */
export type StorageKey = (typeof everything)[number]

/** Returns the stored value of a key, parsed if it is JSON; null when absent. */
export function stored<T = unknown>(key: StorageKey): T | null {
  const text = localStorage.getItem(key)
  if (text === null) return null
  try {
    return JSON.parse(text) as T
  } catch {
    return text as T
  }
}

/** Stores a value: text as it is, everything else as JSON. */
export function store(key: StorageKey, value: unknown): void {
  localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value ?? null))
}

/** Returns the access token; null without a session. */
export const token = (): string | null => localStorage.getItem('token')

type Claims = { userId: number; tenantId: number; sessionId: string; exp: number }

/** Parses the claims of an access token; `exp` in epoch ms. Null if there is none or it cannot be read. */
export function claims(text: string | null = token()): Claims | null {
  // Cached by token, since every drawn row asks.
  if (read?.text !== text) read = { text, claims: parsedClaims(text) }
  return read.claims
}

let read: { text: string | null; claims: Claims | null } | undefined

function parsedClaims(text: string | null): Claims | null {
  try {
    const [, body = ''] = (text ?? '').split('.')
    const { id, tenantId, sid, exp }: Record<'id' | 'tenantId' | 'exp', number> & { sid: string } = JSON.parse(
      atob(body.replace(/-/g, '+').replace(/_/g, '/')),
    )
    return { userId: id, tenantId, sessionId: sid, exp: exp * 1000 }
  } catch {
    return null
  }
}

/** Returns the logged-in user from the storage. The default profile is `user`. */
export function viewer(): { userId: number; tenantId: number; username: string; profile: Profile } {
  const profile = localStorage.getItem('profile') as Profile
  return {
    userId: Number(localStorage.getItem('userId') ?? 0),
    tenantId: claims()?.tenantId ?? 0,
    username: localStorage.getItem('username') ?? '',
    profile: PROFILES.includes(profile) ? profile : 'user',
  }
}

/** Returns the hidden menu entries (true = hidden, decision A1). */
export const menuVisibility = (): MenuVisibility => stored<MenuVisibility>('menuVisibility') ?? {}

/** Stores a login's answer under the specification's keys, and removes everything of an earlier user. */
export function storeLogin(answer: LoginAnswer): void {
  for (const key of everything) localStorage.removeItem(key)
  const { token: secret, settings: _, ...usuario } = answer
  store('token', secret)
  store('username', answer.username)
  store('userId', String(answer.userId))
  store('usuario', usuario)
  store('bloquearWavoip', answer.blockWavoip)
  store('whatsappAllowed', answer.whatsappAllowed)
  store('filtrosAtendimento', answer.configs.filtrosAtendimento ?? null)
  for (const key of ['tagFiltro', 'kanbanFiltro', 'dashboardChartPanels', 'filasCadastradas'] as const) store(key, [])
  storePermissions(answer.profile, answer)
  const { isDark } = answer.configs
  localStorage.setItem('mantine-color-scheme-value', isDark === null ? 'auto' : isDark ? 'dark' : 'light')
}

const parsed = (text: string | undefined, otherwise: unknown) => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return otherwise
  }
}

/** Stores role, queues, settings and menu; a change takes effect without a new login. */
export function storePermissions(
  profile: string,
  { queues, settings, menuVisibility: hidden }: SessionPermissions,
): void {
  store('profile', profile)
  store('queues', queues)
  store(
    'configuracoes',
    Object.entries(settings).map(([key, value]) => ({ key, value })),
  )
  store('nullticket', settings.nullTickets ?? 'disabled')
  store('supervisorAdmin', settings.supervisorAdmin ?? 'disabled')
  store('mostrarGruposParaTodos', settings.showGroupsForAll ?? 'disabled')
  store('mostrarFechadoParaTodos', settings.showClosedForAll ?? 'disabled')
  store('storedColors', parsed(settings.systemColors, []))
  store('menuVisibility', hidden)
}

/** Ends the session here: removes exactly the keys that the specification lists for a failed refresh. */
export function clearIdentity(): void {
  for (const key of identity) localStorage.removeItem(key)
}

/** Ends the session for good (logout): removes every key about the user; other tabs notice that the token is gone. */
export function clearSession(): void {
  for (const key of everything) localStorage.removeItem(key)
}

const flashKey = 'guiche.flash'
const nextKey = 'guiche.next'

/** Returns a path of this site; null for anything that leads elsewhere, such as `//other.site/x`, which is a path as well. */
export function ownPath(path: string | null): string | null {
  const here = 'http://here'
  return path?.startsWith('/') && URL.canParse(path, here) && new URL(path, here).origin === here ? path : null
}

/** Message on the login page when it opens: a sentence, and at most one more line. */
export type Flash = { title: string; text?: string }

/** Message on the login page after a page was requested without a session. */
export const loginNeeded: Flash = { title: t('Necessário realizar login') }

function take(key: string): string | null {
  const saved = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return saved
}

/** Takes the login page's message and the page to return to; both are read once. */
export function takeArrival(): { flash: Flash | null; next: string | null } {
  return { flash: parsed(take(flashKey) ?? undefined, null), next: ownPath(take(nextKey)) }
}

/** Stores the login page's message; `back` stores the current page to return to. */
export function saveArrival(flash?: Flash, back = false): void {
  if (flash) sessionStorage.setItem(flashKey, JSON.stringify(flash))
  if (back && location.pathname !== '/') sessionStorage.setItem(nextKey, location.pathname + location.search)
}

/** Stores the page to return to while an external login provider is visited. */
export function saveNext(path: string | null): void {
  if (path) sessionStorage.setItem(nextKey, path)
}

/** Opens the login page with a sentence; `back` remembers the page that was left. */
export function goToLogin(flash?: Flash, back = false): void {
  saveArrival(flash, back)
  location.replace('/login')
}
