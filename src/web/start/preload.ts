import { claims, token } from '../session/session.ts'

type Preload = { token: string; answers: Map<string, Promise<Response | null>> }

// The page's own script and the product are separate bundles: they share state through the page.
const page = globalThis as { guichePreload?: Preload }

const soonOver = 5000
const timeoutMs = 60_000
const nothing = () => null

/**
 * Reads the first screen's data while its code is still loading; called by the page's own script with paths below `/api`.
 * The feed's cursor is read first and the rest after it, so nothing is older than the cursor. Without a valid token nothing
 * is read: it is renewed first, once (decision B24).
 */
export function preload(paths: readonly string[]): void {
  const secret = token()
  const own = claims(secret)
  if (!secret || !own || !(own.exp > Date.now() + soonOver)) return
  const ask = (path: string) =>
    fetch(`/api${path}`, {
      credentials: 'same-origin',
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(timeoutMs),
    })
  const cursor = ask('/changes')
  const answers = new Map([['/api/changes', cursor.catch(nothing)]])
  for (const path of [`/users/${own.userId}`, ...paths])
    answers.set(`/api${path}`, cursor.then((first) => (first.ok ? ask(path) : null)).catch(nothing))
  page.guichePreload = { token: secret, answers }
}

/**
 * Returns the preloaded answer of a read with this very token: once, whatever it is. Undefined if it was not preloaded, null
 * if it did not arrive; then the caller reads itself.
 */
export function takePreloaded(address: string, secret: string | null): Promise<Response | null> | undefined {
  const preloaded = page.guichePreload
  if (preloaded?.token !== secret) return undefined
  const answer = preloaded.answers.get(address)
  preloaded.answers.delete(address)
  return answer
}

/** Whether answers that were asked early may still come. */
export const isPreloading = (): boolean => page.guichePreload !== undefined

/** Discards preloaded answers that were not taken: once the socket is open, they may be older than its events. */
export function clearPreloaded(): void {
  const left = page.guichePreload?.answers ?? []
  delete page.guichePreload
  // An answer that is never read would stay open for ever.
  for (const [, answer] of left) void answer.then((one) => one?.body?.cancel())
}
