import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FigureList } from '#domain/tickets/figures.ts'

/** A way into the list that a figure counts; whoever sees the company whole opens it whole. */
export function Rows(props: { of: FigureList; isWide: boolean; className?: string | undefined; children: ReactNode }) {
  const { of, isWide, className, children } = props
  return (
    <Link to={'/atendimento/chats/' as never} search={{ ...of, showAll: isWide } as never} className={className}>
      {children}
    </Link>
  )
}
