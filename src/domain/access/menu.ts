import type { Profile } from './profiles.ts'

/** Map of route names to "hidden" (true = hidden, decision A1), per tenant and per user. */
export type MenuVisibility = Readonly<Record<string, boolean>>

// Menu names of the wire without a screen yet (product facts 6.5); a permission that names one adds its screen.
const TO_COME = {
  everybody: [],
  leads: ['sessoes', 'aniversarios'],
} as const

/** Group of users from whom the screens of a permission can be hidden individually: every role, or supervisors and above. */
export type Assignable = keyof typeof TO_COME

/** Returns the route names that can be shown to or hidden from one user of this role (product facts 6.5). */
export function assignableOf(
  permissions: readonly { readonly assignable?: Assignable; readonly screens?: readonly string[] }[],
  profile: Profile,
): readonly string[] {
  const whose: readonly (Assignable | undefined)[] = profile === 'user' ? ['everybody'] : ['everybody', 'leads']
  const ofScreens = permissions.flatMap(({ assignable, screens = [] }) => (whose.includes(assignable) ? screens : []))
  const toCome = profile === 'user' ? TO_COME.everybody : [...TO_COME.everybody, ...TO_COME.leads]
  return [...new Set([...toCome, ...ofScreens.map(routeName)])]
}

/** Merges the hidden routes of the tenant and the user; a route hidden by either is hidden. */
export const mergeMenus = (tenant: MenuVisibility, person: MenuVisibility): MenuVisibility => ({
  ...tenant,
  ...Object.fromEntries(Object.entries(person).filter(([, isHidden]) => isHidden)),
})

/** Paths of route names that differ from their path, or hide several paths. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  'home-dashboard': ['home'],
  horarioAtendimento: ['horario-atendimento'],
  kanban: ['kanban', 'funil'],
  // The page of one campaign; `*` is any segment.
  'contatos-campanha': ['campanhas/*'],
  'atendimentos-por-parametros': ['relatorios/atendimentos-por-parametros'],
}

/** Returns the route name that hides a screen: the first segment of its path, or the wire name where that differs. */
export function routeName(path: string): string {
  const [first = ''] = segments(path)
  return Object.keys(PATHS).find((name) => pathsOf(name).includes(first)) ?? first
}

/** Whether a path lies at or below a hidden route, by whole segments: `massa` hides `/massa/texto`, never `/massagista`. */
export function isRouteHidden(visibility: MenuVisibility, path: string): boolean {
  const asked = segments(path)
  return Object.entries(visibility).some(
    ([name, hidden]) => hidden && pathsOf(name).some((route) => isBelow(asked, segments(route))),
  )
}

/** Whether menu hiding permits this profile to open the path; the superadmin may open every path. */
export function mayOpen(profile: Profile, visibility: MenuVisibility, path: string): boolean {
  return profile === 'superadmin' || !isRouteHidden(visibility, path)
}

/** Returns the start path after login. */
export function landing(profile: Profile): '/home' | '/assinatura' | '/atendimento' {
  if (profile === 'superadmin') return '/assinatura'
  return profile === 'user' ? '/atendimento' : '/home'
}

/** Returns the start page of a logged-in user. */
export function rootTarget(profile: Profile): '/assinatura' | '/contatos' {
  return profile === 'superadmin' ? '/assinatura' : '/contatos'
}

/**
 * Returns the path to redirect a denied user to: contacts, or the first of `screens` that is not hidden; null if all are
 * hidden.
 */
export function denialTarget(profile: Profile, visibility: MenuVisibility, screens: readonly string[]): string | null {
  return [rootTarget(profile), ...screens].find((path) => mayOpen(profile, visibility, path)) ?? null
}

function pathsOf(name: string): readonly string[] {
  return Object.hasOwn(PATHS, name) ? (PATHS[name] ?? []) : [name]
}

function segments(path: string): string[] {
  const [bare = ''] = path.split(/[?#]/)
  return bare.split('/').filter(Boolean)
}

function isBelow(asked: readonly string[], route: readonly string[]): boolean {
  return (
    route.length > 0 &&
    route.every((segment, index) => (segment === '*' ? asked[index] !== undefined : asked[index] === segment))
  )
}
