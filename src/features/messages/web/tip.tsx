import type { ReactNode } from 'react'
import { Keys } from '#web/ui/bits.tsx'
import css from './tip.module.css'

/**
 * The name of a button and its shortcut, after 400 ms of pointing or at once by keyboard. Styles alone do it, so that
 * dozens of buttons cost nothing; the button itself carries the name for those who cannot see it.
 */
export function Tip(props: {
  label: string
  shortcut?: string | undefined
  place?: 'above' | 'below' | 'below-end'
  children: ReactNode
}) {
  const { label, shortcut, place = 'below', children } = props
  return (
    <span className={css.tip}>
      {children}
      <span className={css.words} data-place={place} aria-hidden="true">
        {label}
        {shortcut && <Keys of={shortcut} />}
      </span>
    </span>
  )
}
