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

/** Outgoing message. */
export type Outbound = {
  readonly tenantId: number
  readonly connectionId: number
  readonly conversationKey: string
  /** Our message id; the provider's idempotency key if it takes one. */
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
    /** Waveform of a voice note: 64 volumes of 0–100. */
    readonly waveform: readonly number[] | null
  } | null
  readonly quotedProviderId: string | null
  /** Quoted message, if more than its id is known. */
  readonly quoted: {
    readonly providerId: string
    readonly fromMe: boolean
    readonly body: string
    /** Identity of its author in a group. */
    readonly author: string | null
  } | null
  /** Data of a contact card, a location, or buttons. */
  readonly data: MessageData | null
  readonly isForwarded: boolean
  /** Album of a picture or film, with the number of each. */
  readonly album: { readonly id: string; readonly images: number; readonly videos: number } | null
  /** Mentions of a group message; their names are in the body behind an `@`. Null: none. */
  readonly mentions: MessageMentions | null
  readonly userName: string | null
  readonly timestamp: number
  /** Sent automatically, without a person as author. */
  readonly isAutomatic: boolean
  /** Whether a person writes after the window has closed, and is marked as such. */
  readonly isHumanAgent: boolean
  /** Provider id of the public comment that the message answers in private to its author. */
  readonly commentId: string | null
}

/** Mail that continues a conversation of another channel whose contact has left; answers to it come in by `link.ledger`. */
export type ContinuationMail = {
  /** Our id, from which the Message-ID is made; unique per mail. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Ids of the preceding mails, oldest first: our ids, or Message-IDs of others. */
  readonly references: readonly string[]
  readonly files: readonly { readonly name: string; readonly mime: string; readonly path: string }[]
}

type Connected = { readonly tenantId: number; readonly connectionId: number }
type Conversation = { readonly conversationKey: string }
/** Message to act on; `author` is the identity of its author in a group, null in other conversations and for our own. */
type OfMessage = Conversation & { readonly providerId: string; readonly author: string | null }

/** Action on a channel other than sending; idempotent, and fails with a `SendFailure`. */
export type ChannelAction = Connected &
  (
    | (Conversation & { readonly type: 'presence'; readonly state: 'composing' | 'recording' | 'paused' })
    | (Conversation & { readonly type: 'read' })
    | (OfMessage & { readonly type: 'edit'; readonly body: string; readonly mentions: MessageMentions | null })
    | (OfMessage & { readonly type: 'revoke' })
    | (OfMessage & { readonly type: 'react'; readonly emoji: string | null; readonly fromMe: boolean })
  )

/** Queries of a channel with their parameters and answers. */
export type ChannelQuestions = GroupQuestions & {
  /** Address of a number on the channel; null if it is not reached. */
  number: { about: Connected & { number: string }; answer: { identity: string } | null }
  /** Picture of a contact or group; null if there is none, or it is hidden from us. */
  picture: { about: { identity: string }; answer: Uint8Array | null }
  /** Name of a contact; null if it is not available. */
  name: { about: { identity: string }; answer: string | null }
  groups: { about: Connected; answer: readonly { key: string; name: string }[] }
  /** Page of the contacts that the channel knows by name; `next`: cursor of the next page (null: last page). */
  contacts: {
    about: Connected & { after: string | null }
    answer: { contacts: readonly { identity: string; name: string; number: string | null }[]; next: string | null }
  }
  /** Page of the conversations stored on the channel; `next`: cursor of the next page (null: last page). */
  chats: {
    about: Connected & { after: string | null }
    answer: { chats: readonly string[]; next: string | null; total: number | null }
  }
  /**
   * Up to `limit` messages of a conversation, newest page first, each page in order of time; `before`: cursor of the next
   * page.
   */
  history: {
    about: Connected & Conversation & { before: string | null; limit: number }
    answer: { messages: readonly HistoryMessage[]; before: string | null }
  }
  /** Asks the sender of a file to upload it again; returns the new pointer, null if they no longer have it. */
  media: { about: { pointer: JsonValue }; answer: { pointer: JsonValue } | null }
  /** Refuses a ringing call; false if it no longer rings. */
  refuseCall: { about: { callId: string }; answer: boolean }
  /** Returns all message templates of the account. */
  templates: { about: Record<never, never>; answer: readonly ProviderTemplate[] }
}

