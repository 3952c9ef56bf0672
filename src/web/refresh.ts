import { clearIdentity, goToLogin, store, token } from './session.ts'

let running: Promise<boolean> | undefined
const readers = new Set<(token: string) => void>()

/** Hears every renewed token, also one that another tab brought. */
export function onToken(reader: (token: string) => void): () => void {
  readers.add(reader)
  return () => readers.delete(reader)
}

/**
 * Renews the session once, whoever asks: calls share one attempt, tabs share one lock (decision B24), and a token that is
 * newer than the refused one (`used`) is not renewed again. True with a new token in storage. False when the server
 * refused — then the identity is cleared and the login page opens 200 ms later — or when it could not be reached, which
 * changes nothing.
 */
export function refreshSession(used: string | null = token()): Promise<boolean> {
  running ??= locked(() => renew(used)).finally(() => {
    running = undefined
  })
  return running
}

// navigator.locks is missing on plain http outside localhost; the server accepts a token's predecessor for 30 s.
function locked(work: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request('guiche-refresh', work) : work()
}

async function renew(used: string | null): Promise<boolean> {
  const now = token()
  if (now && now !== used) return true // another tab was faster
  let answer: Response
  try {
    answer = await fetch('/api/auth/refresh_token', {
      method: 'POST',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(20_000),
    })
  } catch {
    return false
  }
  if (answer.ok) {
    const { token: next } = (await answer.json()) as { token: string }
    store('token', next)
    for (const tell of readers) tell(next)
    return true
  }
  if (answer.status === 401 || answer.status === 403) endSession()
  return false
}

let ending = false

/** Clears the identity and opens the login page after 200 ms, once. */
export function endSession(flash = 'Sua sessão expirou. Entre de novo.'): void {
  if (ending) return
  ending = true
  clearIdentity()
  setTimeout(() => goToLogin(flash, true), 200)
}

globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== 'token') return
  if (event.newValue) for (const tell of readers) tell(event.newValue)
  else if (!ending && location.pathname !== '/login') goToLogin()
})
