import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** What the attendance list is asked for, as its address says it. */
export type Filter = Record<string, string | number | boolean>

/** A way into the attendance list with a filter. */
export function Rows(props: { filter: Filter; className?: string | undefined; children: ReactNode }) {
  const { filter, className, children } = props
  return (
    <Link to={'/atendimento/chats/' as never} search={filter as never} className={className}>
      {children}
    </Link>
  )
}
