/** Creates interruptible pauses for a loop that runs until `end`, and is woken by `wake`. */
export function makeRest() {
  let isOver = false
  let isWoken = false
  let go = (): void => {}
  const wake = (): void => {
    isWoken = true
    go()
  }
  return {
    isOver: (): boolean => isOver,
    wake,
    end(): void {
      isOver = true
      wake()
    },
    /** Waits for `ms` or until woken, also if woken since the last pause; returns whether it was woken. */
    async pause(ms: number): Promise<boolean> {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        go = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isWoken || isOver) go()
      })
      const hadNews = isWoken
      isWoken = false
      return hadNews
    },
  }
}
