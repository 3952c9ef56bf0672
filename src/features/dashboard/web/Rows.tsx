import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FigureList } from '#domain/tickets/figures.ts'

/** What a number opens: a list of tickets, the whole company's for whoever sees it whole; or another screen's list. */
export type Door =
  | { of: FigureList; isWide: boolean }
  | { path: string; search: Readonly<Record<string, string | number>> }

/** A way into the list that a figure counts. */
export function Rows(
  props: Door & { className?: string | undefined; tone?: 'warn' | 'neg' | undefined; children: ReactNode },
) {
  const { className, tone, children } = props
  const to = 'of' in props ? '/atendimento/chats/' : props.path
  const search = 'of' in props ? { ...props.of, showAll: props.isWide } : props.search
  return (
    <Link to={to as never} search={search as never} className={className} data-tone={tone}>
      {children}
    </Link>
  )
}
