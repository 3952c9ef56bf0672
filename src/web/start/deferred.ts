type Load<T = () => void> = () => Promise<T>

const loads: Load[] = []

/** Registers work of a feature that starts once the page has loaded, whichever screen is open. */
export const deferred = (load: Load): void => void loads.push(load)

/** Registers work that needs a present user: starts at the first move, touch or key on the page. */
export const onFirstUse = (load: Load<(() => void) | undefined>): void =>
  deferred(async () => () => {
    const events = ['pointermove', 'pointerdown', 'keydown'] as const
    const use = () => {
      for (const event of events) removeEventListener(event, use, true)
      void load().then((start) => start?.())
    }
    for (const event of events) addEventListener(event, use, { capture: true, passive: true })
  })

/** Returns the registered deferred work. */
export const allDeferred = (): readonly Load[] => loads
