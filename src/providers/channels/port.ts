import type { Duplex, Readable } from 'node:stream'
import type { StopCause } from '#domain/connections/causes.ts'
import type { MessageData } from '#domain/messages/data.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { MessageType } from '#domain/messages/types.ts'
import type { ProviderValues } from '#kit/provider.ts'
import type {
  GrantedAccount,
  NumberDesk,
  NumberNews,
  ProviderTemplate,
  SignupDesk,
  TemplateDesk,
  TemplateNews,
} from './desks.ts'
import type { HistoryMessage, JsonValue, LinkEvent, ProviderEvent } from './events.ts'
import type { ProviderFault } from './faults.ts'
import type { GroupQuestions } from './group-tools.ts'
import type { Ledger } from './ledger.ts'

export type * from './desks.ts'
export type * from './events.ts'
export type * from './faults.ts'
export type * from './group-tools.ts'
export type * from './ledger.ts'

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
    readonly durationMs: number | null
    /** Of a voice note: how loud it is along the way, 64 numbers of 0–100. */
    readonly waveform: readonly number[] | null
  } | null
  readonly quotedProviderId: string | null
  /** The message that it answers, where it is known by more than its name. */
  readonly quoted: {
    readonly providerId: string
    readonly fromMe: boolean
    readonly body: string
    /** The identity of who of a group wrote it. */
    readonly author: string | null
  } | null
  /** Of a contact card, a place, or a message with buttons. */
  readonly data: MessageData | null
  readonly isForwarded: boolean
  /** The album of a picture or film, with its number of each. */
  readonly album: { readonly id: string; readonly images: number; readonly videos: number } | null
  /** Mentions of a group message; their names are in the body behind an `@`. Null: none. */
  readonly mentions: MessageMentions | null
  readonly userName: string | null
  readonly timestamp: number
  /** Sent automatically, without a person as author. */
  readonly isAutomatic: boolean
  /** A person writes it, who says so, after the window has closed. */
  readonly isHumanAgent: boolean
  /** The public comment that it answers, to its writer alone, by the provider's id. */
  readonly commentId: string | null
}

/**
 * A mail that continues a conversation of another channel whose contact has left; answers to it come in by
 * `link.ledger`.
 */
export type ContinuationMail = {
  /** Our id, from which the Message-ID is made; unique per mail. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The mails that it follows, oldest first: ours by their ids, others' by their Message-IDs. */
  readonly references: readonly string[]
  readonly files: readonly { readonly name: string; readonly mime: string; readonly path: string }[]
}

type Connected = { readonly tenantId: number; readonly connectionId: number }
type Conversation = { readonly conversationKey: string }
/** `author` is the identity of who of a group wrote the message; null in other conversations, and for our own. */
type OfMessage = Conversation & { readonly providerId: string; readonly author: string | null }

/** What is done on a channel besides sending; repeating one changes nothing, and an act fails as a send does. */
export type ChannelAction = Connected &
  (
    | (Conversation & { readonly type: 'presence'; readonly state: 'composing' | 'recording' | 'paused' })
    | (Conversation & { readonly type: 'read' })
    | (OfMessage & { readonly type: 'edit'; readonly body: string; readonly mentions: MessageMentions | null })
    | (OfMessage & { readonly type: 'revoke' })
    | (OfMessage & { readonly type: 'react'; readonly emoji: string | null; readonly fromMe: boolean })
  )

/** What may be asked of a channel, with what comes back. */
export type ChannelQuestions = GroupQuestions & {
  /** How the channel names a number; null when it does not reach it. */
  number: { about: Connected & { number: string }; answer: { identity: string } | null }
  /** Picture of a contact or group; null if there is none, or it is hidden from us. */
  picture: { about: { identity: string }; answer: Uint8Array | null }
  /** Name of a contact; null if it is not available. */
  name: { about: { identity: string }; answer: string | null }
  groups: { about: Connected; answer: readonly { key: string; name: string }[] }
  /** Whom the channel knows by name, a page; `next` goes on behind it (null: that was the last one). */
  contacts: {
    about: Connected & { after: string | null }
    answer: { contacts: readonly { identity: string; name: string; number: string | null }[]; next: string | null }
  }
  /** The conversations that the channel keeps, a page; `next` goes on behind it (null: that was the last one). */
  chats: {
    about: Connected & { after: string | null }
    answer: { chats: readonly string[]; next: string | null; total: number | null }
  }
  /** Up to `limit` messages of one of them, the newest page first, each in order of time; `before` goes on behind it. */
  history: {
    about: Connected & Conversation & { before: string | null; limit: number }
    answer: { messages: readonly HistoryMessage[]; before: string | null }
  }
  /** Asks the sender of a file to upload it again; returns the new pointer, null if they no longer have it. */
  media: { about: { pointer: JsonValue }; answer: { pointer: JsonValue } | null }
  /** Refuses a call that rings; false: it does not, any more. */
  refuseCall: { about: { callId: string }; answer: boolean }
  /** Every message template of its account. */
  templates: { about: Record<never, never>; answer: readonly ProviderTemplate[] }
}

