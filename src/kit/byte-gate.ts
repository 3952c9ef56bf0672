/** Time-out in ms of waiting work, and the error with which it fails then. */
type Patience = { readonly ms: number; readonly error: () => Error }

/**
 * Limits the total size of running work to so many bytes, first come, first served; larger work runs alone. Without
 * `patience` work waits without a time-out.
 */
export function byteGate(most: number, patience?: Patience): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
  let taken = 0
  const waiting: { readonly bytes: number; readonly go: () => void }[] = []
  const next = (): void => {
    for (let first = waiting[0]; first && taken + first.bytes <= most; first = waiting[0]) {
      waiting.shift()
      taken += first.bytes
      first.go()
    }
  }
  const turn = (bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      const mine = { bytes, go }
      if (patience)
        timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(mine), 1)
          reject(patience.error())
          next()
        }, patience.ms)
      waiting.push(mine)
      next()
    })
  return async (bytes, work) => {
    const share = Math.min(bytes, most)
    await turn(share)
    try {
      return await work()
    } finally {
      taken -= share
      next()
    }
  }
}
