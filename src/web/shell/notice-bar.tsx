import type { ComponentType, ReactNode } from 'react'
import { RefreshIcon } from '../ui/icons.ts'
import css from './notice-bar.module.css'

/**
 * Bar above every screen with a problem; `children` is its text, `end` the action. Bars of the installation (no connection,
 * delays) are dark, those of the user or company are not.
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

/** Text at the end of a bar: the product retries automatically. */
export function Trying({ text }: { text: string }) {
  return (
    <span className={css.trying}>
      <RefreshIcon size={16} />
      {text}
    </span>
  )
}
