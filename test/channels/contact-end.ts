import type { MessageData } from '#domain/messages/data.ts'
import type { HistoryMessage, ProviderTemplate } from '#providers/channels/port.ts'
import type { Product } from '#test/server.ts'

/** A file as it travels: its bytes in base64. */
export type RecordedFile = { readonly name: string; readonly mime: string; readonly base64: string }

/**
 * Recorded message of a contact, as the channel's webhook or adapter receives it (`fixtures/<kind>.json`), and the resulting
 * message; no payload if the channel only sends the kind.
 */
export type Recorded = {
  readonly payload: Readonly<Record<string, unknown>> | null
  readonly file?: RecordedFile
  readonly becomes: { readonly type: string; readonly body: string }
}

/** A message of the team as it arrived at the contact. */
export type Arrived = {
  readonly id: string
  readonly body: string
  readonly quotes: string | null
  /** Data of a card, a location or buttons, if the channel supports them. */
  readonly data?: MessageData | null
  readonly isForwarded?: boolean
  /** Received file; its name is null if the channel has no names for files of that kind. */
  readonly file: { readonly name: string | null; readonly bytes: Uint8Array } | null
  /** Length and number of waveform bars of a voice note; true if the channel reports neither. */
  readonly voice?: { readonly seconds: number; readonly bars: number } | true | null
  readonly isSticker?: boolean
  /** Whether it has a button with which the contact sends their location. */
  readonly asksLocation?: boolean
  /** Whether it is view-once. */
  readonly isOnce?: boolean
}

/** Company with an administrator, who replies. */
export type Company = { readonly tenantId: number; readonly adminId: number; readonly token: string }

/** Action of a contact on a message. */
export type ContactAct =
  | { readonly act: 'edit'; readonly body: string }
  | { readonly act: 'revoke' }
  | { readonly act: 'react'; readonly reaction: string }
  | { readonly act: 'press'; readonly buttonId: string }

/** A group on the channel with the contact and another member. */
export type GroupEnd = {
  readonly conversationKey: string
  readonly name: string
  /** Names of the members; the contact writes. */
  readonly members: readonly string[]
  /** Writes a message into the group; `@Name` mentions as the channel does. */
  write(body: string): Promise<void>
  /**
   * Edits or revokes the message with that id as a member, whoever its author is, since a device may claim anything. Null if
   * the channel does not name the member who acts in a group.
   */
  readonly act: ((member: string, providerId: string, act: ContactAct) => Promise<void>) | null
  /** Makes the company's number an administrator of the group; set if the channel has group tools. */
  readonly promoteUs?: () => Promise<void>
  /** Returns the team's messages in the group, with their mentions. */
  arrived(): Promise<
    readonly { readonly body: string; readonly mentions: readonly string[]; readonly everyone: boolean }[]
  >
}

/**
 * Contact's side of a channel, at the real far end of its protocol: sends, received messages, receipts of their device.
 * Messages are named by the channel's own ids.
 */
export type ContactEnd = {
  readonly connectionId: number
  /** Sends a recorded message again under a new id; `quotes` makes it a reply. */
  write(recorded: Recorded, quotes?: string): Promise<void>
  arrived(): Promise<readonly Arrived[]>
  /** Confirms that a message was delivered, read or played. */
  confirm(status: 'delivered' | 'read' | 'played', id: string): Promise<void>
  /** Whether the contact sees the typing indicator. */
  seesTyping(): boolean
  /** Returns the changes to a message at the contact: its edited text (null once revoked), and its reaction. */
  changes?(id: string): Promise<{ body: string | null; reaction: string | null }>
  /** Edits or revokes a message of the contact, reacts to a message, or presses one of its buttons. */
  act?(message: { readonly id: string; readonly providerId: string }, act: ContactAct): Promise<void>
  /** Actions that the channel does not report. */
  readonly untold?: readonly ContactAct['act'][]
  /** Votes in a poll of the team. */
  vote?(id: string, options: readonly string[]): Promise<void>
  /** Calls; returns a function that tells if the team has rejected the call. */
  ring?(): Promise<() => boolean>
  /** Changes the contact's picture, which is red at first, or removes it. */
  look?(picture: Uint8Array | null): Promise<void>
  /** Creates a group, if the channel has groups. */
  openGroup?(): Promise<GroupEnd>
  /** Scans (or types) the code of the connection with the company's phone, if the channel links devices. */
  scan?(code: string): Promise<void>
  /** Writes a public comment. */
  comment?(text: string): Promise<void>
  /** Writes about another subject, which begins another conversation; resolves when it was sent. */
  openThread?(text: string): Promise<void>
  /** Backdates the contact's last message by `ms`. */
  silentFor?(ms: number): void
  /**
   * Loses the provider's responses to sends of this text; `tellOfLost` later reports that send, whatever was sent meanwhile.
   */
  loseAnswer?(body: string): void
  tellOfLost?(body: string): Promise<void>
  /** Data of the far end: a reachable number, the history, the templates. */
  readonly knows?: {
    readonly number?: { readonly given: string; readonly identity: string }
    readonly history?: readonly HistoryMessage[]
    readonly templates?: readonly ProviderTemplate[]
    readonly name?: string
  }
  close(): Promise<void>
}

/** Connects a contact to a channel of a company. */
export type OpenContactEnd = (product: Product, company: Company) => Promise<ContactEnd>
