import type { ListTab } from './filter.ts'

/** A list of tickets that a figure of the panel counts: what its number is made of, and what it opens. */
export type FigureList = {
  readonly tab: ListTab
  /** Null: conversations and groups. */
  readonly isGroup: boolean | null
  readonly scope?: 'waiting'
  readonly closedToday?: true
  readonly sla?: 'warned' | 'missed'
  readonly onlyQueue?: number | 'none'
  readonly onlyUser?: number
}

/** The lists behind the panel's figures. */
export const FIGURES = {
  open: { tab: 'open', isGroup: false },
  pending: { tab: 'pending', isGroup: false },
  waiting: { tab: 'live', isGroup: null, scope: 'waiting' },
  closedToday: { tab: 'closed', isGroup: null, closedToday: true },
  /** Counted by queue. */
  queues: { tab: 'live', isGroup: false },
  /** Counted by owner. */
  people: { tab: 'open', isGroup: false },
} as const satisfies Record<string, FigureList>

/** One bar of "por fila"; null is no queue. */
export const listOfQueue = (queueId: number | null): FigureList => ({ ...FIGURES.queues, onlyQueue: queueId ?? 'none' })

/** What one person attends. */
export const listOfPerson = (userId: number): FigureList => ({ ...FIGURES.people, onlyUser: userId })