/** A call of the provider, byte for byte; `url` is the address that it called. */
export type WebhookRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** An event, with its account where the provider's calls cover several (`connections.number`). */
export type AccountEvent = { readonly account?: string; readonly event: ProviderEvent }

/** What a call of the provider says, and how it wants to be answered (200 and "ok" if not said). */
export type WebhookResult =
  /** `isHandshake`: what did not fit is no signature, but the word that both sides know (403 in place of 401). */
  | { readonly isGenuine: false; readonly isHandshake?: true }
  | {
      readonly isGenuine: true
      readonly events: readonly AccountEvent[]
      readonly answer?: { readonly contentType: string; readonly body: string }
      /** What of the call is of no kind that is read, by name. */
      readonly unread?: readonly string[]
      /** News about message templates. */
      readonly templates?: readonly TemplateNews[]
      /** News about numbers. */
      readonly numbers?: readonly NumberNews[]
      /** The state of the connection or its groups may have changed: its holder asks the provider (`look`). */
      readonly isStateNews?: boolean
    }

/** What happens on the phone to which a connection is linked: it read a code, or did away with the link. */
export type DeviceSignal =
  | { readonly act: 'scan'; readonly code: string; readonly number: string }
  | { readonly act: 'cut' | 'unlink' | 'replace' | 'ban' }

/** The end of a channel that is part of this installation: who would be called elsewhere is called here. */
export type LocalEnd = {
  /** Calls back for what happens on the linked phone, until what it answers is called. */
  onDevice?(connection: Connected, listener: (signal: DeviceSignal) => void): () => void
  /** Hands a message over, once however often it comes; says what became of it, or what its send fails with. */
  deliver(message: Outbound): Promise<'delivered' | 'unknown-number' | 'unreachable' | Error>
  act(action: ChannelAction): Promise<void>
  /** Returns the address of a number; null if it has none. */
  reaches?(about: ChannelQuestions['number']['about']): Promise<ChannelQuestions['number']['answer']>
  /** What it keeps of older conversations, and whom it knows, where it can say. */
  readonly answers?: {
    readonly [Q in 'chats' | 'history' | 'contacts' | 'groups' | 'templates' | keyof GroupQuestions]: (
      about: ChannelQuestions[Q]['about'],
    ) => Promise<ChannelQuestions[Q]['answer']>
  }
}

/** An answer over HTTP; `url` is the address that answered. */
export type FetchAnswer = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
}

/** An answer whose body is still to be read; what is silent or takes longer than it may ends with an error. */
export type StreamAnswer = Omit<FetchAnswer, 'body'> & { readonly body: Readable }

/** Under which ids the provider of a connection knows files, by what is in them (a text of the adapter's). */
export type Uploads = {
  find(content: string): Promise<string | null>
  save(content: string, providerId: string, days: number): Promise<void>
  forget(content: string): Promise<void>
}

/**
 * What an adapter works with. `fetch`, `stream` and `connect` go only where calls may go (decision B21), with time limits in
 * milliseconds and, where a certificate is not everybody's, `ca` (PEM); `readFile` opens the file of a message by its `path`; `environment` are the variables that its config names; `local` is there where a feature of this installation is the other end.
 */
