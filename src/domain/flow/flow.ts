/** Destination of a conversation that leaves the flow; null ids: unspecified, or invalid in the document. */
export type Direction =
  | { readonly to: 'queue'; readonly queueId: number | null }
  | { readonly to: 'user'; readonly userId: number | null }
  | { readonly to: 'close'; readonly text: string }
  | { readonly to: 'channel'; readonly connectionId: number | null }

/** Direction without a target: the connection's queue and user. */
export const UNDIRECTED: Direction = { to: 'queue', queueId: null }

/** Action of a condition that holds. */
export type Action = Direction | { readonly to: 'node'; readonly nodeId: string }

/** Comparisons of an answer with each of the values. */
export const COMPARISONS = ['equals', 'contains', 'startsWith', 'endsWith', 'regex'] as const

/** Comparison of an answer with a value. */
export type Comparison = (typeof COMPARISONS)[number]

/** Results of an assistant's part in a step: it answered, the customer asked for a person, there was no answer. */
export const ASSISTANT_EXITS = ['answered', 'off', 'failed'] as const

/** Result of an assistant's part in a step; `ended`: it answered and has ended the conversation. */
export type AssistantExit = (typeof ASSISTANT_EXITS)[number] | 'ended'

/** Test of a condition, on an answer or on known facts. */
export type Test =
  | { readonly of: 'any' }
  | { readonly of: 'answer'; readonly comparison: Comparison; readonly values: readonly string[] }
  | {
      readonly of: 'variable'
      readonly name: string
      readonly comparison: Comparison
      readonly values: readonly string[]
    }
  | { readonly of: 'hours'; readonly isOpen: boolean }
  | { readonly of: 'channel'; readonly types: readonly string[] }
  | { readonly of: 'tags'; readonly tagIds: readonly number[] }
  | { readonly of: 'assistant'; readonly exits: readonly (typeof ASSISTANT_EXITS)[number][] }

/** Condition with its action; evaluated in order, patterns first. */
export type Condition = {
  readonly id: string
  readonly test: Test
  readonly action: Action
  /** Unsupported value of the condition, as written; the condition never holds. */
  readonly unknown?: string
}

/** HTTP call to an external system; times in ms. */
export type OutsideCall = {
  readonly url: string
  readonly method: string
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly bodyType: 'json' | 'form' | 'none'
  readonly body: string
  readonly timeoutMs: number
  readonly repeats: number
  readonly repeatAfterMs: number
  /** Variable that receives the answer; empty: the flow does not wait. */
  readonly saveAs: string
}

/** File that a flow sends: stored here (`fileId`), or still as imported. */
export type FlowMedia = {
  readonly fileId: string | null
  readonly name: string
  readonly type: string
  readonly caption: string
}

/** Fields of each kind of interaction beside its kind; each file of `nodes/` declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface Interactions {}

/** Interaction: one action of a node. */
export type Interaction = { readonly id: string; readonly type: string } & {
  [K in keyof Interactions]: { readonly does: K } & Interactions[K]
}[keyof Interactions]

/** Interaction of one kind. */
export type InteractionOf<K extends keyof Interactions> = Extract<Interaction, { readonly does: K }>

/** Step of a flow: its interactions in order, and its conditions. */
export type FlowNode = {
  readonly id: string
  readonly name: string
  readonly interactions: readonly Interaction[]
  /** Conditions in order of evaluation; `index` is the position in the document. */
  readonly conditions: readonly (Condition & { readonly index: number })[]
  /** Whether conditions are evaluated after an answer; false: at once. */
  readonly wait: boolean
  /** Variable that stores the answer, and whether it must be a number. */
  readonly capture: { readonly key: string; readonly isNumber: boolean } | null
}

/** Configurations of a whole flow. */
export type Configurations = {
  /** Message sent when a person gets the conversation. */
  readonly welcome: string
  /** Message sent when the flow closes the ticket without another text. */
  readonly farewell: string
  readonly feedback: { readonly text: string; readonly returnsToStart: boolean }
  readonly silence: {
    readonly afterMs: number
    readonly direction: Direction
    readonly text: string
    /** Message sent at half of the time-out; empty: none. */
    readonly warning: string
  } | null
  readonly tries: { readonly most: number; readonly direction: Direction }
  readonly firstInteraction: Direction | null
  readonly outOpenHours: Direction | null
  readonly keyword: string
  /** Start of the flow: for conversations without another flow (`entry`), or when a ticket is closed; null: neither. */
  readonly startsOn: 'entry' | 'closing' | null
  /** Distribution: none, random, fewest tickets, or round robin. */
  readonly distribution: 'N' | 'R' | 'B' | 'S'
  readonly closingAnswers: readonly string[]
}

/** Flow as the engine reads it. */
export type Flow = {
  /** Target of the start node. */
  readonly firstNode: string | null
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly configurations: Configurations
  /** Names of the variables in its texts and conditions. */
  readonly variables: ReadonlySet<string>
}
