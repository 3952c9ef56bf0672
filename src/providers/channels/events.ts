import type { StopCause } from '#domain/connections/causes.ts'
import type { AdSource, MessageData, RemoteFile } from '#domain/messages/data.ts'
import type { MessageStatus } from '#domain/messages/status.ts'
import type { MessageType } from '#domain/messages/types.ts'

/** Whatever JSON can say. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Somebody in a group, as its channel knows them; `name` is empty where nobody told it. */
export type GroupMember = {
  readonly identity: string
  readonly name: string
  readonly number?: string | null
  readonly isAdmin?: boolean
}

/** What somebody said in a conversation. */
type Spoken = {
  /** Equal for repeated deliveries of the same event. */
  readonly dedupeKey: string
  /** The conversation on that connection: the contact's id there, or the thread or group. */
  readonly conversationKey: string
  readonly isGroup?: boolean
  /** How the group is called, where the channel tells it with its messages. */
  readonly groupName?: string
  /** Who wrote: the contact, or somebody in the group. */
  readonly sender: {
    readonly identity: string
    readonly name: string
    readonly number?: string | null
    readonly email?: string
    /** Another address by which the channel knows the same person. */
    readonly alias?: string
  }
  /** The provider's own message, where it is of a kind that nobody can read here yet: kept with the event. */
  readonly raw?: string
  readonly message: {
    readonly providerId: string
    /** Epoch ms by the provider's clock. */
    readonly timestamp: number
    /** One that is `undecrypted` waits for the message with its `providerId` that can be read, which takes its place. */
    readonly type: MessageType
    readonly body: string
    /** The same formatted, cleaned of whatever could run or ask for anything: shown on demand alone. */
    readonly html?: string
    /** A file that is stored already (`files.id`). */
    readonly fileId?: string
    /** A file that the provider keeps: the message is shown at once, and the file when `download` has given it. */
    readonly remote?: RemoteFile & {
      /** What `download` needs to find and to decrypt it; encrypted before it is stored. */
      readonly pointer: JsonValue
    }
    readonly quotedProviderId?: string
    /** What a card, a place, buttons or the press of one consist of. */
    readonly data?: MessageData
    /** Identities of members of the group that stand in the text behind an `@`, with or without their server. */
    readonly mentions?: readonly string[]
    /** The contact passed it on from another conversation. */
    readonly isForwarded?: boolean
    /** What the pictures and films that belong together have in common. */
    readonly album?: string
    /** The ad from which the contact came with it. */
    readonly ad?: AdSource
  }
  /** It is of a story, or mentions the company in one: who ignores those does not get it. */
  readonly isStory?: true
}

/**
 * What was said before the connection was there, or while it was down: it takes its place by its own time, and nobody is
 * told. Its `dedupeKey` is the one of the same message when it comes by itself; one that is still to come so is not
 * history. `sender` is the contact also of what the company said (`fromMe`, with the receipt that it has by now).
 */
export type HistoryMessage = Spoken & {
  readonly type: 'history'
  readonly fromMe: boolean
  readonly status?: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'played'>
}

/**
 * What the company said on the phone itself, or by another program: told to everybody like what is sent here, and once, also
 * where it is what was sent here (known by its `providerId`). `sender` is the contact.
 */
export type EchoMessage = Spoken & {
  readonly type: 'echo'
  /** It may be what was sent here and whose answer was lost, or is still to come: the provider tells of both alike. */
  readonly mayBeOurs?: true
  /** Our id, where the provider gives it back. */
  readonly messageId?: string
}

/** What a channel's provider tells us, in one form for all of them; it is journaled before anything is done with it. */
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
  /** Somebody, or a group, has another picture now, or none any more: it is asked for. It opens no conversation. */
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
      /** Our id, where the provider gives it back: it settles a message whose answer was lost. */
      readonly messageId?: string
      /** Another id by which the provider speaks of the message from now on; of those, `isAlias`. */
      readonly alias?: string
      readonly isAlias?: true
      readonly error?: string
      /** The same in the provider's own words, for administrators alone. */
      readonly providerText?: string
      /** What keeps anything from leaving by this connection, of which it tells with the message. */
      readonly stops?: StopCause
      /** In a group: who of it gives the receipt, and how many others there are; the tick rises when all of them have. */
      readonly member?: { readonly identity: string; readonly of: number }
    }

