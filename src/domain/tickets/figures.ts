import type { ListTab } from './filter.ts'

/** A list of tickets that a figure of the panel counts: what its number is made of, and what it opens. */
export type FigureList = {
  readonly tab: ListTab
  /** Null: conversations and groups. */
  readonly isGroup: boolean | null
  readonly scope?: 'waiting'
  readonly closedToday?: true
  /** Only whose customer has waited so many minutes or longer. */
  readonly waitingMinutes?: number
  /** Tickets whose next deadline is near, or was missed. */
  readonly sla?: 'warned' | 'missed'
  readonly onlyQueue?: number | 'none'
  readonly onlyUser?: number | 'none'
}

/** The lists behind the panel's figures, with groups or without. */
export function figuresOf(groups: boolean) {
  const isGroup = groups ? null : false
  return {
    open: { tab: 'open', isGroup },
    pending: { tab: 'pending', isGroup },
    waiting: { tab: 'live', isGroup, scope: 'waiting' },
    warned: { tab: 'live', isGroup, sla: 'warned' },
    missed: { tab: 'live', isGroup, sla: 'missed' },
    closedToday: { tab: 'closed', isGroup, closedToday: true },
    /** Counted by queue or by owner. */
    live: { tab: 'live', isGroup },
  } as const satisfies Record<string, FigureList>
}

/** The ages of what waits, in minutes; each counts who has waited so long or longer. */
export const WAITING_AGES = [5, 15, 60, 240, 1440] as const

/** Returns the list of those who have waited so many minutes or longer. */
export const listOfAge = (groups: boolean, waitingMinutes: number): FigureList => ({
  ...figuresOf(groups).waiting,
  waitingMinutes,
})

/** By what the columns of the attendance panel are made: one for each person, or one for each queue. */
export const COLUMNS_BY = ['user', 'queue'] as const

/** One of both. */
export type ColumnsBy = (typeof COLUMNS_BY)[number]

/** Narrows a list to one queue or person; null is no queue, or no owner. */
export const ofColumn = (list: FigureList, by: ColumnsBy, id: number | null): FigureList => ({
  ...list,
  [by === 'user' ? 'onlyUser' : 'onlyQueue']: id ?? 'none',
})
