import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Door } from './chart.ts'

/** Link to the rows that a number counts; plain text where they cannot be listed. */
export function DoorLink(props: {
  door: Door | undefined
  className?: string | undefined
  tone?: 'warn' | 'neg' | undefined
  children: ReactNode
}) {
  const { door, className, tone, children } = props
  if (!door) return <span className={className}>{children}</span>
  return (
    <Link to={door.path} search={door.search} className={className} data-tone={tone}>
      {children}
    </Link>
  )
}
