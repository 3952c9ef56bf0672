import type { MessageData } from '#domain/messages/data.ts'

/** Message found by its provider id or ours, with its conversation. `messageId` is null while it waits in the journal. */
export type KnownMessage = {
  readonly messageId: string | null
  /** Provider id; null for a message of ours whose response is lost or pending. */
  readonly providerId: string | null
  readonly conversationKey: string
  readonly data: MessageData | null
  /** Id of the other connection whose conversation was continued by this mail; null for the connection's own messages. */
  readonly elsewhere: number | null
}

/** Message of a connection, in or out; times in epoch ms. */
export type LedgerMessage = Omit<KnownMessage, 'elsewhere'> & {
  readonly fromMe: boolean
  /** Whether it was sent automatically. */
  readonly isAutomatic: boolean
  readonly timestamp: number
  readonly body: string
}

/** Port to the earlier messages of a connection, for channels that find conversations by them. */
export type Ledger = {
  /**
   * Returns the known ones among messages, by provider ids or our ids, at most a thousand of each; of other connections only
   * those that were exchanged by mail.
   */
  known(ids: {
    readonly providerIds: readonly string[]
    readonly messageIds: readonly string[]
  }): Promise<readonly KnownMessage[]>
  /** Returns the newest messages of a conversation that the contact received or sent, newest first, at most fifty. */
  conversation(key: string): Promise<readonly LedgerMessage[]>
  /**
   * Returns the newest messages of all conversations with the person at an address since a time (epoch ms), at most two
   * hundred.
   */
  withSender(identity: string, since: number): Promise<readonly LedgerMessage[]>
  /** Returns our ids of the messages sent in the last two days without a response. */
  unanswered(): Promise<readonly string[]>
  /**
   * Stores a file for a later event (`fileId`); null if its kind is not accepted or it is too large. `acceptsPrograms`:
   * files refused as programs are stored with the MIME type `PROGRAM`.
   */
  store(file: {
    readonly name: string
    readonly bytes: Uint8Array
    readonly maxBytes: number
    readonly acceptsPrograms?: boolean
  }): Promise<{ readonly id: string; readonly mime: string; readonly size: number } | null>
}