/** Webhook call of the provider, byte for byte; `url` is the called address. */
export type WebhookRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Event with its account, if a provider's calls cover several accounts (`connections.number`). */
export type AccountEvent = { readonly account?: string; readonly event: ProviderEvent }

/** Result of reading a webhook call, with the response (default: 200 and "ok"). */
export type WebhookResult =
  /** `isHandshake`: the verification token was wrong, not a signature (403 instead of 401). */
  | { readonly isGenuine: false; readonly isHandshake?: true }
  | {
      readonly isGenuine: true
      readonly events: readonly AccountEvent[]
      readonly answer?: { readonly contentType: string; readonly body: string }
      /** Names of the parts of the call that are of unsupported kinds. */
      readonly unread?: readonly string[]
      /** News about message templates. */
      readonly templates?: readonly TemplateNews[]
      /** News about numbers. */
      readonly numbers?: readonly NumberNews[]
      /** The state of the connection or its groups may have changed: its holder asks the provider (`look`). */
      readonly isStateNews?: boolean
    }

/** Event on the phone that a connection is linked to: a code was scanned, or the link cut, removed, replaced or banned. */
export type DeviceSignal =
  | { readonly act: 'scan'; readonly code: string; readonly number: string }
  | { readonly act: 'cut' | 'unlink' | 'replace' | 'ban' }

/** Local replacement of a channel's provider within this installation. */
export type LocalEnd = {
  /** Subscribes to events of the linked phone; returns an unsubscribe function. */
  onDevice?(connection: Connected, listener: (signal: DeviceSignal) => void): () => void
  /** Delivers a message, once even if called repeatedly; returns the result, or the error that its send fails with. */
  deliver(message: Outbound): Promise<'delivered' | 'unknown-number' | 'unreachable' | Error>
  act(action: ChannelAction): Promise<void>
  /** Returns the address of a number; null if it has none. */
  reaches?(about: ChannelQuestions['number']['about']): Promise<ChannelQuestions['number']['answer']>
  /** Answers to queries about stored conversations, contacts, groups and templates, where it has them. */
  readonly answers?: {
    readonly [Q in 'chats' | 'history' | 'contacts' | 'groups' | 'templates' | keyof GroupQuestions]: (
      about: ChannelQuestions[Q]['about'],
    ) => Promise<ChannelQuestions[Q]['answer']>
  }
}

/** HTTP response; `url` is the address that answered. */
export type FetchAnswer = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
}

/** HTTP response with an unread body; a stalled or overlong one ends with an error. */
export type StreamAnswer = Omit<FetchAnswer, 'body'> & { readonly body: Readable }

/** Cache of the provider ids of uploaded files, by a content key of the adapter. */
export type Uploads = {
  find(content: string): Promise<string | null>
  save(content: string, providerId: string, days: number): Promise<void>
  forget(content: string): Promise<void>
}

/**
 * Tools of an adapter. `fetch`, `stream` and `connect` reach allowed addresses only (decision B21), with time-outs in ms
 * and, for a private certificate authority, `ca` (PEM); `readFile` opens a message's file by its `path`; `environment` has
 * the variables named in the config; `local` is set if a feature of this installation replaces the provider.
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
      /** Aborts the request. */
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
  /** Returns the checked address to connect to, for libraries that open their own connections; fails as `connect` does. */
  readonly addressOf: (host: string) => Promise<string>
  /** Whether an address is in an allowed network (`OUTBOUND_ALLOW`), where unencrypted traffic is permitted. */
  readonly isNear: (address: string) => boolean
  readonly readFile: (path: string) => Readable
  /** Returns a link to a message's file, valid for an hour; null if the installation does not know its own address. */
  readonly linkTo: (tenantId: number, file: { readonly id: string; readonly name: string }) => string | null
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Settings shared by all connections at this provider, secrets decrypted; empty if unset. */
  readonly settings: ProviderValues
  /** Cache of files uploaded to the provider; null if not cached. */
  readonly uploads: Uploads | null
  /** Webhook of the connection; null if the provider does not call, and without a connection. */
  readonly door: Door | null
  readonly now: () => Date
  readonly log: { warn(about: object, text: string): void }
  readonly local: LocalEnd | null
}

