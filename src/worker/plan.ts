/** The two pages that stand in for every address while there is no network: the product, and where one logs in. */
export const pages = { product: '/', login: '/login' } as const

/** Addresses that are never kept: answers, lines, files behind signed links, and what customers' sites embed. */
const others = /^\/(api|socket\.io|widget|health|ready|metrics)(\/|$)/
const beforeLogin = /^\/(login|masterkey|signup|reset|auth|gmail)(\/|$)/

/**
 * What the worker does with a request: `asset` is answered from what is kept, a page's address names what stands in for
 * it when the network does not answer, null is none of the worker's business.
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
