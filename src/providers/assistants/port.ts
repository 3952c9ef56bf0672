import type { AssistantKind, TicketAssistant } from '#domain/tickets/assistants.ts'
import type { ProviderConfig, ProviderValues } from '#kit/provider.ts'

/** A provider of assistants, as data that the browser may read. */
export type AssistantConfig = ProviderConfig & {
  /** The ticket's switch for this assistant; null if it does not answer tickets. */
  readonly ticketSwitch: TicketAssistant | null
  readonly kind: AssistantKind
  /** What a call there may have done beyond an answer: it is not repeated after an answer that was lost. */
  readonly hasEffects: boolean
  /** Whether its models can be listed. */
  readonly listsModels?: boolean
  /** How one begins, in a sentence or two. */
  readonly help: string
}

/** One utterance of a conversation. */
export type Utterance = { readonly by: 'customer' | 'company'; readonly text: string }

/** A file that goes along with what the customer wrote. */
export type AttachedFile = { readonly name: string; readonly mime: string; readonly base64: string }

/** The contact and state of a conversation. */
export type Subject = {
  readonly contact: { readonly id: number; readonly name: string; readonly number: string; readonly email: string }
  readonly ticket: { readonly id: number; readonly status: string; readonly queueId: number | null }
  readonly connection: { readonly id: number; readonly name: string; readonly type: string }
}

/** Input of an assistant. */
export type Question = {
  /** What it is and knows, variables filled in; '' for none. */
  readonly system: string
  /** What was written before, in order. */
  readonly history: readonly Utterance[]
  /** What the customer wrote since, one text. */
  readonly text: string
  readonly files: readonly AttachedFile[]
  /** The same for all of a conversation, at most 36 characters. */
  readonly sessionId: string
  /** Who the customer is at the provider: the same in all of their conversations. */
  readonly customerId: string
  /** By what its service knows the conversation; null at its beginning. */
  readonly handle: string | null
  /** What the adapter noted of the conversation at its last answer. */
  readonly memory: unknown
  /** Whom and what it is about, for providers that take facts. */
  readonly about: Subject
  /** Where a late answer may be posted, once; null where there is no such address. */
  readonly callbackUrl: string | null
  /** Ends the call. */
  readonly signal: AbortSignal
  /** Is given each piece of the answer as it comes, where the provider streams; the answer has them all. */
  readonly onText?: ((piece: string) => void) | undefined
}

/** A part of an answer, a message each. */
export type Bubble =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'options'
      readonly text: string
      readonly options: readonly string[]
      /** A list, also where the channel could show buttons. */
      readonly isList?: boolean
    }
  | { readonly kind: 'file'; readonly url: string; readonly type: 'image' | 'video' | 'audio' | 'document' }
  | { readonly kind: 'pause'; readonly ms: number }

/** What calls cost, as the provider says; 0 where it does not. */
export type Usage = { readonly inputTokens: number; readonly cachedTokens: number; readonly outputTokens: number }

/** An answer. */
export type Answer = Usage & {
  readonly bubbles: readonly Bubble[]
  readonly model: string
  readonly handle?: string | null
  readonly memory?: unknown
  /** It gives the conversation to people. */
  readonly handsOver?: boolean
  /** The answer comes later, at `callbackUrl`. */
  readonly isDeferred?: boolean
}

/** Why there is no answer. */
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

/** A call without an answer; `text` is for people. `hasLeft`: the provider may have acted on it. */
export class AssistantFailure extends Error {
  readonly problem: AssistantProblem
  readonly hasLeft: boolean
  /** ms after which the provider may be asked again, where it says so. */
  readonly retryAfterMs: number | null
  /** What was used all the same. */
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

/** What adapters work with. */
export type AssistantTools = { readonly fetch: typeof fetch; readonly now: () => Date }

/** A recording that is written down. */
export type Recording = { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }

/** Something that is chosen for a phone call, by its provider's id. */
export type PhoneChoice = { readonly id: string; readonly name: string }

/** A phone call by an assistant: recipient (digits with country code), assistant and number. */
export type PhoneCall = {
  readonly assistantId: string
  readonly phoneNumberId: string
  readonly number: string
  readonly name: string
}

/** How a phone call went, once it has ended; `number` is the customer's, digits alone. */
export type PhoneReport = {
  readonly id: string
  readonly number: string
  readonly summary: string
  readonly transcript: string
  readonly seconds: number
  readonly reason: string
}

/** An account that makes phone calls. Each fails with an `AssistantFailure`. */
export type PhoneAdapter = {
  assistants(signal: AbortSignal): Promise<PhoneChoice[]>
  numbers(signal: AbortSignal): Promise<PhoneChoice[]>
  /** Begins a call; answers its id there. */
  call(call: PhoneCall, signal: AbortSignal): Promise<string>
  /** Reads what the provider posts; null for what is no end of a call. */
  report(body: unknown): PhoneReport | null
}

/** One account at a provider of assistants. */
export type AssistantAdapter = {
  /** Answers what a customer wrote. Fails with an `AssistantFailure`. */
  answer(question: Question): Promise<Answer>
  /** The models that the account may use. Fails with an `AssistantFailure`. */
  models?(signal: AbortSignal): Promise<string[]>
  /** What is said by an answer that is posted at `callbackUrl`, whatever its form; where the provider answers so. */
  deferred?(body: unknown): Bubble[]
  /** Phone calls, where the provider makes them. */
  readonly phone?: PhoneAdapter
  /** A text as speech, where that is switched on. Fails with an `AssistantFailure`. */
  speak?(text: string, signal: AbortSignal): Promise<{ readonly name: string; readonly bytes: Uint8Array }>
  /** What is spoken in a recording. Fails with an `AssistantFailure`. */
  transcribe?(recording: Recording, signal: AbortSignal): Promise<string>
}

/** Makes the adapter of one account from what was filled in, secrets in the clear. */
export type MakeAssistantAdapter = (values: ProviderValues, tools: AssistantTools) => AssistantAdapter
