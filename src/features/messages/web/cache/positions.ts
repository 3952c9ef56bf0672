import { isBefore, type ReadingPosition } from '#domain/tickets/reading.ts'

// How far this person has read each conversation, as far as this browser has been told.
const positions = new Map<number, ReadingPosition>()

/** How far the person has read a conversation; undefined when never, or nothing is known of it. */
export const positionOf = (ticketId: number): ReadingPosition | undefined => positions.get(ticketId)

/** Takes in how far the person has read, here or elsewhere; what lies behind what is known changes nothing. */
export function notePosition(ticketId: number, { timestamp, seq }: ReadingPosition): void {
  const known = positions.get(ticketId)
  if (!known || isBefore(known, { timestamp, seq })) positions.set(ticketId, { timestamp, seq })
}
