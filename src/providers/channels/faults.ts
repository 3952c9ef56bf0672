import type { StopCause } from '#domain/connections/causes.ts'
import type { ProviderEvent } from './events.ts'

/** A message of the team that a virtual phone was to get: under which id the channel knows it, and whose the phone is. */
export type ForPhone = {
  readonly messageId: string
  readonly conversationKey: string
  readonly body: string
  /** The phone's number, or the mailbox's address. */
  readonly to: string
  readonly now: Date
}

/** What is told, so many milliseconds from now. */
export type Report = { readonly afterMs: number; readonly events: readonly ProviderEvent[] }

type Inbound = Extract<ProviderEvent, { type: 'message' }>

/**
 * Something that a provider is known to do amiss, for virtual phones in its place: it happens once, and is read as its adapter
 * reads it. One that only `fails` has taken nothing.
 */
export type ProviderFault = {
  /** Names it among those of its channel. */
  readonly id: string
  /** What it is called, and what happens then: in Portuguese. */
  readonly label: string
  readonly effect: string
  /** At once: the provider lets nothing pass any more. */
  readonly stops?: StopCause
  /** What the send of the next message to the phone fails with, a `SendFailure`. */
  fails?(): Error
  /** What is told of the next message to the phone in place of its receipts; `isReportedFirst`: before its sender has the answer. */
  reports?(message: ForPhone): readonly ProviderEvent[]
  readonly isReportedFirst?: true
  /** That message does not arrive at the phone. */
  readonly isLost?: true
  /** As what, and when, the next message of the phone comes. */
  arrives?(event: Inbound): readonly Report[]
}
