import type { ImapPeer } from '#test/peers/imap/server.ts'
import type { TcpProxy } from '#test/peers/tcp-proxy.ts'

/** A request of a person's, of whichever web process lives. */
export type Insist = (path: string, body: object, method?: 'POST' | 'PUT') => Promise<unknown>

/** Those who write to a company by something that is not ours, and what reached them. */
export type Side = {
  readonly contacts: readonly string[]
  /** Nobody says what became of a message that was sent. */
  readonly isBare?: true
  /** Whether a message has left is always known. */
  readonly isSure: boolean
  /** Somebody writes, until the product has answered; again under the same id it is the same message. */
  write(contact: string, body: string, id: string): Promise<void>
  received(contact: string): readonly string[]
  /** How much of what became of messages is not published yet. */
  owed(): number
  /** Fills in a token that is worth something again, as an administrator would. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** What a gateway can be made to do for a while, and the line by which it is reached. */
export type GatewayFaults = { readonly line: TcpProxy; readonly faults: { isBusy?: boolean; lostAnswers: number } }
/** The same of a mailbox: its server, and the lines to it and to the one that sends. */
export type MailFaults = {
  readonly imap: ImapPeer
  readonly lines: readonly TcpProxy[]
  readonly faults: { lostAnswers: number; isBusy: boolean }
}

/** The same of whoever visits a site: the line by which the installation is reached, and saying everything once more. */
export type VisitorFaults = { readonly line: TcpProxy; again(seed: number): void }
