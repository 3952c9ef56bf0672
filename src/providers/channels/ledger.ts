import type { MessageData } from '#domain/messages/data.ts'

/** A message that its provider, or we, know by an id: where it stands. `messageId` is null while it waits in the journal. */
export type KnownMessage = {
  readonly messageId: string | null
  /** Null of one of ours whose answer was lost, or is still to come. */
  readonly providerId: string | null
  readonly conversationKey: string
  readonly data: MessageData | null
  /** The other connection whose conversation went on by mail; null of the connection's own. */
  readonly elsewhere: number | null
}

/** A message as its connection wrote or got it; times in epoch ms. */
export type LedgerMessage = Omit<KnownMessage, 'elsewhere'> & {
  readonly fromMe: boolean
  /** Nobody wrote it. */
  readonly isAutomatic: boolean
  readonly timestamp: number
  readonly body: string
}

/** What the ledger knows of one connection, for channels whose conversations are found by what was said before. */
export type Ledger = {
  /**
   * Those of some messages that are known, by the provider's ids or by ours, at most a thousand of each; of other connections
   * those that went, or came, by mail.
   */
  known(ids: {
    readonly providerIds: readonly string[]
    readonly messageIds: readonly string[]
  }): Promise<readonly KnownMessage[]>
  /** The newest messages of a conversation that reached the contact or came from them, newest first, at most fifty. */
  conversation(key: string): Promise<readonly LedgerMessage[]>
  /** The same of all conversations with whoever is at an address, since a moment (epoch ms), at most two hundred. */
  withSender(identity: string, since: number): Promise<readonly LedgerMessage[]>
  /** Our ids of what was handed over in the last two days and not answered. */
  unanswered(): Promise<readonly string[]>
  /**
   * Stores a file that an event is going to name (`fileId`); null where its kind is not taken, or it is too large.
   * `acceptsPrograms`: what would be refused as a program is kept, of the MIME type `PROGRAM`.
   */
  store(file: {
    readonly name: string
    readonly bytes: Uint8Array
    readonly maxBytes: number
    readonly acceptsPrograms?: boolean
  }): Promise<{ readonly id: string; readonly mime: string; readonly size: number } | null>
}
