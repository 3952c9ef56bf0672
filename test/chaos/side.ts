/** A request of a person's, of whichever web process lives. */
export type Insist = (path: string, body: object, method?: 'POST' | 'PUT') => Promise<unknown>

/** Those who write to a company by something that is not ours, and what reached them. */
export type Side = {
  readonly contacts: readonly string[]
  /** Nobody says what became of a message that was sent. */
  readonly isBare?: true
  /** Somebody writes, until the product has answered; again under the same id it is the same message. */
  write(contact: string, body: string, id: string): Promise<void>
  received(contact: string): readonly string[]
  /** How much of what became of messages is not published yet. */
  owed(): number
  /** Fills in a token that is worth something again, as an administrator would. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** What a gateway can be made to do for a while. */
export type GatewayFaults = { isSilent?: boolean; lostAnswers: number }
