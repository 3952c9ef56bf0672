import type { ComponentType } from 'react'
import { isRouteHidden, rootTarget } from '#domain/access/menu.ts'
import type { Profile } from '#domain/access/profiles.ts'
import type { Permission } from '#kit/permissions.ts'
import type { ChoiceLists } from '../choices.ts'
import { folded } from '../fold.ts'
import { isSettingOn, may } from '../session/permissions.ts'
import { menuVisibility, viewer } from '../session/session.ts'
import type { EntryIcon } from '../ui/entry-icons.ts'
import { type Place, type PlaceId, placeIds, places } from './places.ts'

/**
 * Definition of a screen, used by router, menu, access, titles, palette and the browser test that opens every screen.
 * - `path` in router syntax (`/campanhas/$campanhaId`); `children` are paths below it that the same component draws.
 * - `can`: the permission, or 'session' for every logged-in user; `profiles` narrows further (landing pages by role).
 * - `menu`: its place, and its group in a place with a list; without it the screen is reached from elsewhere. `after` names
 *   the group that a group of the feature's own follows.
 * - `redirects`: addresses that lead here, or to a path below (specification §2).
 * - `countsUnread`: badge of the menu entry: the user's unread conversations, or (`private`) unread messages of colleagues,
 *   or (`tasks`) tasks to be done today.
 * - `whenOverdue`: shown also, or only, while a payment of the company is overdue, which hides all other screens.
 * - `finds` loads the settings on it, for the search of settings.
 * - `load` loads the component; the screen's code is a separate chunk.
 */
export type Screen = {
  path: string
  title: string
  icon?: EntryIcon | ComponentType<{ size?: number | string }>
  can: Permission | 'session'
  profiles?: readonly Profile[]
  whenOverdue?: 'also' | 'only'
  menu?: { place: PlaceId; group?: string; after?: string; order?: number; label?: string }
  children?: readonly string[]
  redirects?: Readonly<Record<string, string>>
  shortcut?: string
  countsUnread?: true | 'private' | 'tasks'
  /** Loads the drawer that the rail opens beside it, so that the page below stays; a phone and Ctrl+click open the page. */
  drawer?: () => Promise<DrawerPart>
  /** Fills the window (lists and panels scroll inside) instead of scrolling as a page. */
  fill?: boolean
  /** Needs the width of the window: the rail stays narrow beside it. */
  needsWidth?: boolean
  finds?: () => Promise<readonly Finding[]>
  load: () => Promise<ComponentType>
}

/** Setting on a screen; `id` is that of its element, if it has one. */
export type Finding = { readonly label: string; readonly keywords?: string; readonly id?: string }

/** Health of what is configured on screens, by path: works, needs attention, or fails. */
export type HealthOfScreens = Readonly<Record<string, 'pos' | 'warn' | 'neg'>>

/** Drawer beside the rail, in place of the page; "onClose" closes it. */
export type DrawerPart = ComponentType<{ onClose: () => void }>

/** Panel of the bell. */
export type BellPanel = ComponentType<{ onClose: () => void }>

/** Panel of “Tutoriais”. */
export type TutorialsPanel = ComponentType<{ onClose: () => void }>

/**
 * Browser part of a feature: screens, choices for others' screens, bars above all screens, and (one feature each) the health
 * of the screens' settings and the panels of the bell and of “Tutoriais”.
 */
export type WebFeature = {
  screens: readonly Screen[]
  health?: () => Promise<HealthOfScreens>
  choices?: ChoiceLists
  bars?: readonly ComponentType[]
  bell?: () => Promise<BellPanel>
  tutorials?: () => Promise<TutorialsPanel>
}

let all: readonly Screen[] = []

/** Registers the screens, once, for code that needs all of them. */
export function listScreens(screens: readonly Screen[]): readonly Screen[] {
  all = screens
  return screens
}

/** Returns every screen of the product. */
export const allScreens = (): readonly Screen[] => all

/** Returns the screen of an address, children included. */
export function screenAt(path: string): Screen | undefined {
  const bare = path.replace(/\/$/, '') || '/'
  const isAt = (route: string) => new RegExp(`^${route.replace(/\/$/, '').replace(/\$\w+/g, '[^/]+')}$`).test(bare)
  // A screen's own address takes precedence over the paths below another one.
  return (
    all.find((screen) => isAt(screen.path)) ??
    all.find((screen) => screen.children?.some((child) => isAt(`${screen.path}/${child}`)))
  )
}

