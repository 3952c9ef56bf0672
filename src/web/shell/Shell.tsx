import { CatchBoundary, Outlet, useBlocker, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { bars, screens } from '../features.tsx'
import { useMay } from '../session/permissions.ts'
import { viewer } from '../session/session.ts'
import { onFirstUse } from '../start/deferred.ts'
import { t } from '../t.ts'
import { confirmDiscard } from '../ui/feedback/confirm.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { ErrorPage } from '../ui/feedback/states.tsx'
import { SearchIcon, ShortcutsIcon } from '../ui/icons.ts'
import type { Command } from '../ui/layout/command.ts'
import { openForm } from '../unsaved.ts'
import { useOwn, watchPermissions } from './account.ts'
import { privateUnread, useUnread } from './attention.ts'
import { ConnectionBar } from './ConnectionBar.tsx'
import { goGroup, listenForShortcuts, useCommands } from './commands.ts'
import { toTextTarget } from './key-guard.ts'
import { closeByBack } from './layers.ts'
import { listenForLongPress } from './long-press.ts'
import { isCancelled, type RouterLocation } from './navigation.ts'
import { PhoneBar } from './PhoneBar.tsx'
import { places } from './places.ts'
import { Rail } from './rail.tsx'
import { mayEnter, type Screen, screenAt, screensOf } from './screens.ts'
import css from './shell.module.css'

// Loaded when they are first opened.
const Palette = lazyPart(async () => (await import('./Palette.tsx')).Palette)
const PlaceList = lazyPart(async () => (await import('./PlaceList.tsx')).PlaceList)
const PlaceTabs = lazyPart(async () => (await import('./PlaceTabs.tsx')).PlaceTabs)
const ShortcutSheet = lazyPart(async () => (await import('./ShortcutSheet.tsx')).ShortcutSheet)

onFirstUse(async () => (await import('./key-watch.ts')).beginWatching)

/** Frame around every screen: rail (bar on a phone), connection state, palette, shortcuts, title, and scroll to the top. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const screen = screenAt(path)
  const [palette, setPalette] = useState(false)
  const [sheet, setSheet] = useState(false)
  const everPalette = useEver(palette)
  const everSheet = useEver(sheet)
  const router = useRouter()
  useOwn()
  useMay() // the bars are drawn again with every change of rights
  useTitle(screen?.title)
  useEffect(() => watchPermissions(() => void router.invalidate()), [router])
  useBlocker({ shouldBlockFn: mayNotLeave, enableBeforeUnload: false })
  useEffect(listenForShortcuts, [])
  useEffect(listenForLongPress, [])
  useEffect(welcome, [])
  const content = useScrollToTop(path)
  useShellCommands(setPalette, setSheet)
  const search = useCallback(() => setPalette(true), [])
  return (
    <div className={css.shell}>
      <a href="#conteudo" className={css.skip}>
        {t('Pular para o conteúdo')}
      </a>
      <Rail isBesidePage={screen !== undefined && !screen.fill && !screen.needsWidth} onSearch={search} />
      <div className={css.column}>
        <ConnectionBar />
        {bars.map((Bar, at) => (
          <Bar key={at} />
        ))}
        <Place path={path} screen={screen} content={content} />
        <PhoneBar onSearch={search} />
      </div>
      <Suspense>
        {everPalette && <Palette opened={palette} onClose={() => setPalette(false)} />}
        {everSheet && <ShortcutSheet opened={sheet} onClose={() => setSheet(false)} />}
      </Suspense>
    </div>
  )
}

/** Registers the commands of every screen: palette, shortcuts, and going to each screen of the menu. */
function useShellCommands(setPalette: Dispatch<SetStateAction<boolean>>, setSheet: (opened: boolean) => void): void {
  const navigate = useNavigate()
  const commands = useMemo<Command[]>(() => {
    const group = t('Em todo lugar')
    return [
      {
        id: 'palette',
        group,
        label: t('Buscar ou executar'),
        shortcut: 'mod+k',
        icon: SearchIcon,
        run: () => setPalette((open) => !open),
      },
      { id: 'sheet', group, label: t('Atalhos'), shortcut: '?', icon: ShortcutsIcon, run: () => setSheet(true) },
    ]
  }, [setPalette, setSheet])
  const screenCommands = useMemo<Command[]>(
    () =>
      screens
        .filter((one) => one.icon && !one.path.includes('$'))
        .map(({ path: to, title, shortcut }) => ({
          id: `go ${to}`,
          group: goGroup,
          label: title,
          run: () => void navigate({ to }),
          when: () => screens.some((one) => one.path === to && mayEnter(one)),
          ...(shortcut ? { shortcut } : {}),
        })),
    [navigate],
  )
  useCommands(commands)
  useCommands(screenCommands)
}

/** Scrolls the element of the returned ref to its top when the screen changes. */
function useScrollToTop(path: string) {
  const content = useRef<HTMLDivElement>(null)
  const scrolledFor = useRef(path) // a new page is at its top; asking would have it laid out before it is drawn
  useEffect(() => {
    if (scrolledFor.current !== path) content.current?.scrollTo(0, 0) // decision A20: not for query-only changes
    scrolledFor.current = path
  }, [path])
  return content
}

/** Current screen, with the list or the tabs of its place in the menu. */
function Place(props: { path: string; screen: Screen | undefined; content: RefObject<HTMLDivElement | null> }) {
  const { path, screen, content } = props
  const place = screen?.menu?.place
  const hasList = place && 'groups' in places[place]
  const hasTabs = place && !hasList && screensOf(screens, place).length > 1
  return (
    <div className={css.place} data-listed={hasList || undefined}>
      {hasList && (
        <Suspense fallback={<div className={css.list} />}>
          <PlaceList key={place} place={place} />
        </Suspense>
      )}
      <div className={css.main}>
        {hasTabs && (
          <Suspense fallback={<div className={css.tabs} />}>
            <PlaceTabs place={place} />
          </Suspense>
        )}
        <div ref={content} id="conteudo" tabIndex={-1} className={css.content} data-fill={screen?.fill || undefined}>
          <CatchBoundary
            getResetKey={() => path}
            errorComponent={({ reset }) => <ErrorPage reset={reset} />}
            onCatch={(error) => console.error(error)}
          >
            <Outlet />
          </CatchBoundary>
        </div>
      </div>
    </div>
  )
}

/** Sets the document's title: “(12) Contatos · Guichê”: unread conversations, the screen, the product. */
function useTitle(title: string | undefined): void {
  const [ofTickets, ofColleagues] = [useUnread(), privateUnread.use()]
  const unread = ofTickets + ofColleagues
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title ? `${title} · ` : ''}Guichê`
  }, [title, unread])
}

/** Shows the toast after a login. */
function welcome(): void {
  const title = sessionStorage.getItem('guiche.welcome')
  sessionStorage.removeItem('guiche.welcome')
  if (title) notify({ tone: 'pos', title, text: t('Você entrou como {name}.', { name: viewer().username }) })
}

/** Returns whether a condition has been true at least once. */
function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}

/**
 * Blocks navigations without effect, closes overlays at the way back, and asks before a form with changes is left for
 * another screen.
 */
async function mayNotLeave({
  action,
  current,
  next,
}: {
  action: string
  current: RouterLocation
  next: RouterLocation
}): Promise<boolean> {
  if (isCancelled(action, current, next) || (action === 'BACK' && closeByBack())) return true
  const form = openForm()
  if (current.pathname === next.pathname || !form) return false
  const leaves = await confirmDiscard(form.loss ?? { text: t('O que você mudou nesta tela ainda não foi salvo.') })
  if (!leaves) toTextTarget()
  return !leaves
}