/** The contact has got, or read, everything that had been sent until a moment of the provider's clock (epoch ms). */
export type Watermark = {
  readonly type: 'watermark'
  readonly dedupeKey: string
  readonly conversationKey: string
  /** That of the conversation: what was sent finds what came faster by it. */
  readonly providerId: string
  readonly status: 'delivered' | 'read'
  readonly timestamp: number
}

/** Who is at an address lets us write to them no more, or again: they blocked the bot, or a group put it out. It opens no conversation. */
export type Blocking = {
  readonly type: 'blocking'
  readonly dedupeKey: string
  readonly conversationKey: string
  readonly timestamp: number
  readonly blocksUs: boolean
}

/**
 * What became of a mail by which a conversation of another channel goes on (`ContinuationMail`): it left, it came back, or a
 * machine answered it. It opens no conversation.
 */
export type ContinuationNews = {
  readonly type: 'continuation'
  readonly dedupeKey: string
  readonly conversationKey: string
  /** Our id of the mail. */
  readonly mailId: string
  readonly timestamp: number
  readonly status: 'sent' | 'failed' | 'answered'
  /** Why it came back, or what the machine says. */
  readonly text?: string
  readonly providerText?: string
}

/** An event of a connection's link; `elsewhere` names the connection whose it is, where it is another one's (`KnownMessage`). */
export type LinkEvent = ProviderEvent & { readonly elsewhere?: number }

/** A group has another address from now on: its conversation goes on there. */
export type Moved = {
  readonly type: 'moved'
  readonly dedupeKey: string
  readonly conversationKey: string
  readonly timestamp: number
  readonly to: string
}

/** The channel says that two addresses are one person's, who said nothing; it opens no conversation. */
export type AddressesNews = {
  readonly type: 'addresses'
  readonly dedupeKey: string
  readonly conversationKey: string
  readonly sender: { readonly identity: string; readonly alias: string; readonly number: string | null }
}

/** What happened to a group; it opens no conversation. `by` is the identity of who did it. */
export type GroupUpdate = {
  readonly dedupeKey: string
  readonly conversationKey: string
  /** Epoch ms by the provider's clock: of two changes about a member the later one counts. */
  readonly timestamp: number
  readonly by?: string
} /** Members came, went, or were given or lost the right to run it; `all`: these are its members, and nobody else. */ & (
  | {
      readonly type: 'participants'
      readonly change: 'add' | 'remove' | 'promote' | 'demote' | 'all'
      readonly members: readonly GroupMember[]
    }
  /** It is called or looks otherwise; `fileId` is a stored picture, null where it has none any more. */
  | { readonly type: 'profile'; readonly name?: string; readonly fileId?: string | null }
)

/** What was done to a message, known by the provider's id; it may come before the message itself. */
export type MessageAct = {
  readonly dedupeKey: string
  /** Empty where the channel does not say in which: it is about the message with that id, unless that is in a group. */
  readonly conversationKey: string
  readonly providerId: string
  /** Epoch ms by the provider's clock: of two of a kind the later one counts. */
  readonly timestamp: number
  /** The company did it on the phone itself, or by another program; else the contact. Never what is done by us. */
  readonly fromMe?: true
  /**
   * Who did it, by the channel's word and not by that of their device: in a group nothing else says it, and what nobody is
   * known to have done changes no text there. Elsewhere it is the contact of the conversation, of whom this may tell more.
   */
  readonly author?: Pick<Spoken['sender'], 'identity' | 'number' | 'alias'>
} /** `mentions` as of a message: whom of the group the new text mentions. */ & (
  | { readonly type: 'edit'; readonly body: string; readonly mentions?: readonly string[] }
  | { readonly type: 'revoke' }
  /** Null: the reaction was taken away. */
  | { readonly type: 'reaction'; readonly emoji: string | null }
)
