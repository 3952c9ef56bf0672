import type { ComponentType } from 'react'
import { isRouteHidden, rootTarget } from '#domain/access/menu.ts'
import type { Profile } from '#domain/access/profiles.ts'
import type { Permission } from '#kit/permissions.ts'
import type { ChoiceLists } from '../choices.ts'
import { folded } from '../fold.ts'
import { may } from '../session/permissions.ts'
import { menuVisibility, viewer } from '../session/session.ts'

/** The product's groups of the menu in their order; the first has no label. */
const menuGroups: readonly string[] = [
  '',
  'Atendimento',
  'Gestão',
  'Comunicação e MKT',
  'Administração',
  'Automação',
  'Gestão Comercial',
  'Configuração e API',
  'Empresas e Licença',
  'Configurações',
  'Canais e Integrações',
  'Sistema',
]

/**
 * One screen as data: router, menu, access, titles, palette and the browser test that opens every screen read it.
 * - `path` in router syntax (`/campanhas/$campanhaId`); `children` are paths below it that the same component draws.
 * - `can`: the permission, or 'session' for everybody logged in; `profiles` narrows further (landing pages by role).
 * - `menu`: where it stands; without it the screen is reached from elsewhere. A group of the feature's own says `after` which
 *   it comes. `phone` 1–4 puts it in the phone's bar.
 * - `redirects`: addresses that lead here, or to a path below (specification §2).
 * - `countsUnread`: the menu shows there how many conversations of the person have something unread.
 * - `load` fetches the component; the screen's code is a chunk of its own.
 */
export type Screen = {
  path: string
  title: string
  icon?: ComponentType<{ size?: number | string }>
  can: Permission | 'session'
  profiles?: readonly Profile[]
  menu?: { group: string; after?: string; order?: number; label?: string; phone?: 1 | 2 | 3 | 4 }
  children?: readonly string[]
  redirects?: Readonly<Record<string, string>>
  shortcut?: string
  countsUnread?: boolean
  /** Fills the window itself (lists and panels scroll inside), instead of scrolling as a page. */
  fill?: boolean
  /** Wants the width of the window: the rail stays narrow beside it. */
  needsWidth?: boolean
  load: () => Promise<ComponentType>
}

/** What opens at the bell. */
export type BellPanel = ComponentType<{ onClose: () => void }>

/** What opens at “Tutoriais”. */
export type TutorialsPanel = ComponentType<{ onClose: () => void }>

/**
 * What a feature brings to the browser: screens, rows that others' screens choose from, lines that stand above all screens
 * while there is something to say, and (one of them each) the panels that open at the bell and at “Tutoriais”.
 */
export type WebFeature = {
  screens: readonly Screen[]
  choices?: ChoiceLists
  bars?: readonly ComponentType[]
  bell?: () => Promise<BellPanel>
  tutorials?: () => Promise<TutorialsPanel>
}

let all: readonly Screen[] = []

/** Says once which screens there are, for those who speak of all of them. */
export function listScreens(screens: readonly Screen[]): readonly Screen[] {
  all = screens
  return screens
}

/** Every screen of the product. */
export const allScreens = (): readonly Screen[] => all

/** The groups of the menu that the screens stand in, in their order: the product's, and those of features behind theirs. */
export function groupsOf(screens: readonly Screen[]): readonly string[] {
  const groups = [...menuGroups]
  for (const { menu } of screens)
    if (menu && !groups.includes(menu.group))
      groups.splice(menu.after === undefined ? groups.length : groups.indexOf(menu.after) + 1, 0, menu.group)
  return groups
}

/** Whether the person may open a screen at all: role and permission, then the tenant's hidden menu entries. */
export function mayEnter(screen: Screen, path: string = screen.path): boolean {
  const { profile } = viewer()
  if (screen.profiles && !screen.profiles.includes(profile)) return false
  if (screen.can !== 'session' && !may(screen.can)) return false
  return profile === 'superadmin' || !isRouteHidden(menuVisibility(), path)
}

/** Where a refused person is sent: the contacts (assinatura for the superadmin), else the first screen that may be entered. */
export function refuge(screens: readonly Screen[]): string | null {
  const first = rootTarget(viewer().profile)
  const open = screens.filter((screen) => !screen.path.includes('$') && mayEnter(screen))
  return (open.find((screen) => screen.path === first) ?? open[0])?.path ?? null
}

/** The menu of the person: groups in order, each with the screens that may be entered. */
export function menuOf(screens: readonly Screen[]): { group: string; screens: Screen[] }[] {
  return groupsOf(screens)
    .map((group) => ({
      group,
      screens: screens
        .filter((screen) => screen.menu?.group === group && mayEnter(screen))
        .sort((a, b) => (a.menu?.order ?? 99) - (b.menu?.order ?? 99) || (folded(a.title) < folded(b.title) ? -1 : 1)),
    }))
    .filter(({ screens: shown }) => shown.length > 0)
}
