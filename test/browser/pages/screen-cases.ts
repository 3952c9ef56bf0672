import { can } from '#kit/permissions.ts'
import '#server/features.ts'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import type { Screen } from '#web/shell/screens.ts'
import { allPairs, coverPairs } from './pairs.ts'
import { screens } from './screens.ts'

/** One way of looking at a screen: its address as the router writes it, by whom, how wide and in which theme. */
export type ScreenCase = { path: string; profile: Profile; width: 1440 | 390; theme: 'light' | 'dark' }

/** Every address of a screen, its children included, as the router writes them. */
export const pathsOf = (screen: Screen): string[] => [
  screen.path,
  ...(screen.children ?? []).map((child) => `${screen.path}/${child}`),
]

/** Whether a role may open a screen. */
export const isFor = (screen: Screen, profile: Profile): boolean =>
  (!screen.profiles || screen.profiles.includes(profile)) && (screen.can === 'session' || can({ profile }, screen.can))

/** Every way of looking at every screen that its role may open. */
export const everyCase: readonly ScreenCase[] = screens.flatMap((screen) =>
  pathsOf(screen).flatMap((path) =>
    PROFILES.filter((profile) => isFor(screen, profile)).flatMap((profile) =>
      ([1440, 390] as const).flatMap((width) =>
        (['light', 'dark'] as const).map((theme) => ({ path, profile, width, theme })),
      ),
    ),
  ),
)

/** Cases of the wide round: every pair of screen, role, width and theme at least once. */
export const cases = coverPairs(everyCase)

/** Cases in which the round also opens every menu and dialog: every pair except those of screen and role. */
export const opened = new Set(
  coverPairs(cases, ({ path, ...how }) => [
    ...allPairs(how),
    ...allPairs({ path, width: how.width }),
    ...allPairs({ path, theme: how.theme }),
  ]),
)

/** Number of plain cases that take as long as one with every layer opened. */
const WEIGHT = 5
const MOST_AT_ONCE = 15

/** Groups the cases into tests of one role, width and theme, each of at most a minute or two. */
export function batches(): { name: string; cases: ScreenCase[] }[] {
  const found = new Map<string, ScreenCase[][]>()
  const weigh = (list: ScreenCase[]) => list.reduce((sum, one) => sum + (opened.has(one) ? WEIGHT : 1), 0)
  for (const one of cases) {
    const name = `${one.profile}-${one.width}-${one.theme}`
    const parts = found.get(name) ?? [[]]
    if (weigh([...parts.at(-1)!, one]) > MOST_AT_ONCE) parts.push([])
    parts.at(-1)!.push(one)
    found.set(name, parts)
  }
  return [...found].flatMap(([name, parts]) =>
    parts.map((list, index) => ({ name: parts.length > 1 ? `${name}, ${index + 1}` : name, cases: list })),
  )
}