export type ChannelTools = {
  readonly fetch: (
    address: string,
    request?: {
      method?: string
      headers?: Readonly<Record<string, string>>
      body?: string | Uint8Array | Readable
      answerMs?: number
      maxBytes?: number
      /** Ends it before its time. */
      signal?: AbortSignal
    },
  ) => Promise<FetchAnswer>
  readonly stream: (
    address: string,
    request?: {
      method?: string
      headers?: Readonly<Record<string, string>>
      body?: string
      answerMs?: number
      ca?: string | undefined
    },
  ) => Promise<StreamAnswer>
  readonly connect: (to: { host: string; port: number; tls: boolean; ca?: string | undefined }) => Promise<Duplex>
  /** The address to which a library may connect that opens its own connections; fails as `connect` does. */
  readonly addressOf: (host: string) => Promise<string>
  /** Whether such an address lies in an allowed network (`OUTBOUND_ALLOW`), where what is not encrypted may go. */
  readonly isNear: (address: string) => boolean
  readonly readFile: (path: string) => Readable
  /** Returns a link to a message's file, valid for an hour; null if the installation does not know its own address. */
  readonly linkTo: (tenantId: number, file: { readonly id: string; readonly name: string }) => string | null
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Settings shared by all connections at this provider, secrets decrypted; empty if unset. */
  readonly settings: ProviderValues
  /** What the provider holds of the connection's files; null where that is not kept. */
  readonly uploads: Uploads | null
  /** Where the provider calls for this connection; null where it does not, and without a connection. */
  readonly door: Door | null
  readonly now: () => Date
  readonly log: { warn(about: object, text: string): void }
  readonly local: LocalEnd | null
}

/**
 * The way in for the provider of one connection: its address under `PUBLIC_URL` (null where the installation does not know its
 * own), and what the provider may call the connection and keep as its secret, the same for as long as the connection is there.
 */
export type Door = { readonly url: string | null; readonly name: string; readonly secret: string }

/** What an open connection must not lose, as bytes or as anything that JSON can say. */
export type StateValue = Uint8Array | JsonValue

/** Entries by name (at most 200 characters) that change; undefined removes one. */
export type StateChanges = ReadonlyMap<string, StateValue | undefined>

/** What an adapter may use while its connection is open. All of it fails once the connection is another process's. */
export type Link = {
  /**
   * Resolves when one commit has written events and entries; only then acknowledge them to the provider. Calls are
   * processed in order. If it rejects, nothing was written, or that is unknown: the connection is closed and reopened,
   * so that memory and storage cannot differ.
   */
  emit(events: readonly LinkEvent[], changes?: StateChanges): Promise<void>
  /** Keys, cursors and the like, encrypted for this connection. */
  readonly state: {
    /** The entries that are there, of those asked for. */
    get(names: readonly string[]): Promise<Map<string, StateValue>>
    /** Forgets all entries: what was linked is linked no longer. */
    clear(): Promise<void>
  }
  /**
   * Reports the progress of the connection; `CONNECTED` lets messages out. `qrcode` comes with the code to show and its
   * lifetime. After six unread codes the product ends the opening.
   */
  status(status: 'qrcode' | 'PAIRING' | 'CONNECTED', about?: LinkStatus): Promise<void>
  /** The contact writes or records: shown at once, kept nowhere. */
  presence(about: Conversation & { readonly state: 'composing' | 'recording' | 'paused' }): Promise<void>
  /**
   * Says that what was kept for us while the connection was away has come in: once after each opening. `missing` is how many
   * of them the channel could not give; null where it cannot say.
   */
  caughtUp(missing: number | null): Promise<void>
  /** What was said by it before. */
  readonly ledger: Ledger
  /** What was sent here under a provider's id, for a device that could not read it; null where nothing was. */
  sent(providerId: string): Promise<Outbound | null>
  /** Since when it is away (epoch ms), asked before it is through; null where it is linked for the first time. */
  awaySince(): Promise<number | null>
  /** Whose connection it is. */
  readonly connection: Connected
  /** The digits of the number to link by a typed code; null: by a QR code. */
  readonly pairing: string | null
}

/** What goes with a status: the code to be read (or typed, `pairingCode`), for how many seconds, and the own address. */
export type LinkStatus = {
  readonly qrcode?: string
  readonly pairingCode?: string
  readonly seconds?: number
  readonly number?: string
}

/** A secret of a connection as it is from now on, by the name of its field, and until when (epoch ms). */
export type RenewedSecret = { readonly field: string; readonly secret: string; readonly until: number }

