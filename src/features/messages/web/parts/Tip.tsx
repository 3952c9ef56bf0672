import type { ReactNode, SyntheticEvent } from 'react'
import { Keys } from '#web/ui/identity/badges.tsx'
import css from './tip.module.css'

const gap = 4

/** Shifts the tooltip sideways so that the pane does not clip it, at most to the window's edge. */
function fit({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  const tip = currentTarget.lastElementChild as HTMLElement
  let pane = currentTarget.parentElement
  while (pane && getComputedStyle(pane).overflowX === 'visible') pane = pane.parentElement
  const { left, right } = (pane ?? document.documentElement).getBoundingClientRect()
  tip.style.translate = ''
  const own = tip.getBoundingClientRect()
  const shift = Math.max(left + gap - own.left, 0) + Math.min(Math.min(right, innerWidth) - gap - own.right, 0)
  if (shift !== 0) tip.style.translate = `${shift}px`
}

/**
 * Tooltip of a button: its name and shortcut, after 400 ms of hover or at once on keyboard focus. CSS only, so that dozens
 * of buttons cost nothing; screen readers use the button's own label.
 */
export function Tip(props: {
  label: string
  shortcut?: string | undefined
  position?: 'above' | 'below' | 'below-end'
  children: ReactNode
}) {
  const { label, shortcut, position = 'below', children } = props
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, only the words are moved into sight
    <span className={css.tip} onPointerEnter={fit} onFocus={fit}>
      {children}
      <span className={css.text} data-position={position} aria-hidden="true">
        {label}
        {shortcut && <Keys of={shortcut} />}
      </span>
    </span>
  )
}
