/** So many records one operation may name; by a filter, so many may be meant. */
export const MOST_NAMED = 1000
export const MOST_CHOSEN = 10_000

/** Up to so many are changed while the person waits; more go on in the background, in blocks. */
export const AT_ONCE = 200
export const BLOCK = 50

/** For so long after its end an operation on so many records can be taken back, in ms. */
export const undoMs = (total: number): number => (total > AT_ONCE ? 120_000 : 10_000)
