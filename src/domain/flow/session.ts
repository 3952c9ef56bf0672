import type { Candidate } from '../distribution/distribute.ts'
import type { OptionList } from '../messages/data.ts'
import type { ListLimits } from '../messages/interactive.ts'
import type { TemplateValues } from '../messages/template.ts'
import type { TicketLogType } from '../tickets/logs.ts'
import type { AssistantExit, Direction, FlowMedia } from './flow.ts'

/** Ends of a flow: passed to a queue, user or channel, resolved, taken by a person, or at its last node (`done`). */
export const FLOW_ENDS = ['queue', 'user', 'closed', 'channel', 'person', 'done'] as const

/**
 * Why a conversation left a node by none of its conditions: the customer fell silent, was not understood too often, or wanted
 * to end; a person took it; something was wrong with the flow; or the flow ended there (`done`).
 */
export const STEP_CAUSES = ['silence', 'tries', 'closed', 'person', 'error', 'done'] as const

/** One of these causes. */
export type StepCause = (typeof STEP_CAUSES)[number]

/** One of these ends. */
export type FlowEnd = (typeof FLOW_ENDS)[number]

/** Awaited event of a session; `id` is the timer's or the call's. */
export type Waiting =
  /** `talks`: it is for the assistant of the step. */
  | { readonly for: 'answer'; readonly talks?: true }
  | { readonly for: 'delay'; readonly id: string }
  | { readonly for: 'call'; readonly id: string; readonly saveAs: string }
  | { readonly for: 'flow' }

/** A timer that is set: when (epoch ms), and for what. */
export type FlowTimer = { readonly id: string; readonly at: number; readonly purpose: 'delay' | 'warning' | 'silence' }

/** One conversation with a flow: JSON, from which and an event everything follows. */
export type FlowSession = {
  readonly id: string
  readonly chatFlowId: number
  readonly version: number
  /** Seed of the next random number. */
  readonly seed: number
  /** Number of effects so far; also the number of the next one. */
  readonly effects: number
  readonly nodeId: string | null
  /** The node's next interaction. */
  readonly position: number
  /** Null while nothing has begun, and after the end. */
  readonly waiting: Waiting | null
  readonly end: FlowEnd | null
  readonly retries: number
  /** When an answer was not understood last, in epoch ms. */
  readonly unmatchedAt: number | null
  readonly variables: Readonly<Record<string, string>>
  readonly timers: readonly FlowTimer[]
  /** Exit of its node's assistant until it is judged; none where it was not called. */
  readonly exit?: AssistantExit | null
  /** Events that could not be judged yet, in order. */
  readonly inbox: readonly (AnswerEvent | CalledEvent)[]
  /** Always null; the previous release requires it. A ticket that a flow attends cannot be paused. */
  readonly pausedAt: null
  /** Nodes and messages since the customer's last word. */
  readonly spent: { readonly nodes: number; readonly messages: number }
}

/** A prompt with its options: as buttons, else as a list, else as numbers in the text. */
export type Asked = { readonly body: string; readonly buttons: readonly string[]; readonly list?: OptionList }

/** Facts about the conversation at an event. */
export type FlowFacts = {
  /** The standard variables. */
  readonly values: TemplateValues
  /** The company's own; what the flow has captured under the same name wins. */
  readonly own?: TemplateValues
  readonly isOpen: boolean
  /** Absence message; empty: none. */
  readonly absence: string
  readonly channel: {
    readonly type: string
    readonly buttons: { readonly max: number; readonly chars: number } | null
    readonly list: ListLimits | null
    /** Whether the channel takes what we write now (24 h). */
    readonly isWritable: boolean
  }
  readonly tagIds: readonly number[]
  readonly isFirstTicket: boolean
  /** The ticket is resolved: no one will attend it. */
  readonly isResolved?: boolean
  /** Candidates for distribution, and those of them that the flow names itself. */
  readonly people: readonly Candidate[]
}

/** Returns the facts after effects: tags that the flow added are included. */
export function factsAfter(facts: FlowFacts, effects: readonly FlowEffect[]): FlowFacts {
  const tags = effects.flatMap((effect) => (effect.type === 'tag' ? [effect.tagId] : []))
  return tags.length === 0 ? facts : { ...facts, tagIds: [...facts.tagIds, ...tags] }
}

/** The same of a conversation that is resolved, to whose customer nothing is said of hours. */
export const asResolved = (facts: FlowFacts): FlowFacts => ({ ...facts, absence: '', isResolved: true })

/** A customer's word; `text` is empty for what is no text. */
export type AnswerEvent = { readonly type: 'answer'; readonly at: number; readonly text: string }
/** The answer of an outside call: its HTTP status (0: none came) and body. */
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
  /** The flow that was asked for, whose nodes `step` gets now; null: it is not there. */
  | {
      readonly type: 'flow'
      readonly at: number
      readonly flow: { readonly chatFlowId: number; readonly version: number } | null
    }
  | { readonly type: 'person'; readonly at: number }

/** A way out of a node: which of its conditions, as they are written. */
export type Branch = { readonly nodeId: string; readonly index: number }

/** Reference to a call of a published version; its details stay in the flow. */
export type CallReference = {
  readonly chatFlowId: number
  readonly version: number
  readonly nodeId: string
  /** The node's interaction. */
  readonly index: number
}

/** Registry of the effects of interaction kinds, beside the engine's own; each kind adds its own in its file (`nodes/`). */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface Effects {}

/** Effect to execute, in order; `id` consists of the session's id and the effect's number, and is never reused. */
export type FlowEffect = { readonly id: string } & (
  | { [K in keyof Effects]: { readonly type: K } & Effects[K] }[keyof Effects]
  | ({ readonly type: 'send' } & Asked)
  | { readonly type: 'media'; readonly media: FlowMedia }
  | { readonly type: 'timer'; readonly at: number; readonly purpose: FlowTimer['purpose'] }
  /** The end; `userId` is who was chosen, `reason` what people read where something went wrong. */
  | {
      readonly type: 'direct'
      readonly direction: Direction
      readonly userId: number | null
      readonly log: TicketLogType
      readonly reason: string
    }
  /** Why it went where it is; `isEntry`: it has come to the node; `branch`: by the condition that held; `cause`: by none. */
  | {
      readonly type: 'step'
      readonly nodeId: string | null
      readonly why: string
      readonly isEntry?: true
      readonly branch?: Branch
      readonly cause?: StepCause
    }
)

/** The number of an effect in its session. */
export const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1))

/** An effect without its id. */
export type Doing<T = FlowEffect> = T extends FlowEffect ? Omit<T, 'id'> : never

/** A session in which nothing has happened. */
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
