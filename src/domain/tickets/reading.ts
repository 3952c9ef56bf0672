import type { TicketFacts } from './facts.ts'

/** Position in a conversation: messages are ordered by time (epoch ms), then number. */
export type ReadingPosition = { readonly timestamp: number; readonly seq: number }

/** Whether the first place lies before the second. */
export const isBefore = (a: ReadingPosition, b: ReadingPosition): boolean =>
  a.timestamp < b.timestamp || (a.timestamp === b.timestamp && a.seq < b.seq)

/** Reader of a ticket, and whether only peeking. */
export type Reader = { readonly id: number; readonly isPeeking?: boolean }

/**
 * Whether a user's reading lowers the unread count: that of the agent; without an agent, anyone's; in a group also that of
 * the users named on it; never while peeking. Does not check visibility.
 */
export function lowersUnread(
  { userId, isGroup, groupUserIds }: Pick<TicketFacts, 'userId' | 'isGroup' | 'groupUserIds'>,
  { id, isPeeking = false }: Reader,
): boolean {
  const readers = [...(userId === null ? [] : [userId]), ...(isGroup ? groupUserIds : [])]
  return !isPeeking && (readers.length === 0 || readers.includes(id))
}
