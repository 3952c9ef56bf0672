import { errorText } from '#kit/errors.ts'
import { createTopic } from '../store.ts'
import { t } from '../t.ts'
import { claims, clearIdentity, clearSession, type Flash, goToLogin, store, token } from './session.ts'

let running: Promise<boolean> | undefined
const renewed = createTopic<string>()

/** Subscribes to every renewed token, also one that another tab brought. */
export const onToken = renewed.subscribe

/**
 * Renews the session: concurrent calls share one attempt, tabs share one lock (decision B24), and a token newer than the
 * refused one (`used`) is not renewed again. Returns true with a new token in storage; false when the server refused (the
 * identity is cleared and the login page opens 200 ms later), or could not be reached, which changes nothing.
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
  if (!now) return false // the session ended while this waited
  if (now !== used) return true // another tab was faster
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
    // A proxy may have answered in place of the server.
    const next = (await answer.json().catch(() => null))?.token
    if (typeof next !== 'string') return false
    store('token', next)
    renewed.publish(next)
    return true
  }
  if (answer.status === 401 || answer.status === 403) endSession(reasonOf(await answer.json().catch(() => null)))
  return false
}

const expired: Flash = { title: t('Sua sessão expirou. Entre de novo.') }

/** Returns why a renewal was refused; outside of the user's own hours with its specified title (decision A16). */
function reasonOf(body: { error?: string } | null): Flash {
  if (body?.error === 'OUT_RANGE') return { title: t('Outside permitted opening hours'), text: errorText('OUT_RANGE') }
  return body?.error === 'ERR_TENANT_INACTIVE' ? { title: errorText(body.error) } : expired
}

const redirectDelayMs = 200
let ending = false

/** Ends the session here, once: clears the identity, or everything about the user, and opens the login page a moment later. */
export function endSession(flash: Flash = expired, { delayMs = redirectDelayMs, forgetAll = false } = {}): void {
  if (ending) return
  ending = true
  if (forgetAll) clearSession()
  else clearIdentity()
  setTimeout(() => goToLogin(flash, true), delayMs)
}

/** Whether the session has ended and the page is about to be left. */
export const isEnding = (): boolean => ending

const person = (text: string | null) => {
  const own = claims(text)
  return own && `${own.tenantId}:${own.userId}`
}

globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== 'token' || location.pathname === '/login') return
  // Another tab ended the session; this one waits a moment, because it may receive the reason itself.
  if (!event.newValue) setTimeout(() => !ending && !token() && goToLogin(), redirectDelayMs)
  // Another user has logged in: what is drawn here belongs to the previous one.
  else if (event.oldValue && person(event.oldValue) !== person(event.newValue)) location.replace('/')
  else renewed.publish(event.newValue)
})
