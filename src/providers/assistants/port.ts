import type { AssistantKind, TicketAssistant } from '#domain/tickets/assistants.ts'
import type { ProviderConfig, ProviderValues } from '#kit/provider.ts'

/** Config of an assistant provider, as data that the browser may read. */
export type AssistantConfig = ProviderConfig & {
  /** Switch of the ticket for this assistant; null if it does not answer tickets. */
  readonly ticketSwitch: TicketAssistant | null
  readonly kind: AssistantKind
  /** Whether a call may have side effects; it is not repeated then after a lost response. */
  readonly hasEffects: boolean
  /** Whether the provider lists its models. */
  readonly listsModels?: boolean
  /** Whether it takes the customer's files of any kind (`Question.attachments`). */
  readonly takesAttachments?: boolean
  /** Instructions for setting it up, in a sentence or two. */
  readonly help: string
}

/** Utterance of a conversation. */
export type Utterance = { readonly by: 'customer' | 'company'; readonly text: string }

/** File attached to the customer's text. */
export type AttachedFile = { readonly name: string; readonly mime: string; readonly base64: string }

/** File of the customer's messages, of any kind and size; `read` returns null if it is not stored here. Size in bytes. */
export type Attachment = {
  readonly name: string
  readonly mime: string
  readonly size: number
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | null>
}

/** Contact and state of a conversation. */
export type Subject = {
  readonly contact: { readonly id: number; readonly name: string; readonly number: string; readonly email: string }
  readonly ticket: { readonly id: number; readonly status: string; readonly queueId: number | null }
  readonly connection: { readonly id: number; readonly name: string; readonly type: string }
}

/** Input of an assistant. */
export type Question = {
  /** Instructions with variables filled in; '' for none. */
  readonly system: string
  /** Earlier utterances, in order. */
  readonly history: readonly Utterance[]
  /** New text of the customer, as one. */
  readonly text: string
  /** Attached files that models read, in the clear. */
  readonly files: readonly AttachedFile[]
  /** All files of the customer's new messages, for providers that take any; none if omitted. */
  readonly attachments?: readonly Attachment[]
  /** New text without the marks that stand for files in `text`; equal to `text` if omitted. */
  readonly plainText?: string
  /** Id of the conversation, at most 36 characters. */
  readonly sessionId: string
  /** Id of the customer, equal in all of their conversations. */
  readonly customerId: string
  /** Id of the conversation at the provider; null at its beginning. */
  readonly handle: string | null
  /** Memory that the adapter returned with its last answer. */
  readonly memory: unknown
  /** Contact and ticket, for providers that take variables. */
  readonly about: Subject
  /** URL to which a deferred answer may be posted once; null if there is none. */
  readonly callbackUrl: string | null
  /** Aborts the call. */
  readonly signal: AbortSignal
  /** Called with each piece of a streamed answer; the final answer contains them all. */
  readonly onText?: ((piece: string) => void) | undefined
}

/** Part of an answer, sent as a message of its own kind. */
export type Bubble =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'options'
      readonly text: string
      readonly options: readonly string[]
      /** Whether it is shown as a list, even if the channel supports buttons. */
      readonly isList?: boolean
    }
  | { readonly kind: 'file'; readonly url: string; readonly type: 'image' | 'video' | 'audio' | 'document' }
  | { readonly kind: 'pause'; readonly ms: number }

/** Tokens used by a call, as reported by the provider; 0 if unreported. */
export type Usage = { readonly inputTokens: number; readonly cachedTokens: number; readonly outputTokens: number }

/** Answer of an assistant. */
export type Answer = Usage & {
  readonly bubbles: readonly Bubble[]
  readonly model: string
  readonly handle?: string | null
  readonly memory?: unknown
  /** Whether the assistant hands the conversation over to people. */
  readonly handsOver?: boolean
  /** Whether the answer will be posted to `callbackUrl`. */
  readonly isDeferred?: boolean
}

/** Usage of zero tokens, also if the provider reports none. */
export const NO_USAGE: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }

/** Reason why there is no answer. */
export type AssistantProblem =
  | 'setup'
  | 'login'
  | 'missing'
  | 'rate'
  | 'quota'
  | 'refused'
  | 'filtered'
  | 'empty'
  | 'broken'
  | 'timeout'
  | 'unreachable'
  | 'size'
  | 'server'
  | 'unread'

/** Failure of a call; the message is for people. `hasLeft`: the provider may have processed the call. */
export class AssistantFailure extends Error {
  readonly problem: AssistantProblem
  readonly hasLeft: boolean
  /** Delay in ms after which the provider may be called again, if it names one. */
  readonly retryAfterMs: number | null
  /** Tokens that were used nevertheless. */
  readonly usage: Usage | null
  constructor(
    problem: AssistantProblem,
    text: string,
    {
      hasLeft = true,
      retryAfterMs = null,
      usage = null,
    }: Partial<Pick<AssistantFailure, 'hasLeft' | 'retryAfterMs' | 'usage'>> = {},
  ) {
    super(text)
    this.problem = problem
    this.hasLeft = hasLeft
    this.retryAfterMs = retryAfterMs
    this.usage = usage
  }
}

/** Tools of an adapter. */
export type AssistantTools = { readonly fetch: typeof fetch; readonly now: () => Date }

/** Audio recording to transcribe. */
export type Recording = { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }

/** Option for phone calls (assistant or number), by its id at the provider. */
export type PhoneChoice = { readonly id: string; readonly name: string }

/** Phone call by an assistant: recipient (digits with country code), assistant and number. */
export type PhoneCall = {
  readonly assistantId: string
  readonly phoneNumberId: string
  readonly number: string
  readonly name: string
}

/** Report of an ended phone call; `number` is the customer's, digits only. */
export type PhoneReport = {
  readonly id: string
  readonly number: string
  readonly summary: string
  readonly transcript: string
  readonly seconds: number
  readonly reason: string
}

/** Port to a provider of phone calls; every call fails with an `AssistantFailure`. */
export type PhoneAdapter = {
  assistants(signal: AbortSignal): Promise<PhoneChoice[]>
  numbers(signal: AbortSignal): Promise<PhoneChoice[]>
  /** Starts a call; returns its id at the provider. */
  call(call: PhoneCall, signal: AbortSignal): Promise<string>
  /** Parses a report of the provider; null if it is not the end of a call. */
  report(body: unknown): PhoneReport | null
}

/** Adapter of one account at an assistant provider. */
export type AssistantAdapter = {
  /** Answers a customer's text. Fails with an `AssistantFailure`. */
  answer(question: Question): Promise<Answer>
  /** Returns the models that the account may use. Fails with an `AssistantFailure`. */
  models?(signal: AbortSignal): Promise<string[]>
  /** Parses an answer posted at `callbackUrl`, of any form, for providers that answer so. */
  deferred?(body: unknown): Bubble[]
  /** Phone calls, if the provider makes them. */
  readonly phone?: PhoneAdapter
  /** Converts a text to speech, if enabled. Fails with an `AssistantFailure`. */
  speak?(text: string, signal: AbortSignal): Promise<{ readonly name: string; readonly bytes: Uint8Array }>
  /** Transcribes a recording. Fails with an `AssistantFailure`. */
  transcribe?(recording: Recording, signal: AbortSignal): Promise<string>
}

/** Creates the adapter of one account from its settings, with secrets in the clear. */
export type MakeAssistantAdapter = (values: ProviderValues, tools: AssistantTools) => AssistantAdapter
