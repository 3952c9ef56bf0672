/** Maximum number of concurrent calls of assistants in a process. */
export const MOST = 64
const MOST_OF_COMPANY = 16
/** Divisor of the free places that one company may take, so that others find some. */
const PARTS = 3

/** Returns whether a company with `own` of all `running` calls may begin one more. */
export const mayBegin = (running: number, own: number): boolean =>
  running < MOST && own < MOST_OF_COMPANY && own <= (MOST - running) / PARTS
