/** The pauses of something that is kept open until it is ended, or looked after when it is woken. */
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
    /** Until so long is over, or something is to be looked at (true), also what was told since the last pause began. */
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
