import { Link } from '@tanstack/react-router'
import { memo, Suspense, useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { screens } from '../features.tsx'
import { useMay } from '../session/permissions.ts'
import { t } from '../t.ts'
import { MenuIcon } from '../ui/icons.ts'
import { Counter } from '../ui/identity/badges.tsx'
import { useUnread } from './attention.ts'
import css from './phone-bar.module.css'
import { mayEnter, type Screen } from './screens.ts'

const PhoneMenu = lazyPart(async () => (await import('./PhoneMenu.tsx')).PhoneMenu)

function ScreenTab({ screen }: { screen: Screen }) {
  const unread = useUnread()
  const Icon = screen.icon ?? MenuIcon
  return (
    <Link to={screen.path} className={css.tab} activeProps={{ 'data-active': true, 'aria-current': 'page' }}>
      <span className={css.icon}>
        <Icon size={21} />
        <span className={css.count}>
          <Counter
            value={screen.countsUnread ? unread : 0}
            tone="accent"
            small
            unit={[t('não lida'), t('não lidas')]}
          />
        </span>
      </span>
      {screen.menu?.label ?? screen.title}
    </Link>
  )
}

/** The phone's bottom bar: up to four places and the menu, 64 px. */
export const PhoneBar = memo(function PhoneBar({ onSearch }: { onSearch: () => void }) {
  useMay() // its places change with the person's rights
  const [open, setOpen] = useState(false)
  const [ever, setEver] = useState(false)
  const tabs = screens
    .filter((screen) => screen.menu?.phone && mayEnter(screen))
    .sort((a, b) => (a.menu?.phone ?? 9) - (b.menu?.phone ?? 9))
    .slice(0, 4)
  return (
    <>
      <nav className={css.bar} aria-label={t('Principal')}>
        {tabs.map((screen) => (
          <ScreenTab key={screen.path} screen={screen} />
        ))}
        <button
          type="button"
          className={css.tab}
          onClick={() => {
            setEver(true)
            setOpen(true)
          }}
        >
          <span className={css.icon}>
            <MenuIcon size={21} />
          </span>
          {t('Menu')}
        </button>
      </nav>
      <Suspense>{ever && <PhoneMenu opened={open} onClose={() => setOpen(false)} onSearch={onSearch} />}</Suspense>
    </>
  )
})
