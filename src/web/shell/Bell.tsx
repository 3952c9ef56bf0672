import { Suspense, useState } from 'react'
import { loadBell } from '../features.tsx'
import { lazyPart } from '../lazy-part.ts'
import { t } from '../t.ts'
import { BellIcon } from '../ui/icons.ts'
import { Counter } from '../ui/identity/badges.tsx'
import { bellCount, privateUnread, warnings } from './attention.ts'
import css from './bell.module.css'
import rail from './rail.module.css'
import type { BellPanel } from './screens.ts'

const load = async (): Promise<BellPanel> => (await loadBell?.()) ?? (() => null)
const Panel = lazyPart(load)

/** Bell with the number of items that concern the user; the list opens beside it, after `onOpen` has made room. */
export function Bell({ onOpen }: { onOpen?: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <span className={css.box}>
      <button
        type="button"
        className={rail.tool}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={() => void load()}
        onClick={() => {
          setOpen(!open)
          onOpen?.()
        }}
      >
        <BellIcon size={20} />
        <span className="g-hidden">{t('Para você')}</span>
        <span className={rail.badge}>
          <Counter
            value={bellCount.use() + privateUnread.use() + warnings.use().length}
            tone="accent"
            small
            unit={[t('novidade'), t('novidades')]}
          />
        </span>
      </button>
      {open && (
        <Suspense>
          <Panel onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
