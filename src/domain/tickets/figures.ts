import type { ListTab } from './filter.ts'

/** Filter of the tickets that a figure of the panel counts, and of the list that it opens. */
export type FigureList = {
  readonly tab: ListTab
  /** Null: both private and group conversations. */
  readonly isGroup: boolean | null
  readonly scope?: 'waiting'
  readonly closedToday?: true
  /** Minimum waiting time of the customer in minutes. */
  readonly waitingMinutes?: number
  /** Restricts to tickets whose next deadline is near, or was missed. */
  readonly sla?: 'warned' | 'missed'
  readonly onlyQueue?: number | 'none'
  readonly onlyUser?: number | 'none'
}

/** Returns the lists behind the panel's figures, with or without groups. */
export function figuresOf(groups: boolean) {
  const isGroup = groups ? null : false
  return {
    open: { tab: 'open', isGroup },
    pending: { tab: 'pending', isGroup },
    waiting: { tab: 'live', isGroup, scope: 'waiting' },
    warned: { tab: 'live', isGroup, sla: 'warned' },
    missed: { tab: 'live', isGroup, sla: 'missed' },
    closedToday: { tab: 'closed', isGroup, closedToday: true },
    /** Counted by queue or by agent. */
    live: { tab: 'live', isGroup },
  } as const satisfies Record<string, FigureList>
}

/** Waiting times in minutes; each figure counts customers who have waited at least as long. */
export const WAITING_AGES = [5, 15, 60, 240, 1440] as const

/** Returns the list of tickets that have waited at least `waitingMinutes`. */
export const listOfAge = (groups: boolean, waitingMinutes: number): FigureList => ({
  ...figuresOf(groups).waiting,
  waitingMinutes,
})

/** Column types of the attendance panel: one column per agent, or per queue. */
export const COLUMNS_BY = ['user', 'queue'] as const

/** Column type of the attendance panel. */
export type ColumnsBy = (typeof COLUMNS_BY)[number]

/** Narrows a list to one queue or agent; null is no queue, or no agent. */
export const ofColumn = (list: FigureList, by: ColumnsBy, id: number | null): FigureList => ({
  ...list,
  [by === 'user' ? 'onlyUser' : 'onlyQueue']: id ?? 'none',
})
