import type { Named } from '../actions/actions.ts'
import type { TicketStatus } from '../tickets/facts.ts'

/** Events that trigger rules: a ticket begins, its customer or its team writes, it gets an owner, it is resolved. */
export const RULE_EVENTS = ['opened', 'received', 'sent', 'assigned', 'closed'] as const

/** One of those. */
export type RuleEvent = (typeof RULE_EVENTS)[number]

/** Maximum number of rules that one event triggers in a row; effects of the last one trigger none. */
export const MOST_IN_A_ROW = 3

/** Facts about a ticket and its event that conditions of rules test. */
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
  /** Phrases of the conditions that the message contains. */
  readonly phrases: readonly string[]
}

/** Fields that conditions of rules compare. */
export const CONDITION_FIELDS = [
  ...(['phrases', 'queueId', 'userId', 'status', 'tagIds', 'connectionId', 'stageId', 'walletIds', 'isOpen'] as const),
] as const

/** One condition of a rule, as data; `is` false asks for its opposite, null among values for none. */
export type Condition = { readonly is: boolean } & (
  | { readonly field: 'phrases'; readonly values: readonly string[] }
  | { readonly field: 'status'; readonly values: readonly TicketStatus[] }
  | { readonly field: 'queueId' | 'userId' | 'stageId'; readonly values: readonly (number | null)[] }
  | { readonly field: 'connectionId' | 'tagIds' | 'walletIds'; readonly values: readonly number[] }
  | { readonly field: 'isOpen' }
)

/** An id, a word or a status; null for none. */
export type DecidingValue = string | number | null

/** Values that decided a condition: some of those that it asks for (and how many more), and some actual ones. */
export type Decided = {
  readonly field: Condition['field']
  readonly is: boolean
  readonly matches: boolean
  readonly asked: readonly DecidingValue[]
  readonly more: number
  /** Empty for hours, where `is` and `matches` say it. */
  readonly found: readonly DecidingValue[]
}

/** When a rule acts: all of its conditions hold, or any of them; without conditions always. */
export type When = { readonly match: 'all' | 'any'; readonly conditions: readonly Condition[] }

/** Ids that conditions refer to, by kind: those of actions, and connections. */
export type NamedByConditions = Pick<Named, 'tag' | 'queue' | 'user' | 'stage'> & {
  readonly connection: readonly number[]
}

/** Everything that conditions name. */
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

/** Why a condition can be judged no longer: what it names is gone; null where nothing is. */
export function whyConditionGone(condition: Condition, there: NamedByConditions) {
  const { tag, queue, user, stage, connection } = namedByConditions([condition])
  if (tag.some((id) => !there.tag.includes(id))) return 'ERR_NO_TAG_FOUND'
  if (queue.some((id) => !there.queue.includes(id))) return 'ERR_NO_QUEUE_FOUND'
  if (user.some((id) => !there.user.includes(id))) return 'ERR_NO_USER_FOUND'
  if (stage.some((id) => !there.stage.includes(id))) return 'ERR_NO_KANBAN_FOUND'
  return connection.some((id) => !there.connection.includes(id)) ? 'ERR_NO_WAPP_FOUND' : null
}

/** Whether what happens says what a condition asks for: words are only in messages. */
export const isHeard = (event: RuleEvent, { field }: Pick<Condition, 'field'>): boolean =>
  field !== 'phrases' || event === 'received' || event === 'sent'
