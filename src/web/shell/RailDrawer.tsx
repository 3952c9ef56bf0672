import { Link, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../lazy-part.ts'
import { t } from '../t.ts'
import { CloseIcon, FullScreenIcon } from '../ui/icons.ts'
import { IconButton } from '../ui/inputs/IconButton.tsx'
import { useLayer } from './layers.ts'
import css from './rail-drawer.module.css'
import type { Screen } from './screens.ts'

/** Drawer of a screen beside the rail: stays open while the page below changes; closes on the screen's own page. */
export function RailDrawer({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const [Part] = useState(() => lazyPart(screen.drawer!))
  const isOnPage = useLocation({ select: ({ pathname }) => pathname.startsWith(screen.path) })
  useLayer(true, onClose)
  useEffect(() => {
    if (isOnPage) onClose()
  }, [isOnPage, onClose])
  return (
    <aside className={css.drawer} aria-label={screen.title}>
      <header className={css.header}>
        <h2 className="g-cut">{screen.title}</h2>
        <Link className="g-icon-button" to={screen.path} aria-label={t('Abrir a página inteira')}>
          <FullScreenIcon size={18} />
        </Link>
        <IconButton aria-label={t('Fechar {title}', { title: screen.title })} onClick={onClose}>
          <CloseIcon size={19} />
        </IconButton>
      </header>
      <Suspense>
        <Part onClose={onClose} />
      </Suspense>
    </aside>
  )
}
