import { cutText } from '../text.ts'

/** Maximum number of actions in a row that may move a card to another stage; a further action is logged and skipped. */
export const MOST_IN_A_ROW = 3

/** Step of a pipeline action. */
export type ActionStep =
  | { readonly type: 'message'; readonly message: string; readonly whatsappId: number }
  | { readonly type: 'stage_change'; readonly targetStageId: number }
  | { readonly type: 'status_change'; readonly targetStatus: 'open' | 'win' | 'lose' }
  | { readonly type: 'add_tag'; readonly tagIds: readonly number[] }
  | { readonly type: 'add_wallet'; readonly userIds: readonly number[] }
  | { readonly type: 'start_flow'; readonly chatFlowId: number }

/** Type of an action step. */
export type StepType = ActionStep['type']

/** Time at which an action may run: days after the entry, and a window of hours of the company's day (`hourTo` excluded). */
export type Timing = {
  readonly daysToTrigger: number
  readonly hourFrom: number | null
  readonly hourTo: number | null
}

/** Whether an hour of the day lies in the window; a window that ends before its start crosses midnight. */
export function isInWindow({ hourFrom, hourTo }: Pick<Timing, 'hourFrom' | 'hourTo'>, hour: number): boolean {
  if (hourFrom === null || hourTo === null) return true
  return hourFrom < hourTo ? hour >= hourFrom && hour < hourTo : hour >= hourFrom || hour < hourTo
}

/** Returns the idempotency key of a step's message to a card's contact: one message per entry. */
export const messageKey = (given: {
  readonly actionId: number
  readonly opportunityId: number
  readonly entry: number
  readonly step: number
}): string => cutText(`funnel:${given.actionId}:${given.opportunityId}:${given.entry}:${given.step}`, 80)
