import { Button, type ButtonProps, Loader } from '@mantine/core'
import type { MouseEventHandler, ReactNode } from 'react'
import css from './busy-button.module.css'

/** Button that keeps its width while it works, with a spinner and the gerund in place of its label. */
export function BusyButton({
  busy,
  doing,
  children,
  rightSection,
  onClick,
  ...rest
}: ButtonProps & {
  busy: boolean
  doing: string
  children: ReactNode
  type?: 'submit' | 'button'
  form?: string
  onClick?: MouseEventHandler
}) {
  return (
    // Enter in a field presses it too: what is being sent is not sent again.
    <Button
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-busy={busy}
      data-busy={busy || undefined}
      className={css.button}
    >
      <span className={css.stack}>
        <span className={css.label} data-off={busy || undefined} aria-hidden={busy}>
          {children}
          {rightSection}
        </span>
        <span className={css.label} data-off={!busy || undefined} aria-hidden={!busy}>
          <Loader size={15} color="currentColor" />
          {doing}
        </span>
      </span>
    </Button>
  )
}
