import type { StopCause } from '#domain/connections/causes.ts'
import type { ProviderEvent } from './events.ts'

/** Message of the team to a virtual phone, with its id on the channel. */
export type ForPhone = {
  readonly messageId: string
  readonly conversationKey: string
  readonly body: string
  /** The phone's number, or the mailbox's address. */
  readonly to: string
  readonly now: Date
}

/** Events to report after a delay in milliseconds. */
export type Report = { readonly afterMs: number; readonly events: readonly ProviderEvent[] }

type Inbound = Extract<ProviderEvent, { type: 'message' }>

/**
 * Known fault of a provider, simulated once by virtual phones in its place, and read as by its adapter. A fault with `fails`
 * only has taken nothing.
 */
export type ProviderFault = {
  /** Id within its channel. */
  readonly id: string
  /** Name and effect, in Portuguese. */
  readonly label: string
  readonly effect: string
  /** Cause that stops the connection at once. */
  readonly stops?: StopCause
  /** Returns the error that the next send to the phone fails with, a `SendFailure`. */
  fails?(): Error
  /**
   * Returns the events of the next message to the phone in place of its receipts; `isReportedFirst`: before the response to
   * its sender.
   */
  reports?(message: ForPhone): readonly ProviderEvent[]
  readonly isReportedFirst?: true
  /** Whether that message does not reach the phone. */
  readonly isLost?: true
  /** Returns the events of the phone's next message and their delays. */
  arrives?(event: Inbound): readonly Report[]
}
