import type { Candidate } from '../distribution/distribute.ts'
import type { OptionList } from '../messages/data.ts'
import type { ListLimits } from '../messages/interactive.ts'
import type { TemplateValues } from '../messages/template.ts'
import type { TicketLogType } from '../tickets/logs.ts'
import type { AssistantExit, Direction, FlowMedia } from './flow.ts'

/** Ends of a flow: transferred to a queue or user, closed, moved to another channel, taken by a person, or completed (`done`). */
export const FLOW_ENDS = ['queue', 'user', 'closed', 'channel', 'person', 'done'] as const

/**
 * Causes for which a conversation left a node without a matching condition: silence of the customer, too many answers not
 * understood, a request to end, a person took it, an error in the flow, or the end of the flow (`done`).
 */
export const STEP_CAUSES = ['silence', 'tries', 'closed', 'person', 'error', 'done'] as const

/** Cause for which a conversation left a node without a matching condition. */
export type StepCause = (typeof STEP_CAUSES)[number]

/** End of a flow. */
export type FlowEnd = (typeof FLOW_ENDS)[number]

/** Event that a session waits for; `id` is the timer's or the call's. */
export type Waiting =
  /** `talks`: the answer is for the assistant of the step. */
  | { readonly for: 'answer'; readonly talks?: true }
  | { readonly for: 'delay'; readonly id: string }
  | { readonly for: 'call'; readonly id: string; readonly saveAs: string }
  | { readonly for: 'flow' }

/** Timer: time (epoch ms) and purpose. */
export type FlowTimer = { readonly id: string; readonly at: number; readonly purpose: 'delay' | 'warning' | 'silence' }

/** Session of a conversation with a flow: JSON; it and an event determine the result of `step`. */
export type FlowSession = {
  readonly id: string
  readonly chatFlowId: number
  readonly version: number
  /** Seed of the next random number. */
  readonly seed: number
  /** Number of effects so far, which numbers the next. */
  readonly effects: number
  readonly nodeId: string | null
  /** Index of the node's next interaction. */
  readonly position: number
  /** Null before the start and after the end. */
  readonly waiting: Waiting | null
  readonly end: FlowEnd | null
  readonly retries: number
  /** Time of the last answer that was not understood, in epoch ms. */
  readonly unmatchedAt: number | null
  readonly variables: Readonly<Record<string, string>>
  readonly timers: readonly FlowTimer[]
  /** Result of the node's assistant until it is evaluated; none if it was not called. */
  readonly exit?: AssistantExit | null
  /** Events that could not be handled yet, in order. */
  readonly inbox: readonly (AnswerEvent | CalledEvent)[]
  /** Always null; the previous release requires it. A ticket in a flow cannot be paused. */
  readonly pausedAt: null
  /** Nodes and messages since the customer's last message. */
  readonly spent: { readonly nodes: number; readonly messages: number }
}

/** Prompt with its options: as buttons, else as a list, else as numbers in the text. */
export type Asked = { readonly body: string; readonly buttons: readonly string[]; readonly list?: OptionList }

/** Facts of the conversation at an event. */
export type FlowFacts = {
  /** Values of the standard variables. */
  readonly values: TemplateValues
  /** Values of the company's own variables; captured ones of the same name take precedence. */
  readonly own?: TemplateValues
  readonly isOpen: boolean
  /** Absence message, sent outside of business hours; empty: none. */
  readonly absence: string
  readonly channel: {
    readonly type: string
    readonly buttons: { readonly max: number; readonly chars: number } | null
    readonly list: ListLimits | null
    /** Whether the channel accepts free messages now (24 h window). */
    readonly isWritable: boolean
  }
  readonly tagIds: readonly number[]
  readonly isFirstTicket: boolean
  /** Whether the ticket is closed, so that no agent will attend it. */
  readonly isResolved?: boolean
  /** Candidates for distribution, and those that the flow names itself. */
  readonly people: readonly Candidate[]
}

/** Returns the facts after effects: tags that a flow added count from then on. */
export function factsAfter(facts: FlowFacts, effects: readonly FlowEffect[]): FlowFacts {
  const tags = effects.flatMap((effect) => (effect.type === 'tag' ? [effect.tagId] : []))
  return tags.length === 0 ? facts : { ...facts, tagIds: [...facts.tagIds, ...tags] }
}

/** Returns the facts of a closed conversation, without absence message. */
export const asResolved = (facts: FlowFacts): FlowFacts => ({ ...facts, absence: '', isResolved: true })

/** Message from the customer; `text` is empty for messages without text. */
export type AnswerEvent = { readonly type: 'answer'; readonly at: number; readonly text: string }
/** Answer of an HTTP call: its status (0: none) and body. */
export type CalledEvent = {
  readonly type: 'called'
  readonly at: number
  readonly id: string
  readonly status: number
  readonly body: string
}

/** Event of a session; times are epoch ms. */
export type FlowEvent =
  | { readonly type: 'start'; readonly at: number }
  | AnswerEvent
  | CalledEvent
  | { readonly type: 'timer'; readonly at: number; readonly id: string }
  /** Requested flow, whose nodes `step` gets; null: it does not exist. */
  | {
      readonly type: 'flow'
      readonly at: number
      readonly flow: { readonly chatFlowId: number; readonly version: number } | null
    }
  | { readonly type: 'person'; readonly at: number }

/** Condition through which a conversation left a node, by its index in the document. */
export type Branch = { readonly nodeId: string; readonly index: number }

/** Reference to a call of a published version; its details stay in the flow. */
export type CallReference = {
  readonly chatFlowId: number
  readonly version: number
  readonly nodeId: string
  /** Index of the node's interaction. */
  readonly index: number
}

/** Effects of interaction kinds beside the engine's own; each file of `nodes/` declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface Effects {}

/** Effect to carry out, in order; `id` consists of the session's id and a unique number. */
export type FlowEffect = { readonly id: string } & (
  | { [K in keyof Effects]: { readonly type: K } & Effects[K] }[keyof Effects]
  | ({ readonly type: 'send' } & Asked)
  | { readonly type: 'media'; readonly media: FlowMedia }
  | { readonly type: 'timer'; readonly at: number; readonly purpose: FlowTimer['purpose'] }
  /** End of the flow; `userId`: the chosen agent, `reason`: error text for agents. */
  | {
      readonly type: 'direct'
      readonly direction: Direction
      readonly userId: number | null
      readonly log: TicketLogType
      readonly reason: string
    }
  /**
   * Explanation of a step; `isEntry`: the node was entered; `branch`: the condition that held; `cause`: reason without a
   * condition.
   */
  | {
      readonly type: 'step'
      readonly nodeId: string | null
      readonly why: string
      readonly isEntry?: true
      readonly branch?: Branch
      readonly cause?: StepCause
    }
)

/** Returns the number of an effect in its session. */
export const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1))

/** Effect without its id. */
export type Doing<T = FlowEffect> = T extends FlowEffect ? Omit<T, 'id'> : never

/** Creates a session without events. */
export const newSession = (of: {
  readonly id: string
  readonly chatFlowId: number
  readonly version: number
  readonly seed: number
}): FlowSession => ({
  ...of,
  effects: 0,
  nodeId: null,
  position: 0,
  waiting: null,
  end: null,
  retries: 0,
  unmatchedAt: null,
  variables: {},
  timers: [],
  inbox: [],
  pausedAt: null,
  spent: { nodes: 0, messages: 0 },
})
