import type { ComponentType, ReactNode } from 'react'
import { RefreshIcon } from '../ui/icons.ts'
import css from './notice-bar.module.css'

/**
 * A line above every screen that says what is the matter; `children` is its text, `end` the way out. What concerns the
 * installation (no connection, delays) is dark, what concerns the person or company is not.
 */
export function NoticeBar(props: {
  icon: ComponentType<{ size: number }>
  isDark?: boolean
  end?: ReactNode
  children: ReactNode
}) {
  const { icon: Icon, isDark, end, children } = props
  return (
    <div className={css.bar} data-dark={isDark || undefined} role="status">
      <Icon size={18} />
      <span className={css.text}>{children}</span>
      {end}
    </div>
  )
}

/** Says at the end of a bar that the product tries by itself. */
export function Trying({ text }: { text: string }) {
  return (
    <span className={css.trying}>
      <RefreshIcon size={16} />
      {text}
    </span>
  )
}
