import type { MessageData } from '#domain/messages/data.ts'
import type { HistoryMessage, ProviderTemplate } from '#providers/channels/port.ts'
import type { Product } from '#test/server.ts'

/** A file as it travels: its bytes in base64. */
export type RecordedFile = { readonly name: string; readonly mime: string; readonly base64: string }

/**
 * What a contact once sent, as the channel's own door was given it (`fixtures/<kind>.json`), and the message it became;
 * no payload where the channel carries the kind outwards only.
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
  /** Of a card, a place or buttons, where the channel has them as such. */
  readonly data?: MessageData | null
  readonly isForwarded?: boolean
  /** Its name is null where the channel carries none with files of that kind. */
  readonly file: { readonly name: string | null; readonly bytes: Uint8Array } | null
  /** How long a voice note is, and how many bars its waveform has; true where the channel says neither of one. */
  readonly voice?: { readonly seconds: number; readonly bars: number } | true | null
  readonly isSticker?: boolean
  /** It has a button by which the contact sends their place. */
  readonly asksLocation?: boolean
  /** Whether it is view-once. */
  readonly isOnce?: boolean
}

/** A company with an administrator, who answers. */
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
  /** The names of who is in it; the contact writes. */
  readonly members: readonly string[]
  /** Writes into it; `@Name` mentions as the channel does it. */
  write(body: string): Promise<void>
  /**
   * Edits or revokes the message with that id as a member, whoever its author is, since a device may claim anything. Null if
   * the channel does not name the member who acts in a group.
   */
  readonly act: ((member: string, providerId: string, act: ContactAct) => Promise<void>) | null
  /** Who runs the group lets the company's number run it as well; where the channel has group tools. */
  readonly promoteUs?: () => Promise<void>
  /** What the team wrote into it, with whom that mentions there. */
  arrived(): Promise<
    readonly { readonly body: string; readonly mentions: readonly string[]; readonly everyone: boolean }[]
  >
}

/**
 * The contact's side of a channel, at the true far end of its protocol: what they send, what reaches them, what their
 * device confirms. Messages are named by the channel's own ids.
 */
export type ContactEnd = {
  readonly connectionId: number
  /** Sends what was recorded, anew; `quotes` answers a message. */
  write(recorded: Recorded, quotes?: string): Promise<void>
  arrived(): Promise<readonly Arrived[]>
  /** The device says that a message was delivered, read or played. */
  confirm(status: 'delivered' | 'read' | 'played', id: string): Promise<void>
  /** Whether the contact sees the typing indicator. */
  seesTyping(): boolean
  /** What the channel did to a message: its text after an edit, null once it was taken back, its reaction. */
  changes?(id: string): Promise<{ body: string | null; reaction: string | null }>
  /** The contact edits or takes back a message of theirs, reacts to one, or presses a button of one. */
  act?(message: { readonly id: string; readonly providerId: string }, act: ContactAct): Promise<void>
  /** What of that the channel tells nobody. */
  readonly untold?: readonly ContactAct['act'][]
  /** The contact votes in a poll of the team's. */
  vote?(id: string, options: readonly string[]): Promise<void>
  /** Calls; answers whether the team has refused it by now. */
  ring?(): Promise<() => boolean>
  /** The contact, who is red from the start, gives themselves another picture, or takes it away. */
  look?(picture: Uint8Array | null): Promise<void>
  /** Makes a group, where the channel has them. */
  openGroup?(): Promise<GroupEnd>
  /** The own phone reads (or types) the code that the connection shows, where a device is linked. */
  scan?(code: string): Promise<void>
  /** The contact comments in public. */
  comment?(text: string): Promise<void>
  /** Writes about something else, where that is another conversation; answers when it has left. */
  openThread?(text: string): Promise<void>
  /** As if the contact had said nothing for so long, in ms. */
  silentFor?(ms: number): void
  /**
   * The provider's answers to sends that say this are lost; it tells of that one by itself when asked to, whatever else left
   * meanwhile.
   */
  loseAnswer?(body: string): void
  tellOfLost?(body: string): Promise<void>
  /** What the far end knows: numbers it reaches, what was said before, its templates. */
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