/** Returns the place of an address: its screen's; without one in the menu, that of a screen below the same first segment. */
export function placeAt(path: string): PlaceId | undefined {
  const first = path.split('/')[1]
  return (screenAt(path)?.menu ?? all.find((screen) => screen.menu && screen.path.split('/')[1] === first)?.menu)?.place
}

/** Whether the person may open a screen at all: role and permission, then the tenant's hidden menu entries. */
export function mayEnter(screen: Screen, path: string = screen.path): boolean {
  const { profile } = viewer()
  const isLocked = profile !== 'superadmin' && isSettingOn('overdue')
  if (isLocked ? !screen.whenOverdue : screen.whenOverdue === 'only') return false
  if (screen.profiles && !screen.profiles.includes(profile)) return false
  if (screen.can !== 'session' && !may(screen.can)) return false
  return profile === 'superadmin' || !isRouteHidden(menuVisibility(), path)
}

/**
 * Returns the path to which a denied person is redirected: the contacts (assinatura for the superadmin), or while a payment
 * is overdue that screen, else the first screen that they may enter.
 */
export function refuge(screens: readonly Screen[]): string | null {
  const first = rootTarget(viewer().profile)
  const open = screens.filter((screen) => !screen.path.includes('$') && mayEnter(screen))
  const isLock = (screen: Screen) => screen.whenOverdue === 'only'
  return (open.find((screen) => screen.path === first) ?? open.find(isLock) ?? open[0])?.path ?? null
}

/** Navigation state of a place opened from the menu: in a narrow window its list is open. */
export const openList = { opensList: true }

/** Returns the name of a screen in the menu. */
export const entryName = (screen: Screen): string => screen.menu?.label ?? screen.title

/** Returns the groups of a place's list in order: the product's, and those of features after the group that they name. */
export function groupsOf(screens: readonly Screen[], place: PlaceId): readonly string[] {
  const groups = [...(places[place].groups ?? [''])]
  for (const { menu } of screens)
    if (menu?.place === place && menu.group && !groups.includes(menu.group))
      groups.splice(menu.after === undefined ? groups.length : groups.indexOf(menu.after) + 1, 0, menu.group)
  return groups
}

/** Sorts screens in the order of the menu; screens outside of it last. */
export function inMenuOrder(screens: readonly Screen[]): Screen[] {
  const groups = placeIds.flatMap((place) => groupsOf(screens, place).map((group) => `${place} ${group}`))
  const rank = ({ menu }: Screen): number =>
    menu ? groups.indexOf(`${menu.place} ${menu.group ?? ''}`) * 1000 + (menu.order ?? 99) : Number.POSITIVE_INFINITY
  const isBefore = (a: Screen, b: Screen) => folded(entryName(a)) < folded(entryName(b))
  return [...screens].sort((a, b) => (rank(a) === rank(b) ? (isBefore(a, b) ? -1 : 1) : rank(a) - rank(b)))
}

/** Returns the screens of a place that the user may enter, in order. */
export const screensOf = (screens: readonly Screen[], place: PlaceId): readonly Screen[] =>
  inMenuOrder(screens.filter((screen) => screen.menu?.place === place && mayEnter(screen)))

/** Place of the user's menu, and the screen that it opens first. */
export type MenuEntry = Place & { readonly id: PlaceId; readonly first: Screen }

/** Returns the user's menu: the places in order that have a screen they may enter. */
export const menuOf = (screens: readonly Screen[]): readonly MenuEntry[] =>
  placeIds.flatMap((id) => {
    const [first] = screensOf(screens, id)
    return first ? [{ ...places[id], id, first }] : []
  })

/** Returns the list of a place: its groups in order, each with the screens that the user may enter. */
export function listOf(screens: readonly Screen[], place: PlaceId): { group: string; screens: readonly Screen[] }[] {
  const shown = screensOf(screens, place)
  return groupsOf(screens, place)
    .map((group) => ({ group, screens: shown.filter(({ menu }) => (menu?.group ?? '') === group) }))
    .filter((one) => one.screens.length > 0)
}