/**
 * Webhook of one connection: its URL under `PUBLIC_URL` (null if that is unset), and the connection's name and secret for
 * the provider, constant for its lifetime.
 */
export type Door = { readonly url: string | null; readonly name: string; readonly secret: string }

/** Value of an open connection's persistent state: bytes or JSON. */
export type StateValue = Uint8Array | JsonValue

/** Changed entries by name (at most 200 characters); undefined removes an entry. */
export type StateChanges = ReadonlyMap<string, StateValue | undefined>

/** Operations of an adapter while its connection is open; all fail once another process holds the connection. */
export type Link = {
  /**
   * Resolves when one commit has written events and entries; only then acknowledge them to the provider. Calls are
   * processed in order. If it rejects, nothing was written, or that is unknown: the connection is closed and reopened,
   * so that memory and storage cannot differ.
   */
  emit(events: readonly LinkEvent[], changes?: StateChanges): Promise<void>
  /** Persistent state such as keys and cursors, encrypted for the connection. */
  readonly state: {
    /** Returns the existing entries among the names. */
    get(names: readonly string[]): Promise<Map<string, StateValue>>
    /** Deletes all entries, after the device was unlinked. */
    clear(): Promise<void>
  }
  /**
   * Reports the progress of the connection; `CONNECTED` starts sending. `qrcode` has the code to show and its lifetime.
   * After six unread codes the connection attempt ends.
   */
  status(status: 'qrcode' | 'PAIRING' | 'CONNECTED', about?: LinkStatus): Promise<void>
  /** Reports that the contact is typing or recording; shown at once, not stored. */
  presence(about: Conversation & { readonly state: 'composing' | 'recording' | 'paused' }): Promise<void>
  /**
   * Reports that messages stored during the outage have arrived, once after each opening. `missing`: number of messages that
   * the channel could not deliver; null if unknown.
   */
  caughtUp(missing: number | null): Promise<void>
  /** Earlier messages of the connection. */
  readonly ledger: Ledger
  /** Returns the message sent from here under a provider id, for a device that could not decrypt it; null if there is none. */
  sent(providerId: string): Promise<Outbound | null>
  /** Returns the beginning of the outage (epoch ms), to be called before `CONNECTED`; null on the first linking. */
  awaySince(): Promise<number | null>
  /** Tenant and id of the connection. */
  readonly connection: Connected
  /** Digits of the number to link by a typed code; null: by QR code. */
  readonly pairing: string | null
}

/** Details of a status: the code to scan (or to type, `pairingCode`), its lifetime in seconds, and the own address. */
export type LinkStatus = {
  readonly qrcode?: string
  readonly pairingCode?: string
  readonly seconds?: number
  readonly number?: string
}

/** Renewed secret of a connection, by its field, and its expiry (epoch ms). */
export type RenewedSecret = { readonly field: string; readonly secret: string; readonly until: number }

