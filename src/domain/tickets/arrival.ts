import { isUnwanted } from '../messages/unwanted.ts'

/**
 * Event that may open or continue a conversation: a contact's message, the company's message on its phone, an agent who
 * starts a ticket, or one who reopens a closed one. `isStory`: an answer to a story or a mention in one. `number` is the
 * contact's, null if the channel has none.
 */
export type Arrival = {
  readonly by: 'contact' | 'phone' | 'start' | 'reopen'
  readonly isGroup: boolean
  readonly isStory?: boolean
  readonly number: string | null
}

/** State of the conversation; `survey` is the closed ticket whose rating question the message answers. */
export type ConversationState<T> = {
  readonly live: T | null
  readonly lastClosed: T | null
  readonly survey: T | null
  readonly isBlocked: boolean
}

/** Settings that decide which arrivals are dropped; `forbidden` as returned by `linesOf`. */
export type ArrivalSettings = {
  readonly ignoreGroups: boolean
  readonly ignoreStories: boolean
  readonly forbidden: ReadonlySet<string>
}

/** Decision on an arrival, with its ticket and reason. */
export type Decision<T> =
  | { readonly kind: 'drop'; readonly reason: 'unwanted' | 'blocked' }
  | { readonly kind: 'continue'; readonly reason: 'live'; readonly ticket: T }
  | { readonly kind: 'survey'; readonly reason: 'answer'; readonly ticket: T }
  | { readonly kind: 'reuse'; readonly reason: 'group' | 'reopened'; readonly ticket: T }
  | { readonly kind: 'open'; readonly reason: 'none' | 'closed' }

/** State without any conversation. */
export const NO_CONVERSATION: ConversationState<never> = {
  live: null,
  lastClosed: null,
  survey: null,
  isBlocked: false,
}

/** Settings that drop nothing. */
export const LETS_ALL_IN: ArrivalSettings = { ignoreGroups: false, ignoreStories: false, forbidden: new Set() }

/**
 * Decides whether an arrival continues, reopens or opens a ticket. Unwanted ones are dropped first; a live ticket always
 * continues (decision B19: there is one at most); then an answer belongs to the closed ticket that asked; a group reuses its
 * ticket; any other arrival opens one. An agent's own start or reopening is never dropped and answers nothing.
 */
export function decideArrival<T>(
  { by, isGroup, isStory = false, number }: Arrival,
  { live, lastClosed, survey, isBlocked }: ConversationState<T>,
  settings: ArrivalSettings,
): Decision<T> {
  const isContact = by === 'contact'
  const isFromChannel = isContact || by === 'phone'
  if (isFromChannel && isUnwanted({ isGroup, isStory, number }, settings)) return { kind: 'drop', reason: 'unwanted' }
  if (isContact && isBlocked) return { kind: 'drop', reason: 'blocked' }
  if (live !== null) return { kind: 'continue', reason: 'live', ticket: live }
  if (isContact && !isGroup && survey !== null) return { kind: 'survey', reason: 'answer', ticket: survey }
  if (lastClosed !== null && isFromChannel && isGroup) return { kind: 'reuse', reason: 'group', ticket: lastClosed }
  if (lastClosed !== null && by === 'reopen') return { kind: 'reuse', reason: 'reopened', ticket: lastClosed }
  return { kind: 'open', reason: lastClosed === null ? 'none' : 'closed' }
}
