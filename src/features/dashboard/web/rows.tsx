import type { ReactNode } from 'react'
import type { FigureList } from '#domain/tickets/figures.ts'
import type { Door } from '#web/charts/chart.ts'
import { DoorLink } from '#web/charts/DoorLink.tsx'

/** Target of a figure: a ticket list, of the whole company if the user sees it; or another screen's list. */
export type Opened = { of: FigureList; isWide: boolean } | Door

/** Returns the path of a figure's target. */
export const doorOf = (rows: Opened): Door =>
  'of' in rows ? { path: '/atendimento/chats/', search: { ...rows.of, showAll: rows.isWide } } : rows

/** Link to the list that a figure counts. */
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