/** Port to one connection of a channel. */
export type ChannelAdapter = {
  /**
   * Opens a persistent connection; pending as long as it is open. However it ends, it is reopened after a delay (by another
   * instance), unless it fails with `needsPerson`.
   */
  open?(link: Link): Promise<void>
  /** Closes what `open` opened, within seconds; connections by `connect` are cut afterwards. May be called at any time. */
  close?(): Promise<void>
  /** Unlinks the device at the provider, before `close`; the stored state is deleted afterwards in any case. */
  logout?(): Promise<void>
  /** Called on an open connection when the provider reports a changed state. */
  look?(): void
  /** Registers our webhook at the provider, replacing any other. */
  setWebhook?(): Promise<void>
  /** Sends a message; returns its provider id. Throws a `SendFailure` made by one of the functions below. */
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
  /** Sends a continuation mail, from any process; fails with a `SendFailure`. */
  continueByMail?(mail: ContinuationMail): Promise<void>
  readonly templates?: TemplateDesk
  readonly numbers?: NumberDesk
  readonly signup?: SignupDesk
  /** Returns the accounts that the settings give access to, called on an adapter without values; fails with a `SendFailure`. */
  accounts?(): Promise<readonly GrantedAccount[]>
  /**
   * Reads a webhook call and checks its signature over the bytes. At an app's address the adapter is created from the app's
   * fields, at the address of provider settings from those alone; each event names its account.
   */
  receive?(request: WebhookRequest): WebhookResult | Promise<WebhookResult>
  /** Tests the values at the provider; returns the number if there is one, or the problem as a sentence. */
  test?(): Promise<{ ok: true; number?: string } | { ok: false; problem: string }>
  /** Renews an expiring secret at the provider; null if it does not expire. */
  renew?(): Promise<RenewedSecret | null>
  /** Connects to the provider and disconnects, or fails; used to test proxies. */
  reach?(): Promise<void>
  /**
   * Tests the settings for all connections, on an adapter without values; `note` says what was checked if less than
   * everything.
   */
  testSettings?(): Promise<{ ok: true; note?: string } | { ok: false; problem: string }>
  /** Known faults of the provider, which virtual phones in its place can simulate. */
  readonly faults?: readonly ProviderFault[]
}

/** Creates the adapter of one connection from its values, with secrets in the clear. */
export type MakeChannelAdapter = (values: ProviderValues, tools: ChannelTools) => ChannelAdapter

/** Creates the error that ends `open` when retries are useless: the device was unlinked, the password is wrong. */
export const needsPerson = (message: string, cause: StopCause = 'refused'): Error =>
  Object.assign(new Error(message), { stopCause: cause })

/** Returns the stop cause of an error that only a person can resolve; null for other errors. */
export const stopCauseOf = (error: unknown): StopCause | null =>
  error instanceof Error && 'stopCause' in error ? (error.stopCause as StopCause) : null

/** Failure of a send: `refused` permanently, `unreachable` before it was sent, `unknown` if the response was lost. */
export type SendFailure = Error & {
  readonly kind: 'refused' | 'unreachable' | 'unknown'
  /** Refused because the number sends too fast; from the third time on new conversations are started more slowly. */
  readonly isHaste?: boolean
  /** Refused because of an unpaid bill at the provider: administrators are notified. */
  readonly isUnpaid?: boolean
  /** Cause that stops the whole connection; its messages wait a day for a person. */
  readonly stops?: StopCause
  /** Whether the connection is already stopped; its messages wait a day as well. */
  readonly isStopped?: boolean
  /** Error text of the provider, for administrators only. */
  readonly providerText?: string
  /** Whether the contact has blocked us, or the group has removed us; stored with the contact. */
  readonly blocksUs?: boolean
  /** Seconds until the next attempt, if the provider says so. */
  readonly waitSeconds?: number
  /** Provider id of the message, if it was sent; known beforehand if it is derived from ours. */
  readonly providerId?: string
}

/** Whether something thrown is a `SendFailure`. */
export const isSendFailure = (error: unknown): error is SendFailure => error instanceof Error && 'kind' in error

/** Creates the error of a failed send; the message is for agents, and never the provider's own (decision A17). */
export const sendFailure = (
  kind: SendFailure['kind'],
  message: string,
  about: Pick<
    SendFailure,
    'isHaste' | 'isUnpaid' | 'stops' | 'isStopped' | 'providerText' | 'blocksUs' | 'waitSeconds' | 'providerId'
  > = {},
): SendFailure => Object.assign(new Error(message), { kind, ...about })
