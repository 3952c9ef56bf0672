import { useMediaQuery } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { type MouseEvent, memo, Suspense, useEffect, useRef, useState } from 'react'
import { screens } from '../features.tsx'
import { lazyPart } from '../lazy-part.ts'
import { useMay } from '../session/permissions.ts'
import { t } from '../t.ts'
import { PinIcon, SearchIcon, UnpinIcon } from '../ui/icons.ts'
import { Counter, Keys } from '../ui/identity/badges.tsx'
import { Mark, Wordmark } from '../ui/identity/mark.tsx'
import { openTasks, privateUnread, useUnread } from './attention.ts'
import { Bell } from './Bell.tsx'
import { calling } from './calling.ts'
import { Profile } from './Profile.tsx'
import css from './rail.module.css'
import { type MenuEntry, menuOf, openList, placeAt, type Screen, screensOf } from './screens.ts'

const RailDrawer = lazyPart(async () => (await import('./RailDrawer.tsx')).RailDrawer)

type ItemProps = {
  entry: MenuEntry
  label: boolean
  size: number
  onOpen?: (() => void) | undefined
  onDrawer?: ((screen: Screen) => void) | undefined
}

function Item({ entry, label, size, onOpen, onDrawer }: ItemProps) {
  const isHere = useLocation({ select: ({ pathname }) => placeAt(pathname) === entry.id })
  const withDrawer = onDrawer && screensOf(screens, entry.id).find((screen) => screen.drawer)
  const open = (event: MouseEvent) => {
    onOpen?.()
    if (!withDrawer || isHere || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onDrawer(withDrawer)
  }
  const counted = screensOf(screens, entry.id).find((screen) => screen.countsUnread)?.countsUnread
  return (
    <Link
      to={entry.first.path}
      state={openList as never}
      className={css.item}
      data-active={isHere || undefined}
      aria-current={isHere ? 'page' : undefined}
      data-apart={entry.isApart}
      title={label ? undefined : entry.name}
      onClick={open}
    >
      <entry.icon size={size} />
      <span className={label ? css.name : 'g-hidden'}>{entry.name}</span>
      {counted && <Unread of={counted} />}
    </Link>
  )
}

type Counted = NonNullable<Screen['countsUnread']>

function Unread({ of }: { of: Counted }) {
  const [ofTickets, ofColleagues, tasks] = [useUnread(), privateUnread.use(), openTasks.use()]
  const value = of === 'private' ? ofColleagues : of === 'tasks' ? tasks : ofTickets
  const unit: [string, string] = of === 'tasks' ? [t('tarefa'), t('tarefas')] : [t('não lida'), t('não lidas')]
  return (
    <span className={css.count}>
      <Counter value={value} tone="accent" small unit={unit} />
    </span>
  )
}

/** Places of the menu, with names when wide. */
export function MenuList(props: { wide: boolean; size: number } & Pick<ItemProps, 'onOpen' | 'onDrawer'>) {
  const { wide, size, ...opening } = props
  return (
    <nav aria-label={t('Menu')} className={css.menu}>
      {menuOf(screens).map((entry) => (
        <Item key={entry.id} entry={entry} label={wide} size={size} {...opening} />
      ))}
    </nav>
  )
}

const pinKey = 'guiche.rail'

/**
 * Rail: 64 px, or 232 when pinned, hovered for 300 ms or, until the user has chosen, from 1440 px on beside a page that
 * leaves the room (`isBesidePage`); navigation, search, bell and profile are here only. Opening it by hover only adds names:
 * every button stays where it is.
 */
export const Rail = memo(function Rail(props: { isBesidePage: boolean; onSearch: () => void }) {
  const { isBesidePage, onSearch } = props
  const phone = calling.use()
  useMay() // what it offers changes with the person's rights
  const { pinned, setPinned } = usePinned(isBesidePage)
  const [drawer, setDrawer] = useState<Screen | null>(null)
  const [isPointed, setOver] = useState(false)
  const over = isPointed && !drawer
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const wide = pinned || over
  const collapse = () => {
    clearTimeout(timer.current)
    setOver(false)
  }
  const pin = () => {
    setPinned(!pinned)
    setOver(false)
  }
  return (
    <header className={css.entry} data-pinned={pinned || undefined}>
      <div
        role="group"
        aria-label={t('Navegação')}
        className={css.rail}
        data-wide={pinned || undefined}
        data-over={(over && !pinned) || undefined}
        onPointerEnter={(event) => {
          // A panel that the rail opened (the bell's) is its child in React only, not in the DOM.
          const isHere = event.currentTarget.contains(event.target as Node)
          if (event.pointerType === 'mouse' && isHere) timer.current = setTimeout(() => setOver(true), 300)
        }}
        onPointerLeave={collapse}
      >
        <Top wide={wide} pinned={pinned} onPin={pin} />
        {pinned && <SearchButton onSearch={onSearch} />}
        <MenuList wide={wide} size={pinned ? 18 : 21} onDrawer={setDrawer} />
        <div className={css.footer}>
          {!pinned && (
            <button type="button" className={css.tool} aria-label={t('Buscar ou executar')} onClick={onSearch}>
              <SearchIcon size={20} />
              {over && <span>{t('Buscar ou executar')}</span>}
            </button>
          )}
          {!pinned && phone && <phone.Button key="phone" onOpen={collapse} />}
          {!pinned && <Bell key="bell" onOpen={collapse} />}
          <Profile wide={wide} />
          {pinned && phone && <phone.Button key="phone" onOpen={collapse} />}
          {pinned && <Bell key="bell" />}
        </div>
      </div>
      {drawer && (
        <Suspense>
          <RailDrawer key={drawer.path} screen={drawer} onClose={() => setDrawer(null)} />
        </Suspense>
      )}
    </header>
  )
})

/** Whether the rail is wide on this machine, and until the user has chosen, whether there is room. */
function usePinned(isBesidePage: boolean) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(pinKey))
  const isLarge = useMediaQuery('(min-width: 90em)', false, { getInitialValueInEffect: false })
  const pinned = chosen ? chosen === 'wide' : isBesidePage && isLarge
  const setPinned = (next: boolean) => {
    const saved = next ? 'wide' : 'narrow'
    localStorage.setItem(pinKey, saved)
    setChosen(saved)
  }
  return { pinned, setPinned }
}

/** Mark, and beside it the button that pins the rail. */
function Top({ wide, pinned, onPin }: { wide: boolean; pinned: boolean; onPin: () => void }) {
  const Pin = pinned ? UnpinIcon : PinIcon
  return (
    <div className={css.top}>
      <Link to="/" aria-label={t('Guichê, início')} className={css.mark}>
        {wide ? <Wordmark size={pinned ? 30 : 34} letters={21} tone="rail" /> : <Mark size={34} tone="rail" />}
      </Link>
      {wide && (
        <button
          type="button"
          className={css.tool}
          aria-label={pinned ? t('Recolher o menu') : t('Fixar o menu')}
          onClick={onPin}
        >
          <Pin size={18} />
        </button>
      )}
    </div>
  )
}

function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <button type="button" className={css.search} onClick={onSearch}>
      <SearchIcon size={17} />
      <span>{t('Buscar ou executar')}</span>
      <Keys of="mod+k" joined />
    </button>
  )
}