/** One connection to a channel, as the product speaks to it. */
export type ChannelAdapter = {
  /**
   * Opens what its config calls persistent, and lasts as long as it is open. However it ends, it is opened anew after a
   * while (by another instance), unless it fails with `needsPerson`.
   */
  open?(link: Link): Promise<void>
  /** Ends what `open` has begun, within seconds; what it opened by `connect` is cut afterwards. May come at any time. */
  close?(): Promise<void>
  /** Unlinks the device at the provider, before `close`; its state is forgotten afterwards, whatever comes of it. */
  logout?(): Promise<void>
  /** For an open connection: the provider reported a changed state. */
  look?(): void
  /** Has the provider call our door, whatever it called before. */
  setWebhook?(): Promise<void>
  /** Hands the message over; answers the provider's id. Throws a `SendFailure` made by one of the functions below. */
  send(message: Outbound): Promise<{ providerId: string }>
  act?(action: ChannelAction): Promise<void>
  /**
   * Opens a remote file as a stream, decrypted and verified while it is read, also while the connection is away. Throws
   * `refused` if the provider no longer has it; other errors are retried.
   */
  download?(pointer: JsonValue): Promise<Readable>
  ask?<Q extends keyof ChannelQuestions>(
    question: Q,
    about: ChannelQuestions[Q]['about'],
  ): Promise<ChannelQuestions[Q]['answer']>
  /** Hands such a mail over, from whichever process; fails as a send does. */
  continueByMail?(mail: ContinuationMail): Promise<void>
  readonly templates?: TemplateDesk
  readonly numbers?: NumberDesk
  readonly signup?: SignupDesk
  /** The accounts that what is set opens, asked of an adapter without values of its own; fails as a send does. */
  accounts?(): Promise<readonly GrantedAccount[]>
  /**
   * Reads a call of the provider; the signature is checked here, over the bytes. At an app's address the adapter is made
   * from what was filled in of the app (at the address of a provider's settings from nothing but them), and each event names
   * its account.
   */
  receive?(request: WebhookRequest): WebhookResult | Promise<WebhookResult>
  /** Tries whether the provider knows what was filled in, and says the number where it has one; a sentence for people when it does not. */
  test?(): Promise<{ ok: true; number?: string } | { ok: false; problem: string }>
  /** Has its provider give it a secret for another while, in place of one that ends; null where it has none that do. */
  renew?(): Promise<RenewedSecret | null>
  /** Opens a connection to its provider and ends it, or fails: what proxies are tried by. */
  reach?(): Promise<void>
  /**
   * The same for what is set once for all connections, asked of an adapter without values of its own; `note` says what was seen
   * where that is less than that everything is accepted.
   */
  testSettings?(): Promise<{ ok: true; note?: string } | { ok: false; problem: string }>
  /** What its provider is known to do amiss: virtual phones in its place can have it happen. */
  readonly faults?: readonly ProviderFault[]
}

/** Makes the adapter of one connection from what was filled in, secrets in the clear. */
export type MakeChannelAdapter = (values: ProviderValues, tools: ChannelTools) => ChannelAdapter

/** Makes the error that ends `open` when retrying is useless: the device was unlinked, the password is wrong. */
export const needsPerson = (message: string, cause: StopCause = 'refused'): Error =>
  Object.assign(new Error(message), { stopCause: cause })

/** Why only a person can help, where something thrown says that; null for everything else. */
export const stopCauseOf = (error: unknown): StopCause | null =>
  error instanceof Error && 'stopCause' in error ? (error.stopCause as StopCause) : null

/** Why a send failed: `refused` for good, `unreachable` before it went out, `unknown` when the answer was lost. */
export type SendFailure = Error & {
  readonly kind: 'refused' | 'unreachable' | 'unknown'
  /** Refused because the number went on too fast: conversations are begun more slowly from the third time on. */
  readonly isHaste?: boolean
  /** Refused because of an unpaid bill at the provider: administrators are notified. */
  readonly isUnpaid?: boolean
  /** The cause that stops the whole connection; its messages wait a day for a person. */
  readonly stops?: StopCause
  /** It is stopped already, and its messages wait a day as they do then. */
  readonly isStopped?: boolean
  /** What the provider said in its own words, for administrators alone. */
  readonly providerText?: string
  /** The contact has blocked us, or the group has put us out: that is noted of them. */
  readonly blocksUs?: boolean
  /** So long it is not to be asked again, where it says that. */
  readonly waitSeconds?: number
  /** The provider's id of the message, if it left: known beforehand where it follows from ours. */
  readonly providerId?: string
}

/** Whether something thrown is a `SendFailure`. */
export const isSendFailure = (error: unknown): error is SendFailure => error instanceof Error && 'kind' in error

/** Makes the error that a send ends with; the message is read by agents, and never a provider's own (decision A17). */
export const sendFailure = (
  kind: SendFailure['kind'],
  message: string,
  about: Pick<
    SendFailure,
    'isHaste' | 'isUnpaid' | 'stops' | 'isStopped' | 'providerText' | 'blocksUs' | 'waitSeconds' | 'providerId'
  > = {},
): SendFailure => Object.assign(new Error(message), { kind, ...about })
