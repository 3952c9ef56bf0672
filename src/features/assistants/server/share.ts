/** Maximum number of concurrent calls of assistants in a process. */
export const MOST = 64
const MOST_OF_COMPANY = 16
/** A company may hold one part of the free places at most, so that the next company finds places too. */
const PARTS = 3

/** Returns whether a company with `own` of all `running` calls may begin one more. */
export const mayBegin = (running: number, own: number): boolean =>
  running < MOST && own < MOST_OF_COMPANY && own <= (MOST - running) / PARTS
