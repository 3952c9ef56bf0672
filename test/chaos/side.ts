import type { ImapPeer } from '#test/peers/imap/server.ts'
import type { TcpProxy } from '#test/peers/tcp-proxy.ts'

/** A request of a person's, of whichever web process lives. */
export type Insist = (path: string, body: object, method?: 'POST' | 'PUT') => Promise<unknown>

/** Other end of a channel outside of the product, with its contacts and the messages that reached them. */
export type Side = {
  readonly contacts: readonly string[]
  /** Set if the channel sends no receipts. */
  readonly isBare?: true
  /** Whether it is always known if a message was sent. */
  readonly isSure: boolean
  /** Writes a message of a contact, repeated until the product has responded; a repeated `id` is the same message. */
  write(contact: string, body: string, id: string): Promise<void>
  received(contact: string): readonly string[]
  /** Number of receipts that are not published yet. */
  owed(): number
  /** Fills in a valid token, as an administrator would. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** Faults of a gateway, and the line to it. */
export type GatewayFaults = { readonly line: TcpProxy; readonly faults: { isBusy?: boolean; lostAnswers: number } }
/** Faults of a mailbox: its server, and the lines to it and to the SMTP server. */
export type MailFaults = {
  readonly imap: ImapPeer
  readonly lines: readonly TcpProxy[]
  readonly faults: { lostAnswers: number; isBusy: boolean }
}

/** Faults of site visitors: the line to the installation, and sending all messages again. */
export type VisitorFaults = { readonly line: TcpProxy; again(seed: number): void }
