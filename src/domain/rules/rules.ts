import type { Named } from '../actions/actions.ts'
import type { TicketStatus } from '../tickets/facts.ts'

/** Events that trigger a rule: a ticket opens, its customer or its team writes, it gets an agent, it is closed. */
export const RULE_EVENTS = ['opened', 'received', 'sent', 'assigned', 'closed'] as const

/** Event that triggers a rule. */
export type RuleEvent = (typeof RULE_EVENTS)[number]

/** Maximum number of rules in a row that one event triggers; effects of the last trigger none. */
export const MOST_IN_A_ROW = 3

/** Facts of a ticket and event that conditions test. */
export type RuleFacts = {
  readonly status: TicketStatus
  readonly queueId: number | null
  readonly userId: number | null
  readonly stageId: number | null
  readonly connectionId: number
  readonly tagIds: readonly number[]
  readonly walletIds: readonly number[]
  /** Whether the company attends at that time. */
  readonly isOpen: boolean
  /** Words of the conditions that occur in the message. */
  readonly phrases: readonly string[]
}

/** Fields that conditions compare. */
export const CONDITION_FIELDS = [
  ...(['phrases', 'queueId', 'userId', 'status', 'tagIds', 'connectionId', 'stageId', 'walletIds', 'isOpen'] as const),
] as const

/** Condition of a rule; `is` false negates it, null among the values means none. */
export type Condition = { readonly is: boolean } & (
  | { readonly field: 'phrases'; readonly values: readonly string[] }
  | { readonly field: 'status'; readonly values: readonly TicketStatus[] }
  | { readonly field: 'queueId' | 'userId' | 'stageId'; readonly values: readonly (number | null)[] }
  | { readonly field: 'connectionId' | 'tagIds' | 'walletIds'; readonly values: readonly number[] }
  | { readonly field: 'isOpen' }
)

/** Id, word or status; null for none. */
export type DecidingValue = string | number | null

/** Values that decided a condition: some of the requested ones (and how many more), and some of the actual ones. */
export type Decided = {
  readonly field: Condition['field']
  readonly is: boolean
  readonly matches: boolean
  readonly asked: readonly DecidingValue[]
  readonly more: number
  /** Empty for business hours, where `is` and `matches` suffice. */
  readonly found: readonly DecidingValue[]
}

/** Trigger condition of a rule: all or any of the conditions hold; without conditions always. */
export type When = { readonly match: 'all' | 'any'; readonly conditions: readonly Condition[] }

/** Ids that conditions refer to, by kind: those of actions, and connections. */
export type NamedByConditions = Pick<Named, 'tag' | 'queue' | 'user' | 'stage'> & {
  readonly connection: readonly number[]
}

/** Returns all ids that the conditions refer to. */
export function namedByConditions(conditions: readonly Condition[]): NamedByConditions {
  const of = (...fields: readonly Condition['field'][]) =>
    conditions.flatMap((one) =>
      fields.includes(one.field) && 'values' in one ? one.values.filter((value) => typeof value === 'number') : [],
    )
  return {
    tag: of('tagIds'),
    queue: of('queueId'),
    user: of('userId', 'walletIds'),
    stage: of('stageId'),
    connection: of('connectionId'),
  }
}

/** Returns the error code of a condition that refers to a deleted record; null if all exist. */
export function whyConditionGone(condition: Condition, there: NamedByConditions) {
  const { tag, queue, user, stage, connection } = namedByConditions([condition])
  if (tag.some((id) => !there.tag.includes(id))) return 'ERR_NO_TAG_FOUND'
  if (queue.some((id) => !there.queue.includes(id))) return 'ERR_NO_QUEUE_FOUND'
  if (user.some((id) => !there.user.includes(id))) return 'ERR_NO_USER_FOUND'
  if (stage.some((id) => !there.stage.includes(id))) return 'ERR_NO_KANBAN_FOUND'
  return connection.some((id) => !there.connection.includes(id)) ? 'ERR_NO_WAPP_FOUND' : null
}

/** Whether an event provides the data that a condition tests: phrases occur in messages only. */
export const isHeard = (event: RuleEvent, { field }: Pick<Condition, 'field'>): boolean =>
  field !== 'phrases' || event === 'received' || event === 'sent'
