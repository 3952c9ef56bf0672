import { isBefore, type ReadingPosition } from '#domain/tickets/reading.ts'

// Reading positions of this person by ticket, as far as the browser knows them.
const positions = new Map<number, ReadingPosition>()

/** Returns the person's reading position in a conversation; undefined when never read or unknown. */
export const positionOf = (ticketId: number): ReadingPosition | undefined => positions.get(ticketId)

/** Stores a reading position, set here or on another device; one behind the known position is ignored. */
export function notePosition(ticketId: number, { timestamp, seq }: ReadingPosition): void {
  const known = positions.get(ticketId)
  if (!known || isBefore(known, { timestamp, seq })) positions.set(ticketId, { timestamp, seq })
}
