import { Drawer, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { readHealth, screens } from '../features.tsx'
import { useMay } from '../session/permissions.ts'
import { t } from '../t.ts'
import { iconOf } from '../ui/entry-icons.ts'
import { ChevronDownIcon, SearchIcon } from '../ui/icons.ts'
import { matches } from '../ui/matches.ts'
import { type Found, useFindings } from './findings.ts'
import css from './place.module.css'
import { type PlaceId, places } from './places.ts'
import { entryName, type HealthOfScreens, listOf, type Screen } from './screens.ts'

/**
 * List of a place beside its pages: groups, a search down to the single setting, and a dot where something is connected or
 * needs attention. In a narrow window a bar above the page opens it.
 */
export function PlaceList({ place }: { place: PlaceId }) {
  useMay() // what it offers changes with the person's rights
  const { pathname, hash, state } = useLocation()
  const [isOpen, setOpen] = useState(() => (state as { opensList?: boolean }).opensList === true)
  useEffect(() => showSetting(hash), [hash])
  const { name } = places[place]
  const open = screens.find(({ path }) => path === pathname)
  return (
    <>
      <aside className={css.list} aria-label={name}>
        <p className={css.title}>{name}</p>
        <Entries place={place} />
      </aside>
      <button type="button" className={css.opener} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {name}
        <b className="g-cut">{open && entryName(open)}</b>
        <ChevronDownIcon size={16} />
      </button>
      <Narrow isOpen={isOpen} onClose={() => setOpen(false)} name={name}>
        <Entries place={place} onOpen={() => setOpen(false)} />
      </Narrow>
    </>
  )
}

function Narrow(props: { isOpen: boolean; onClose: () => void; name: string; children: React.ReactNode }) {
  const isNarrow = matchMedia('(max-width: 1023.98px)').matches
  return (
    <Drawer opened={props.isOpen && isNarrow} onClose={props.onClose} title={props.name} size={360}>
      {props.children}
    </Drawer>
  )
}

const everyMs = 60_000

function Entries({ place, onOpen }: { place: PlaceId; onOpen?: () => void }) {
  const { pathname } = useLocation()
  const list = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who comes from elsewhere sees where they are
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  const [typed, setTyped] = useState('')
  const [isSearched, setSearched] = useState(false)
  const { data: health = {} } = useQuery({
    queryKey: ['guide', 'health'],
    queryFn: async () => (await readHealth?.()) ?? {},
    refetchInterval: everyMs,
  })
  const groups = listOf(screens, place)
  const found = useFindings(isSearched).filter(
    ({ screen, label, keywords }) =>
      screen.menu?.place === place && typed.trim() !== '' && matches(`${label} ${keywords}`, typed),
  )
  const shown = groups
    .map(({ group, screens: all }) => ({
      group,
      screens: all.filter((screen) => matches(`${entryName(screen)} ${screen.title} ${t(group)}`, typed)),
    }))
    .filter((one) => one.screens.length > 0)
  return (
    <div role="search" onKeyDown={walk}>
      <TextInput
        className={css.search}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={() => setSearched(true)}
        placeholder={t('Buscar ajuste')}
        aria-label={t('Buscar ajuste')}
        leftSection={<SearchIcon size={16} />}
      />
      <nav ref={list} aria-label={places[place].name}>
        {shown.map(({ group, screens: entries }) => (
          <div key={group}>
            <p className={css.group}>{t(group)}</p>
            {entries.map((screen) => (
              <Entry key={screen.path} screen={screen} health={health[screen.path]} onOpen={onOpen} />
            ))}
          </div>
        ))}
        {found.length > 0 && <p className={css.group}>{t('Ajustes')}</p>}
        {found.slice(0, 12).map((one) => (
          <Setting key={`${one.screen.path} ${one.label}`} found={one} onOpen={onOpen} />
        ))}
      </nav>
      {shown.length + found.length === 0 && (
        <p className={css.none}>{t('Nada com “{typed}”. Tente parte do nome.', { typed })}</p>
      )}
    </div>
  )
}

type Health = HealthOfScreens[string]

const healthTexts: Record<Health, string> = {
  pos: t('funcionando'),
  warn: t('pede atenção'),
  neg: t('com falha'),
}

type EntryProps = { screen: Screen; health: Health | undefined; onOpen: (() => void) | undefined }

function Entry({ screen, health, onOpen }: EntryProps) {
  const Icon = screen.icon && iconOf(screen.icon)
  return (
    <Link
      to={screen.path}
      className={css.entry}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      activeOptions={{ exact: true, includeSearch: false }}
      onClick={onOpen}
    >
      {Icon && <Icon size={18} />}
      <span className="g-cut">{entryName(screen)}</span>
      {health && (
        <i className={css.dot} data-tone={health} title={healthTexts[health]}>
          <span className="g-hidden">{healthTexts[health]}</span>
        </i>
      )}
    </Link>
  )
}

function Setting({ found, onOpen }: { found: Found; onOpen: (() => void) | undefined }) {
  const { screen, label, id } = found
  return (
    <Link to={screen.path} hash={id ?? ''} className={css.setting} onClick={onOpen}>
      <span>{label}</span>
      <small>{entryName(screen)}</small>
    </Link>
  )
}

/** Moves the focus by arrows through field and entries; Enter in the field opens the first entry. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[type=search], a')]
  const at = all.indexOf(event.target as HTMLElement)
  if (step) all[at + step]?.focus()
  else if (event.key === 'Enter' && at === 0) all[1]?.click()
  else return
  event.preventDefault()
}

const patienceMs = 3000

/** Scrolls to a setting once its page has drawn it, and highlights it for a moment. */
function showSetting(id: string): () => void {
  const until = performance.now() + patienceMs
  let frame = 0
  const look = () => {
    const found = id ? document.getElementById(id) : null
    if (found) {
      found.scrollIntoView({ block: 'center' })
      found.dataset.found = ''
      found.querySelector<HTMLElement>('input, textarea, [type=button]')?.focus({ preventScroll: true })
    } else if (id && performance.now() < until) frame = requestAnimationFrame(look)
  }
  look()
  return () => {
    cancelAnimationFrame(frame)
    delete document.getElementById(id)?.dataset.found
  }
}
