/** Pages served for every address while offline: the product and the login. */
export const pages = { product: '/', login: '/login' } as const

/** Addresses that are never cached: API, sockets, files behind signed links, and what customers' sites embed. */
const others = /^\/(api|socket\.io|widget|health|ready|metrics)(\/|$)/
const beforeLogin = /^\/(login|masterkey|signup|reset|auth|gmail)(\/|$)/

/**
 * Returns how the worker handles a request: `asset` is served from the cache, a page's address is the fallback without a
 * network, null is not handled.
 */
export function planFor(
  { method, mode, url }: { method: string; mode: string; url: string },
  origin: string,
): 'asset' | (typeof pages)[keyof typeof pages] | null {
  const { origin: target, pathname } = new URL(url)
  if (method !== 'GET' || target !== origin || others.test(pathname)) return null
  if (pathname.startsWith('/assets/')) return 'asset'
  if (mode !== 'navigate') return null
  return beforeLogin.test(pathname) ? pages.login : pages.product
}
