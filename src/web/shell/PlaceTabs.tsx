import { Link, useLocation } from '@tanstack/react-router'
import { screens } from '../features.tsx'
import { useMay } from '../session/permissions.ts'
import css from './place.module.css'
import { type PlaceId, places } from './places.ts'
import { entryName, screensOf } from './screens.ts'

const intoSight = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** Screens of a place as its tabs; tabs that do not fit scroll. */
export function PlaceTabs({ place }: { place: PlaceId }) {
  useMay() // what it offers changes with the person's rights
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <nav data-pushed aria-label={places[place].name} className={css.tabs}>
      {screensOf(screens, place).map((screen) => (
        <Link
          key={screen.path}
          ref={path === screen.path ? intoSight : undefined}
          to={screen.path}
          data-active={path === screen.path || undefined}
          aria-current={path === screen.path ? 'page' : undefined}
        >
          {entryName(screen)}
        </Link>
      ))}
    </nav>
  )
}
