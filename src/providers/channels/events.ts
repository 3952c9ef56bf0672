import type { StopCause } from '#domain/connections/causes.ts'
import type { AdSource, MessageData, RemoteFile } from '#domain/messages/data.ts'
import type { MessageStatus } from '#domain/messages/status.ts'
import type { MessageType } from '#domain/messages/types.ts'

/** JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Member of a group on its channel; `name` is empty if unknown. */
export type GroupMember = {
  readonly identity: string
  readonly name: string
  readonly number?: string | null
  readonly isAdmin?: boolean
}

/** Message of a conversation, as a provider event. */
type Spoken = {
  /** Equal for repeated deliveries of the same event. */
  readonly dedupeKey: string
  /** Address of the conversation on the connection: the contact's id, or that of the thread or group. */
  readonly conversationKey: string
  readonly isGroup?: boolean
  /** Name of the group, if the channel sends it with messages. */
  readonly groupName?: string
  /** Author: the contact, or a member of the group. */
  readonly sender: {
    readonly identity: string
    readonly name: string
    readonly number?: string | null
    readonly email?: string
    /** Another address of the same person on the channel. */
    readonly alias?: string
  }
  /** Raw message of the provider, stored with the event if its kind is not supported yet. */
  readonly raw?: string
  readonly message: {
    readonly providerId: string
    /** Epoch ms by the provider's clock. */
    readonly timestamp: number
    /** Type of the message; `undecrypted` is replaced by a later message with the same `providerId`. */
    readonly type: MessageType
    readonly body: string
    /** Sanitized HTML of the body, without scripts and remote content; shown on demand only. */
    readonly html?: string
    /** Id of a stored file (`files.id`). */
    readonly fileId?: string
    /** File stored at the provider; the message is shown at once, the file once `download` has fetched it. */
    readonly remote?: RemoteFile & {
      /** Data with which `download` finds and decrypts it; encrypted before it is stored. */
      readonly pointer: JsonValue
    }
    readonly quotedProviderId?: string
    /** Data of a contact card, a location, buttons or a pressed button. */
    readonly data?: MessageData
    /** Identities of the group members mentioned in the body behind an `@`, with or without their server. */
    readonly mentions?: readonly string[]
    /** Whether the contact forwarded it from another conversation. */
    readonly isForwarded?: boolean
    /** Common id of pictures and films that belong together. */
    readonly album?: string
    /** Ad through which the contact came with the message. */
    readonly ad?: AdSource
  }
  /** Whether it answers a story or mentions the company in one; not delivered to companies that ignore stories. */
  readonly isStory?: true
}

/**
 * Message from before the connection existed, or from an outage: sorted by its own time, without notifications. `dedupeKey`
 * equals that of the live message; a message still to arrive live is no history. `sender` is the contact also for the
 * company's messages (`fromMe`, with their receipt so far).
 */
export type HistoryMessage = Spoken & {
  readonly type: 'history'
  readonly fromMe: boolean
  readonly status?: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'played'>
}

/**
 * Message sent by the company on the phone itself, or by another program: published like one sent here, but only once if it
 * was sent here (matched by `providerId`). `sender` is the contact.
 */
export type EchoMessage = Spoken & {
  readonly type: 'echo'
  /** Whether it may be a message sent here whose response is lost or pending, as the provider reports both alike. */
  readonly mayBeOurs?: true
  /** Our message id, if the provider returns it. */
  readonly messageId?: string
}

/** Event from a channel's provider, in one form for all channels; written to the journal before it is processed. */
export type ProviderEvent =
  | (Spoken & { readonly type: 'message' })
  | EchoMessage
  | HistoryMessage
  | GroupUpdate
  | MessageAct
  | AddressesNews
  | Watermark
  | Blocking
  | Moved
  | ContinuationNews
  /** Changed or removed picture of a person or group, to be queried; opens no conversation. */
  | {
      readonly type: 'picture'
      readonly dedupeKey: string
      readonly conversationKey: string
      readonly timestamp: number
    }
  | {
      readonly type: 'receipt'
      readonly dedupeKey: string
      readonly conversationKey: string
      readonly providerId: string
      readonly status: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'played' | 'failed'>
      readonly timestamp: number
      /** Our message id, if the provider returns it; settles a message whose response was lost. */
      readonly messageId?: string
      /** Further id that the provider uses for the message from now on; `isAlias`: `providerId` is such an id. */
      readonly alias?: string
      readonly isAlias?: true
      readonly error?: string
      /** Text of the error in the provider's words, for administrators only. */
      readonly providerText?: string
      /** Cause that stops the whole connection, reported with the message. */
      readonly stops?: StopCause
      /** Group member who gives the receipt, and the number of other members; the status rises once all have given it. */
      readonly member?: { readonly identity: string; readonly of: number }
    }

