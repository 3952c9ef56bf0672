import type { MessageStatus } from '#domain/messages/status.ts'
import type { MessageType } from '#domain/messages/types.ts'

/** What a channel's provider tells us, in one form for all of them; it is journaled before anything is done with it. */
export type ProviderEvent =
  | {
      readonly type: 'message'
      /** Equal for repeated deliveries of the same event. */
      readonly dedupeKey: string
      /** The conversation on that connection: the contact's id there, or the thread or group. */
      readonly conversationKey: string
      readonly isGroup?: boolean
      readonly sender: {
        readonly identity: string
        readonly name: string
        readonly number?: string | null
        readonly email?: string
      }
      readonly message: {
        readonly providerId: string
        /** Epoch ms by the provider's clock. */
        readonly timestamp: number
        readonly type: MessageType
        readonly body: string
        /** A file that is stored already (`files.id`). */
        readonly fileId?: string
        readonly quotedProviderId?: string
        readonly data?: unknown
      }
    }
  | {
      readonly type: 'receipt'
      readonly dedupeKey: string
      readonly conversationKey: string
      readonly providerId: string
      readonly status: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'played' | 'failed'>
      readonly timestamp: number
      readonly error?: string
    }

/** A message on its way out. */
export type Outbound = {
  readonly tenantId: number
  readonly connectionId: number
  readonly conversationKey: string
  /** Our id: the provider's idempotency key where it takes one. */
  readonly messageId: string
  readonly type: MessageType
  readonly body: string
  readonly file: {
    readonly id: string
    readonly name: string
    readonly mime: string
    readonly size: number
    readonly path: string
  } | null
  readonly quotedProviderId: string | null
  readonly userName: string | null
  readonly timestamp: number
}

/** What a channel can do, and what it would refuse: bytes, characters, hours since the contact's last word. */
export type ChannelCapabilities = {
  readonly media: boolean
  readonly quote: boolean
  readonly presence: boolean
  readonly maxTextLength: number
  readonly maxFileBytes: number
  readonly windowHours: number | null
}

/** One kind of channel. */
export type ChannelAdapter = {
  readonly kind: string
  readonly label: string
  readonly capabilities: ChannelCapabilities
  /** Whether sending the same message id twice delivers it once; only then is a send repeated whose answer was lost. */
  readonly isIdempotent: boolean
  /** Hands the message over; answers the provider's id. Throws a `SendFailure` made by one of the functions below. */
  send(message: Outbound): Promise<{ providerId: string }>
  /** Shows the contact that the agent is typing or recording. */
  presence?(to: {
    tenantId: number
    connectionId: number
    conversationKey: string
    state: 'composing' | 'recording' | 'paused'
  }): void | Promise<void>
  /** Tells the contact that the conversation was read. */
  markRead?(to: { tenantId: number; connectionId: number; conversationKey: string }): void | Promise<void>
}

/** Why a send failed: `refused` for good, `unreachable` before it went out, `unknown` when the answer was lost. */
export type SendFailure = Error & { readonly kind: 'refused' | 'unreachable' | 'unknown' }

/** Whether something thrown is a `SendFailure`. */
export const isSendFailure = (error: unknown): error is SendFailure => error instanceof Error && 'kind' in error

/** Makes the error that a send ends with; the message is read by agents, and never a provider's own (decision A17). */
export const sendFailure = (kind: SendFailure['kind'], message: string): SendFailure =>
  Object.assign(new Error(message), { kind })
