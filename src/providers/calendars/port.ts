import type { ProviderConfig, ProviderValues } from '#kit/provider.ts'

/** A provider of calendars, as data that the browser may read. */
export type CalendarConfig = ProviderConfig & {
  /** The environment variables that its adapter reads. */
  readonly environment: readonly string[]
  /** How one begins, in a sentence or two. */
  readonly help: string
}

/** When an event is: two instants (epoch ms), or whole days (`YYYY-MM-DD`), the last one included. */
export type Span =
  | { readonly isAllDay: false; readonly start: number; readonly end: number }
  | { readonly isAllDay: true; readonly firstDay: string; readonly lastDay: string }

/** Somebody who is invited; `response` is '' while it is not known. */
export type Attendee = {
  readonly email: string
  readonly name: string
  readonly response: '' | 'accepted' | 'declined' | 'tentative' | 'needsAction'
}

/** An event as the calendar has it. */
export type RemoteEvent = {
  readonly remoteId: string
  readonly etag: string
  readonly span: Span
  readonly summary: string
  readonly description: string
  readonly location: string
  readonly attendees: readonly Attendee[]
  /** Minutes before its start; null: as the calendar reminds of everything. */
  readonly reminderMinutes: number | null
  /** The address of its video call; '' where it has none. */
  readonly meetUrl: string
  /** Its page at the provider; '' where it has none. */
  readonly url: string
  /** Only its owner is to read what it is about. */
  readonly isPrivate: boolean
  /** It is one of a series. */
  readonly isRecurring: boolean
  /** The account may change it. */
  readonly isEditable: boolean
  /** Which of our changes it has (`EventDraft.stamp`); null: none. */
  readonly stamp: number | null
}

/** What happened to an event: how it is now, or that it is gone. */
export type RemoteChange = { readonly remoteId: string; readonly event: RemoteEvent | null }

/** A part of what changed. `next` asks for the following part; `cursor` stands on the last one, for what changes later. */
export type ChangePage = {
  readonly changes: readonly RemoteChange[]
  readonly next: string | null
  readonly cursor: string | null
}

/** An event as it is to be. */
export type EventDraft = {
  readonly summary: string
  readonly description: string
  readonly location: string
  readonly span: Span
  readonly timeZone: string
  readonly attendees: readonly Attendee[]
  readonly reminderMinutes: number | null
  /** What becomes of its video call. */
  readonly meet: 'keep' | 'add' | 'remove'
  /** Attendees are told by e-mail. */
  readonly notifies: boolean
  /** Rises with every change of ours. */
  readonly stamp: number
}

/**
 * Why a call failed: the consent was taken back or was never whole (`revoked`), the app or the calendar is not known
 * (`setup`), the cursor is too old (`cursor`), the id is taken (`taken`), the event is gone (`gone`) or was changed there
 * (`changed`), the provider asks for patience or does not answer (`later`), it does not accept what was said (`refused`).
 */
export type CalendarProblem = 'revoked' | 'setup' | 'cursor' | 'taken' | 'gone' | 'changed' | 'later' | 'refused'

/** A call that failed; `message` is for people. */
export class CalendarFailure extends Error {
  readonly problem: CalendarProblem
  constructor(problem: CalendarProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** What adapters work with: `environment` are the variables that the config names. */
export type CalendarTools = {
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What a login opened. */
export type CalendarGrant = { readonly refreshToken: string; readonly email: string }

/** One account at a provider of calendars. Each call fails with a `CalendarFailure`. */
export type CalendarAdapter = {
  /** The page of the login. */
  loginPage(of: { readonly state: string; readonly back: string; readonly challenge: string }): string
  exchange(of: { readonly code: string; readonly back: string; readonly verifier: string }): Promise<CalendarGrant>
  /** What changed since `cursor`, or all between `from` and `to` (epoch ms) where it is null; `next` of the part before. */
  changes(of: {
    readonly cursor: string | null
    readonly from: number
    readonly to: number
    readonly next: string | null
  }): Promise<ChangePage>
  /** How an event is now; null where it is gone. */
  find(remoteId: string): Promise<RemoteEvent | null>
  insert(remoteId: string, draft: EventDraft): Promise<RemoteEvent>
  /** Changes an event as it was with `etag`. */
  update(remoteId: string, etag: string, draft: EventDraft): Promise<RemoteEvent>
  remove(remoteId: string, etag: string, notifies: boolean): Promise<void>
}

/** Makes the adapter of one account from what was filled in, secrets in the clear. */
export type MakeCalendarAdapter = (values: ProviderValues, tools: CalendarTools) => CalendarAdapter