/** Receipt of all messages sent to the contact until a time of the provider's clock (epoch ms). */
export type Watermark = {
  readonly type: 'watermark'
  readonly dedupeKey: string
  readonly conversationKey: string
  /** Equal to the conversation key, under which a watermark is found that arrived before a message was recorded as sent. */
  readonly providerId: string
  readonly status: 'delivered' | 'read'
  readonly timestamp: number
}

/** Contact or group that blocked us or unblocked us: the bot was blocked or removed from the group. Opens no conversation. */
export type Blocking = {
  readonly type: 'blocking'
  readonly dedupeKey: string
  readonly conversationKey: string
  readonly timestamp: number
  readonly blocksUs: boolean
}

/**
 * Result of a mail that continues a conversation of another channel (`ContinuationMail`): sent, bounced, or answered by a
 * machine. Opens no conversation.
 */
export type ContinuationNews = {
  readonly type: 'continuation'
  readonly dedupeKey: string
  readonly conversationKey: string
  /** Our id of the mail. */
  readonly mailId: string
  readonly timestamp: number
  readonly status: 'sent' | 'failed' | 'answered'
  /** Reason of the bounce, or text of the machine's answer. */
  readonly text?: string
  readonly providerText?: string
}

/** Event of a connection's link; `elsewhere`: id of the connection that it belongs to, if another one (`KnownMessage`). */
export type LinkEvent = ProviderEvent & { readonly elsewhere?: number }

/** New address of a group, at which its conversation goes on. */
export type Moved = {
  readonly type: 'moved'
  readonly dedupeKey: string
  readonly conversationKey: string
  readonly timestamp: number
  readonly to: string
}

/** Two addresses of one person, without a message; opens no conversation. */
export type AddressesNews = {
  readonly type: 'addresses'
  readonly dedupeKey: string
  readonly conversationKey: string
  readonly sender: { readonly identity: string; readonly alias: string; readonly number: string | null }
}

/** Change of a group; opens no conversation. `by` is the identity of its author. */
export type GroupUpdate = {
  readonly dedupeKey: string
  readonly conversationKey: string
  /** Epoch ms by the provider's clock; of two changes of a member the latest wins. */
  readonly timestamp: number
  readonly by?: string
} /** Members who joined, left, or became or ceased to be admins; `all`: complete list of the members. */ & (
  | {
      readonly type: 'participants'
      readonly change: 'add' | 'remove' | 'promote' | 'demote' | 'all'
      readonly members: readonly GroupMember[]
    }
  /** New name or picture; `fileId` is a stored picture, null if removed. */
  | { readonly type: 'profile'; readonly name?: string; readonly fileId?: string | null }
)

/** Act on a message, given by its provider id; may arrive before the message. */
export type MessageAct = {
  readonly dedupeKey: string
  /**
   * Conversation of the message; empty if the channel does not name it: then the message with the provider id, unless it is
   * in a group.
   */
  readonly conversationKey: string
  readonly providerId: string
  /** Epoch ms by the provider's clock; of two acts of a kind the latest wins. */
  readonly timestamp: number
  /** Whether the company acted, on the phone itself or by another program; else the contact. Never our own acts. */
  readonly fromMe?: true
  /**
   * Author as stated by the channel, not by the device. Required in groups: acts of an unknown author change no text there.
   * Elsewhere the contact of the conversation, with further addresses.
   */
  readonly author?: Pick<Spoken['sender'], 'identity' | 'number' | 'alias'>
} /** `mentions`: identities of the group members that the new text mentions. */ & (
  | { readonly type: 'edit'; readonly body: string; readonly mentions?: readonly string[] }
  | { readonly type: 'revoke' }
  /** Emoji of the reaction; null: removed. */
  | { readonly type: 'reaction'; readonly emoji: string | null }
)
