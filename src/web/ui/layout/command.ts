import type { ComponentType } from 'react'

/**
 * Command as data: menus, buttons, shortcuts and the palette share it. `shortcut` as in `e`, `shift+s`, `mod+enter`, `g a`
 * (one key after the other); `when` false hides it; `checked` makes it a switch, and its menu stays open; `tone` neg puts it
 * last, in red, with “…” in its label.
 */
export type Command = {
  id: string
  label: string
  run: () => void
  icon?: ComponentType<{ size?: number | string }>
  shortcut?: string
  when?: () => boolean
  group?: string
  checked?: boolean
  tone?: 'neg'
}

/** Returns the commands that may be run now. */
export const available = (commands: readonly Command[]): Command[] => commands.filter((one) => one.when?.() !== false)

/** Position of an open menu beside its button. */
export type MenuPosition = 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start' | 'right-end'
