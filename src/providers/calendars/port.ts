import type { ProviderConfig, ProviderValues } from '#kit/provider.ts'

/** Config of a calendar provider, as data that the browser may read. */
export type CalendarConfig = ProviderConfig & {
  /** Environment variables that its adapter reads. */
  readonly environment: readonly string[]
  /** Instructions for starting, in a sentence or two. */
  readonly help: string
}

/** Time of an event: two instants (epoch ms), or whole days (`YYYY-MM-DD`), including the last one. */
export type Span =
  | { readonly isAllDay: false; readonly start: number; readonly end: number }
  | { readonly isAllDay: true; readonly firstDay: string; readonly lastDay: string }

/** Attendee; `response` is '' while it is unknown. */
export type Attendee = {
  readonly email: string
  readonly name: string
  readonly response: '' | 'accepted' | 'declined' | 'tentative' | 'needsAction'
}

/** Event as stored in the calendar. */
export type RemoteEvent = {
  readonly remoteId: string
  readonly etag: string
  readonly span: Span
  readonly summary: string
  readonly description: string
  readonly location: string
  readonly attendees: readonly Attendee[]
  /** Minutes before the start; null: the calendar's default reminders. */
  readonly reminderMinutes: number | null
  /** URL of the video call; '' if there is none. */
  readonly meetUrl: string
  /** URL of the event at the provider; '' if there is none. */
  readonly url: string
  /** Whether only its owner may see the details. */
  readonly isPrivate: boolean
  /** Whether the event belongs to a series. */
  readonly isRecurring: boolean
  /** Whether the account may change the event. */
  readonly isEditable: boolean
  /** Stamp of our latest change that the event has (`EventDraft.stamp`); null: none. */
  readonly stamp: number | null
}

/** Change of an event: its new state, or null if deleted. */
export type RemoteChange = { readonly remoteId: string; readonly event: RemoteEvent | null }

/** Page of changes. `next` requests the following page; `cursor`, on the last page, requests later changes. */
export type ChangePage = {
  readonly changes: readonly RemoteChange[]
  readonly next: string | null
  readonly cursor: string | null
}

/** Desired state of an event. */
export type EventDraft = {
  readonly summary: string
  readonly description: string
  readonly location: string
  readonly span: Span
  readonly timeZone: string
  readonly attendees: readonly Attendee[]
  readonly reminderMinutes: number | null
  /** Change of the video call. */
  readonly meet: 'keep' | 'add' | 'remove'
  /** Whether attendees are notified by e-mail. */
  readonly notifies: boolean
  /** Number that rises with every change of ours. */
  readonly stamp: number
}

/**
 * Reason of a failed call: consent revoked or incomplete (`revoked`), app or calendar unknown (`setup`), cursor expired
 * (`cursor`), id taken (`taken`), event deleted (`gone`) or changed at the provider (`changed`), rate limit or no response
 * (`later`), input rejected (`refused`).
 */
export type CalendarProblem = 'revoked' | 'setup' | 'cursor' | 'taken' | 'gone' | 'changed' | 'later' | 'refused'

/** Failed call; `message` is for people. */
export class CalendarFailure extends Error {
  readonly problem: CalendarProblem
  constructor(problem: CalendarProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** Tools of an adapter; `environment` has the variables that the config names. */
export type CalendarTools = {
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Tokens and account of a login. */
export type CalendarGrant = { readonly refreshToken: string; readonly email: string }

/** Port to one account at a calendar provider; every call fails with a `CalendarFailure`. */
export type CalendarAdapter = {
  /** Returns the URL of the login page. */
  loginPage(of: { readonly state: string; readonly back: string; readonly challenge: string }): string
  exchange(of: { readonly code: string; readonly back: string; readonly verifier: string }): Promise<CalendarGrant>
  /**
   * Returns a page of changes since `cursor`, or of all events between `from` and `to` (epoch ms) if it is null; `next`
   * comes from the page before.
   */
  changes(of: {
    readonly cursor: string | null
    readonly from: number
    readonly to: number
    readonly next: string | null
  }): Promise<ChangePage>
  /** Returns the current state of an event; null if deleted. */
  find(remoteId: string): Promise<RemoteEvent | null>
  insert(remoteId: string, draft: EventDraft): Promise<RemoteEvent>
  /** Changes an event if its etag is still `etag`. */
  update(remoteId: string, etag: string, draft: EventDraft): Promise<RemoteEvent>
  remove(remoteId: string, etag: string, notifies: boolean): Promise<void>
}

/** Creates the adapter of one account from its settings, with secrets in the clear. */
export type MakeCalendarAdapter = (values: ProviderValues, tools: CalendarTools) => CalendarAdapter
