import type { AssistantExit, InteractionOf, Interactions } from '../flow.ts'
import type { JsonObject } from '../json.ts'
import type { Existing, ProblemCode } from '../problems.ts'
import type { Run } from '../run.ts'
import type { CalledEvent } from '../session.ts'

/** A field of an interaction: the key under which it is written, those under which it may be read, and how it is edited. */
export type FormField = {
  readonly key: string
  readonly also?: readonly string[]
  readonly label: string
  readonly hint?: string
  readonly when?: (fields: JsonObject) => boolean
} /** Plain is what no customer reads. */ & (
  | { readonly kind: 'template'; readonly isPlain?: boolean }
  | {
      readonly kind:
        | 'text'
        | 'lines'
        | 'headers'
        | 'tag'
        | 'stage'
        | 'reason'
        | 'flow'
        | 'file'
        | 'moment'
        | 'pipelineStage'
        | 'calendar'
    }
  // The latter chooses among those that carry text messages.
  | { readonly kind: 'textMessage' | 'connection' }
  /** An account of an assistant, of one provider where that is named. */
  | { readonly kind: 'assistant'; readonly provider: string | null }
  /** Assistant or number for phone calls, by its provider's id. */
  | { readonly kind: 'phone'; readonly what: 'assistants' | 'numbers' }
  | { readonly kind: 'switch'; readonly usual: boolean }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly usual: number }
  | { readonly kind: 'choice'; readonly usual: string; readonly options: readonly (readonly [string, string])[] }
)

/** Written form of an interaction in a document: label and form. */
export type WrittenType = { readonly label: string; readonly form: readonly FormField[] }

/** All that the engine, its checks and the builder know of one kind of interaction. */
export type NodeKind<K extends keyof Interactions> = {
  /** By the type under which documents have it. */
  readonly types: Readonly<Record<string, WrittenType>>
  /** Parses its fields beside and below `data`; missing ones have their defaults. */
  readonly read: (fields: JsonObject, type: string) => Interactions[K]
  /** Returns the texts that may contain variables. */
  readonly texts?: (one: InteractionOf<K>) => readonly string[]
  /** The names under which it keeps something; what ends in a point has parts. */
  readonly captures?: (one: InteractionOf<K>) => readonly string[]
  /** Returns its problems, each as the end of a sentence about its step. */
  readonly check?: (one: InteractionOf<K>, existing: Existing) => readonly (readonly [ProblemCode, string])[]
  /** Target outside of the flow: another flow; null: people or nowhere; undefined: it does not leave the flow. */
  readonly leads?: (one: InteractionOf<K>) => number | null | undefined
  /** Whether nothing may follow it in its step. */
  readonly isLast?: (one: InteractionOf<K>) => boolean
  /** Does it; the session may wait or have ended after it. */
  readonly perform: (run: Run, one: InteractionOf<K>) => void
  /** Takes the answer that it waited for, in the place of the usual way (`name.field`). */
  readonly called?: (run: Run, one: InteractionOf<K>, event: CalledEvent) => void
  /** Takes the customer's words while it talks with them. */
  readonly spoken?: (run: Run, one: InteractionOf<K>, text: string) => void
  /** Leaves the flow after it ended so, where no condition of its step says how the conversation goes on. */
  readonly left?: (run: Run, one: InteractionOf<K>, exit: AssistantExit) => void
  /** Whether it is said once more after an answer that nothing understood. */
  readonly isRepeated?: boolean
}
