import type { ReactNode } from 'react'
import type { FigureList } from '#domain/tickets/figures.ts'
import type { Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'

/** What a number opens: a list of tickets, the whole company's for whoever sees it whole; or another screen's list. */
export type Opened = { of: FigureList; isWide: boolean } | Door

/** The address of what a number opens. */
export const doorOf = (rows: Opened): Door =>
  'of' in rows ? { path: '/atendimento/chats/', search: { ...rows.of, showAll: rows.isWide } } : rows

/** A way into the list that a figure counts. */
export function Rows(
  props: Opened & { className?: string | undefined; tone?: 'warn' | 'neg' | undefined; children: ReactNode },
) {
  const { className, tone, children } = props
  return (
    <DoorLink door={doorOf(props)} className={className} tone={tone}>
      {children}
    </DoorLink>
  )
}
