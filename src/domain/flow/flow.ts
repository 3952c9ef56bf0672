/** Target of a conversation; null where the flow leaves it open or names it wrongly. */
export type Direction =
  | { readonly to: 'queue'; readonly queueId: number | null }
  | { readonly to: 'user'; readonly userId: number | null }
  | { readonly to: 'close'; readonly text: string }
  | { readonly to: 'channel'; readonly connectionId: number | null }

/** Direction without a target: the connection's queue and user. */
export const UNDIRECTED: Direction = { to: 'queue', queueId: null }

/** Action when a condition holds. */
export type Action = Direction | { readonly to: 'node'; readonly nodeId: string }

/** Comparisons of an answer with each of the values. */
export const COMPARISONS = ['equals', 'contains', 'startsWith', 'endsWith', 'regex'] as const

/** One of the comparisons. */
export type Comparison = (typeof COMPARISONS)[number]

/** Exits of an assistant's step: it answered, the customer asked for a person, there was no answer. */
export const ASSISTANT_EXITS = ['answered', 'off', 'failed'] as const

/** One of these; `ended`: it answered and has nothing more to say. */
export type AssistantExit = (typeof ASSISTANT_EXITS)[number] | 'ended'

/** A condition on an answer or on known facts. */
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

/** One way out of a node: judged in order, patterns first. */
export type Condition = {
  readonly id: string
  readonly test: Test
  readonly action: Action
  /** Unsupported part of the condition, as written: such a condition never holds. */
  readonly unknown?: string
}

/** A call to an outside system; times in ms. */
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

/** A file that a flow sends: kept here (`fileId`), or still as it was imported. */
export type FlowMedia = {
  readonly fileId: string | null
  readonly name: string
  readonly type: string
  readonly caption: string
}

/** Registry of the fields of each interaction kind; each kind adds its own in its file (`nodes/`). */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the kinds
export interface Interactions {}

/** One thing that a node does. */
export type Interaction = { readonly id: string; readonly type: string } & {
  [K in keyof Interactions]: { readonly does: K } & Interactions[K]
}[keyof Interactions]

/** An interaction of one kind. */
export type InteractionOf<K extends keyof Interactions> = Extract<Interaction, { readonly does: K }>

/** A step of a flow: what it does, in order, and where it leads. */
export type FlowNode = {
  readonly id: string
  readonly name: string
  readonly interactions: readonly Interaction[]
  /** In the order in which they are judged; `index` is the one in which they are written. */
  readonly conditions: readonly (Condition & { readonly index: number })[]
  /** Judges only after an answer; false: at once. */
  readonly wait: boolean
  /** Under which name the answer is kept, and whether it has to be a number. */
  readonly capture: { readonly key: string; readonly isNumber: boolean } | null
}

/** Configuration of a whole flow. */
export type Configurations = {
  /** Said when a person gets the conversation. */
  readonly welcome: string
  /** Said when the flow resolves it and has nothing else to say. */
  readonly farewell: string
  readonly feedback: { readonly text: string; readonly returnsToStart: boolean }
  readonly silence: {
    readonly afterMs: number
    readonly direction: Direction
    readonly text: string
    /** Said at half of the time; empty: nothing. */
    readonly warning: string
  } | null
  readonly tries: { readonly most: number; readonly direction: Direction }
  readonly firstInteraction: Direction | null
  readonly outOpenHours: Direction | null
  readonly keyword: string
  /** Begins with conversations that no other flow attends, or when one is resolved; null: neither. */
  readonly startsOn: 'entry' | 'closing' | null
  /** Distribution mode: none, at random, fewest tickets, or in turn. */
  readonly distribution: 'N' | 'R' | 'B' | 'S'
  readonly closingAnswers: readonly string[]
}

/** A flow as the engine reads it. */
export type Flow = {
  /** The node that start leads to. */
  readonly firstNode: string | null
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly configurations: Configurations
  /** The names that its texts and conditions use. */
  readonly variables: ReadonlySet<string>
}
