import { Link, useLocation } from '@tanstack/react-router'
import { memo, Suspense, useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { screens } from '../features.tsx'
import { useMay } from '../session/permissions.ts'
import { t } from '../t.ts'
import { MenuIcon } from '../ui/icons.ts'
import { Counter } from '../ui/identity/badges.tsx'
import { useUnread } from './attention.ts'
import css from './phone-bar.module.css'
import { type MenuEntry, menuOf, placeAt } from './screens.ts'

const PhoneMenu = lazyPart(async () => (await import('./PhoneMenu.tsx')).PhoneMenu)

function PlaceTab({ entry: { id, name, icon: Icon, first } }: { entry: MenuEntry }) {
  const unread = useUnread()
  const isHere = useLocation({ select: ({ pathname }) => placeAt(pathname) === id })
  return (
    <Link
      to={first.path}
      className={css.tab}
      data-active={isHere || undefined}
      aria-current={isHere ? 'page' : undefined}
    >
      <span className={css.icon}>
        <Icon size={21} />
        <span className={css.count}>
          <Counter
            value={first.countsUnread === true ? unread : 0}
            tone="accent"
            small
            unit={[t('não lida'), t('não lidas')]}
          />
        </span>
      </span>
      {name}
    </Link>
  )
}

/** Bottom bar of a phone: up to four places and the menu, 64 px. */
export const PhoneBar = memo(function PhoneBar({ onSearch }: { onSearch: () => void }) {
  useMay() // its places change with the person's rights
  const [open, setOpen] = useState(false)
  const [ever, setEver] = useState(false)
  const tabs = menuOf(screens)
    .filter(({ phone }) => phone)
    .sort((a, b) => (a.phone ?? 9) - (b.phone ?? 9))
  return (
    <>
      <nav className={css.bar} aria-label={t('Principal')}>
        {tabs.map((entry) => (
          <PlaceTab key={entry.id} entry={entry} />
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
