import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const pauseMs = 2000

/**
 * A component whose code is loaded on use. One that cannot be loaded is asked for again every two seconds, as long as there
 * is no network and five times where there is: a part that is missing for a while does not end its screen. Then it fails.
 */
// biome-ignore lint/suspicious/noExplicitAny: as React's own lazy
export function lazyPart<C extends ComponentType<any>>(load: () => Promise<C>): LazyExoticComponent<C> {
  let tries = 5
  const loaded = (): Promise<{ default: C }> =>
    load().then(
      (part) => ({ default: part }),
      (error) => {
        if (navigator.onLine && !tries--) throw error
        return new Promise((resolve) => setTimeout(resolve, pauseMs)).then(loaded)
      },
    )
  return lazy(loaded)
}
