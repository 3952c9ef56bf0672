/** So long, in ms, what runs alone waits for others to end; then it runs beside them. */
const WAIT_MS = 5000
/** So long, in ms, others wait for what runs alone; then they go on beside it. */
const ALONE_MS = 10_000

/** Runs units of work alone or together, so that a death of the process can be attributed to one. */
export type Turns = {
  /** Runs work beside other work, once nothing runs alone or waits to. */
  beside<T>(work: () => Promise<T>): Promise<T>
  /** Runs work while no other is under way, one after the other; the signal says that others are under way, from the beginning or by now. */
  alone<T>(work: (company: AbortSignal) => Promise<T>): Promise<T>
  /** Whether something runs alone or waits to. */
  isTaken(): boolean
  /** From here on, what is to run alone runs. */
  open(): void
}

/** Makes the turns of a process. */
export function createTurns(): Turns {
  const opened = Promise.withResolvers<void>()
  let last = opened.promise
  let running = 0
  let alone = 0
  let quiet = Promise.withResolvers<void>()
  let free = Promise.withResolvers<void>()
  const leave = () => {
    if (--running === 0) quiet.resolve()
  }

  async function othersEnd(): Promise<void> {
    if (running === 0) return
    quiet = Promise.withResolvers()
    const timer = setTimeout(quiet.resolve, WAIT_MS)
    await quiet.promise
    clearTimeout(timer)
  }

  async function runAlone<T>(work: (company: AbortSignal) => Promise<T>, pass: () => void): Promise<T> {
    await othersEnd()
    const company = new AbortController()
    if (running > 0) company.abort()
    let isBeside = false
    const timer = setTimeout(() => {
      isBeside = true
      running++
      company.abort()
      pass()
    }, ALONE_MS)
    try {
      return await work(company.signal)
    } finally {
      clearTimeout(timer)
      if (isBeside) leave()
      else pass()
    }
  }

  return {
    async beside(work) {
      while (alone > 0) await free.promise
      running++
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
    open: opened.resolve,
  }
}
