/** Maximum number of records that one operation names (`MOST_NAMED`) or selects by a filter (`MOST_CHOSEN`). */
export const MOST_NAMED = 1000
export const MOST_CHOSEN = 10_000

/** Maximum number of records changed while the user waits; more are changed in the background, in blocks. */
export const AT_ONCE = 200
export const BLOCK = 50

/** For so long after its end an operation on so many records can be taken back, in ms. */
export const undoMs = (total: number): number => (total > AT_ONCE ? 120_000 : 10_000)
