import type { CardStatus } from './card.ts'
import { centsOf } from './money.ts'

/** Alerts of an open card, in the order in which they are shown. */
export const ALERTS = ['due', 'idle', 'unassigned', 'high', 'stale', 'taskless'] as const

/** Alert of a card. */
export type Alert = (typeof ALERTS)[number]

const DAY_MS = 86_400_000
/** A forecast that is at most so many days away is due. */
export const DUE_DAYS = 2
/** A card that has not been moved for longer than so many days is idle. */
export const IDLE_DAYS = 5
/** Value in whole reais above which a card is high. */
export const HIGH_VALUE = 10_000

/** Facts about a card; days are `YYYY-MM-DD`, times epoch ms. */
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

/** Days from one day to another, both `YYYY-MM-DD`. */
export const daysUntil = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS)

/** Returns the alerts of a card; none if it was won or lost. */
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
