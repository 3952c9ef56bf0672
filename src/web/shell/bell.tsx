import { lazy, Suspense, useState } from 'react'
import { useAttention } from '../attention.ts'
import { Counter } from '../ui/bits.tsx'
import { BellIcon } from '../ui/icons.ts'
import css from './bell.module.css'
import rail from './rail.module.css'

const load = () => import('./bell-panel.tsx')
const BellPanel = lazy(async () => ({ default: (await load()).BellPanel }))

/** What waits for the person, counted; the list opens beside it. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const total = useAttention()
    .filter((one) => one.inBell)
    .reduce((sum, one) => sum + one.count, 0)
  return (
    <span className={css.place}>
      <button
        type="button"
        className={rail.tool}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={() => void load()}
        onClick={() => setOpen(!open)}
      >
        <BellIcon size={20} />
        <span className="g-hidden">Avisos</span>
        <span className={rail.badge}>
          <Counter value={total} tone="accent" small label="esperando" />
        </span>
      </button>
      {open && (
        <Suspense>
          <BellPanel onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
