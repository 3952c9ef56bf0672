import { cutText } from '../text.ts'

/** Maximum number of actions in a row that move a card into stages; the next one logs that and does nothing. */
export const MOST_IN_A_ROW = 3

/** One thing that is done with a card, as data. */
export type ActionStep =
  | { readonly type: 'message'; readonly message: string; readonly whatsappId: number }
  | { readonly type: 'stage_change'; readonly targetStageId: number }
  | { readonly type: 'status_change'; readonly targetStatus: 'open' | 'win' | 'lose' }
  | { readonly type: 'add_tag'; readonly tagIds: readonly number[] }
  | { readonly type: 'add_wallet'; readonly userIds: readonly number[] }
  | { readonly type: 'start_flow'; readonly chatFlowId: number }

/** Type of a step. */
export type StepType = ActionStep['type']

/** When an action may be done: so many days after the entry, and only within hours of the company's day (`to` excluded). */
export type Timing = {
  readonly daysToTrigger: number
  readonly hourFrom: number | null
  readonly hourTo: number | null
}

/** Whether an hour of the day lies in the window; one that ends before it begins goes over midnight. */
export function isInWindow({ hourFrom, hourTo }: Pick<Timing, 'hourFrom' | 'hourTo'>, hour: number): boolean {
  if (hourFrom === null || hourTo === null) return true
  return hourFrom < hourTo ? hour >= hourFrom && hour < hourTo : hour >= hourFrom || hour < hourTo
}

/** The name under which a step of an action says something to the contact of a card, once for each entry. */
export const messageKey = (given: {
  readonly actionId: number
  readonly opportunityId: number
  readonly entry: number
  readonly step: number
}): string => cutText(`funnel:${given.actionId}:${given.opportunityId}:${given.entry}:${given.step}`, 80)
