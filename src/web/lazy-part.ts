import { type ComponentProps, type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react'

const pauseMs = 2000

/**
 * Component whose code is loaded on use. A failed load is retried every two seconds, without limit while offline and five
 * times while online: a part that is missing for a while does not end its screen. Then it fails. A preloaded component is
 * drawn at once: a promise, even a resolved one, would suspend its screen.
 */
// biome-ignore lint/suspicious/noExplicitAny: as React's own lazy
export function lazyPart<C extends ComponentType<any>>(
  load: () => Promise<C>,
): FunctionComponent<ComponentProps<C>> & { preload: () => Promise<void> } {
  let tries = 5
  let there: C | undefined
  const preload = async () => {
    there = await load()
  }
  const loaded = (): Promise<{ default: C }> =>
    preload().then(
      () => ({ default: there as C }),
      (error) => {
        if (navigator.onLine && !tries--) throw error
        return new Promise((resolve) => setTimeout(resolve, pauseMs)).then(loaded)
      },
    )
  const Awaited = lazy(loaded)
  function Part(props: ComponentProps<C>) {
    const [Drawn] = useState(() => there ?? Awaited)
    return createElement(Drawn, props)
  }
  return Object.assign(Part, { preload })
}
