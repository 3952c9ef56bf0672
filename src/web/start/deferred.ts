type Load<T = () => void> = () => Promise<T>

const loads: Load[] = []

/** Has a feature start something once the page has loaded, whichever screen is open. */
export const deferred = (load: Load): void => void loads.push(load)

/**
 * The same for what can only be asked for by somebody who is there: with the first move, touch or key on the page. What is
 * started gets the element that had the focus then.
 */
export const onFirstUse = (load: Load<((focused: Element | null) => void) | undefined>): void =>
  deferred(async () => () => {
    const events = ['pointermove', 'pointerdown', 'keydown'] as const
    const use = () => {
      for (const event of events) removeEventListener(event, use, true)
      const focused = document.activeElement
      void load().then((start) => start?.(focused))
    }
    for (const event of events) addEventListener(event, use, { capture: true, passive: true })
  })

/** What features start once the page has loaded. */
export const allDeferred = (): readonly Load[] => loads
