import type { AnyRouter } from '@tanstack/react-router'

let router: AnyRouter | undefined

/** Registers the page's router, for code outside of components. */
export function registerRouter(one: AnyRouter): void {
  router = one
}

/** Opens a path of the product in this page. */
export const openPath = (path: string): void => void router?.navigate({ to: path })

/** Subscribes to every arrival at another place. */
export const onArrival = (reader: () => void): void => void router?.subscribe('onResolved', reader)
