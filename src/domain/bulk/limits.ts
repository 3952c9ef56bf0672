/** Maximum number of records of one bulk operation: by id, and by filter. */
export const MOST_NAMED = 1000
export const MOST_CHOSEN = 10_000

/** Maximum number of records changed within the request; larger operations run in the background, in blocks. */
export const AT_ONCE = 200
export const BLOCK = 50

/** Returns how long after its end a bulk operation can be undone, in ms. */
export const undoMs = (total: number): number => (total > AT_ONCE ? 120_000 : 10_000)
