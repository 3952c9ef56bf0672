import type { CardStatus } from './card.ts'
import { centsOf } from './money.ts'

/** Alerts of an open card, in display order. */
export const ALERTS = ['due', 'idle', 'unassigned', 'high', 'stale', 'taskless'] as const

/** Alert of an open card. */
export type Alert = (typeof ALERTS)[number]

const DAY_MS = 86_400_000
/** Number of days before the forecast from which a card is due. */
export const DUE_DAYS = 2
/** Number of days without a move after which a card is idle. */
export const IDLE_DAYS = 5
/** Value above which a card is high, in whole reais. */
export const HIGH_VALUE = 10_000

/** Card data that alerts depend on; days are `YYYY-MM-DD`, times epoch ms. */
export type Watched = {
  readonly status: CardStatus
  readonly value: string
  readonly responsibleId: number | null
  readonly closingForecast: string | null
  readonly movedAt: number
  readonly stageSince: number
  readonly staleDays: number
  readonly hasTask: boolean
}

/** Returns the number of days between two days `YYYY-MM-DD`. */
export const daysUntil = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS)

/** Returns the alerts of a card; none if won or lost. */
export function alertsOf(card: Watched, { today, now }: { readonly today: string; readonly now: number }): Alert[] {
  if (card.status !== 'open') return []
  const isOn: Readonly<Record<Alert, boolean>> = {
    due: card.closingForecast !== null && daysUntil(today, card.closingForecast) <= DUE_DAYS,
    idle: now - card.movedAt > IDLE_DAYS * DAY_MS,
    unassigned: card.responsibleId === null,
    high: centsOf(card.value) > BigInt(HIGH_VALUE) * 100n,
    stale: now - card.stageSince > card.staleDays * DAY_MS,
    taskless: !card.hasTask,
  }
  return ALERTS.filter((alert) => isOn[alert])
}
