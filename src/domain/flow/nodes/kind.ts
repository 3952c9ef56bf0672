import type { AssistantExit, InteractionOf, Interactions } from '../flow.ts'
import type { JsonObject } from '../json.ts'
import type { Existing, ProblemCode } from '../problems.ts'
import type { Run } from '../run.ts'
import type { CalledEvent } from '../session.ts'

/** Form field of an interaction: the key that is written, the keys that may be read, and its editor. */
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
  // `textMessage` chooses among the connections that carry SMS.
  | { readonly kind: 'textMessage' | 'connection' }
  /** Assistant account, of one provider if named. */
  | { readonly kind: 'assistant'; readonly provider: string | null }
  /** Resource for phone calls, by its id at the provider. */
  | { readonly kind: 'phone'; readonly what: 'assistants' | 'numbers' }
  | { readonly kind: 'switch'; readonly usual: boolean }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly usual: number }
  | { readonly kind: 'choice'; readonly usual: string; readonly options: readonly (readonly [string, string])[] }
)

/** Interaction type of the document format: label and form. */
export type WrittenType = { readonly label: string; readonly form: readonly FormField[] }

/** Contract of an interaction kind: what engine, checks and builder need. */
export type NodeKind<K extends keyof Interactions> = {
  /** Types of the document format, by name. */
  readonly types: Readonly<Record<string, WrittenType>>
  /** Reads the interaction's fields, at the top level and below `data`; missing ones get defaults. */
  readonly read: (fields: JsonObject, type: string) => Interactions[K]
  /** Returns the texts that may contain variables. */
  readonly texts?: (one: InteractionOf<K>) => readonly string[]
  /** Returns the names of the variables that the interaction stores; a trailing point means several (`name.field`). */
  readonly captures?: (one: InteractionOf<K>) => readonly string[]
  /** Returns the problems of the interaction, each as the end of a sentence about its step. */
  readonly check?: (one: InteractionOf<K>, existing: Existing) => readonly (readonly [ProblemCode, string])[]
  /** Returns where the interaction leaves the flow: another flow's id, null: people or nowhere; undefined: it does not leave. */
  readonly leads?: (one: InteractionOf<K>) => number | null | undefined
  /** Whether nothing may follow it in its step. */
  readonly isLast?: (one: InteractionOf<K>) => boolean
  /** Performs the interaction; the session may wait or have ended afterwards. */
  readonly perform: (run: Run, one: InteractionOf<K>) => void
  /** Handles the answer of its call, in place of the default (`name.field`). */
  readonly called?: (run: Run, one: InteractionOf<K>, event: CalledEvent) => void
  /** Handles the customer's text while the interaction talks with the customer. */
  readonly spoken?: (run: Run, one: InteractionOf<K>, text: string) => void
  /** Leaves the flow after the assistant's result, if no condition of the step matches. */
  readonly left?: (run: Run, one: InteractionOf<K>, exit: AssistantExit) => void
  /** Whether it is said once more after an answer that nothing understood. */
  readonly isRepeated?: boolean
}
