/** Maximum time, in ms, for which exclusive work waits for other work to end; after it, both run side by side. */
const WAIT_MS = 5000
/** Maximum time, in ms, for which other work waits for exclusive work, however much of it there is. */
const ALONE_MS = 10_000

/** Probation, in ms: a process that dies later dies of its own work, not of the cause that ended earlier processes. */
const PROBATION_MS = 5000

/** Scheduler of a process's units of work: those that may crash it run alone, so that a crash has a known cause. */
export type Turns = {
  /** Runs work beside other work, once nothing runs alone or waits to, after ten seconds at the latest. */
  beside<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs exclusive work, one after the other, while no other work is running; the signal aborts when other work runs beside
   * it, from the beginning or later. Work that depends on other work calls `join`: from then on it runs beside other work.
   */
  alone<T>(work: (company: AbortSignal, join: () => void) => Promise<T>): Promise<T>
  /** Whether exclusive work runs or waits. */
  isTaken(): boolean
  /** Starts running exclusive work. */
  open(): void
  /**
   * Returns the wait, in ms, before work that the next crash would put aside: a crash counts only in a process that has
   * survived without this work for a while, so that a series of kills does not put innocent work aside.
   */
  probationMs(): number
}

/** Creates the scheduler of a process. */
export function createTurns(): Turns {
  const opened = Promise.withResolvers<void>()
  let last = opened.promise
  let openedAt: number | null = null
  let running = 0
  let alone = 0
  let quiet = Promise.withResolvers<void>()
  let free = Promise.withResolvers<void>()
  let company = new AbortController()
  // The running work did not end within the wait.
  let areLong = false
  const leave = () => {
    if (--running > 0) return
    areLong = false
    quiet.resolve()
  }

  async function othersEnd(): Promise<void> {
    if (running === 0 || areLong) return
    quiet = Promise.withResolvers()
    const timer = setTimeout(quiet.resolve, WAIT_MS)
    await quiet.promise
    clearTimeout(timer)
    areLong = running > 0
  }

  async function othersFree(): Promise<void> {
    if (alone === 0) return
    let isOver = false
    const over = Promise.withResolvers<void>()
    const end = () => {
      isOver = true
      over.resolve()
    }
    const timer = setTimeout(end, ALONE_MS)
    while (alone > 0 && !isOver) await Promise.race([free.promise, over.promise])
    clearTimeout(timer)
  }

  async function runAlone<T>(
    work: (company: AbortSignal, join: () => void) => Promise<T>,
    pass: () => void,
  ): Promise<T> {
    await othersEnd()
    const mine = new AbortController()
    company = mine
    if (running > 0) mine.abort()
    let isBeside = false
    const join = () => {
      if (isBeside) return
      isBeside = true
      running++
      mine.abort()
      pass()
    }
    const timer = setTimeout(join, ALONE_MS)
    try {
      return await work(mine.signal, join)
    } finally {
      clearTimeout(timer)
      if (isBeside) leave()
      else pass()
    }
  }

  return {
    async beside(work) {
      await othersFree()
      running++
      if (alone > 0) company.abort()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    alone(work) {
      alone++
      const before = last
      const turn = Promise.withResolvers<void>()
      last = turn.promise
      const pass = () => {
        turn.resolve()
        if (--alone > 0) return
        free.resolve()
        free = Promise.withResolvers()
      }
      return before.then(() => runAlone(work, pass))
    },
    isTaken: () => alone > 0,
    open() {
      openedAt ??= performance.now()
      opened.resolve()
    },
    probationMs: () => Math.max(0, PROBATION_MS - (openedAt === null ? 0 : performance.now() - openedAt)),
  }
}
