import { createStore } from '../store.ts'
import { wantReload } from './reloads.ts'

/** State of the page's service worker (specification §4); `none` without one, or where none is possible. */
export type WorkerState = 'none' | 'registered' | 'ready' | 'cached' | 'update found' | 'updated' | 'offline' | 'error'

const path = '/sw.js'
const checkMs = 3_600_000
const soonMs = 5000

/** State of the page's service worker. */
export const workerState = createStore<WorkerState>('none')

const isLocal = () => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)

/**
 * Registers the worker at `/sw.js`, which caches the interface for offline use. On localhost the script is checked first: if
 * it is missing or no script, an earlier worker is unregistered. A later release reloads the page at the next safe moment.
 * Failures are only logged.
 */
export async function registerWorker(): Promise<void> {
  const workers = navigator.serviceWorker
  if (!workers) return // plain http outside localhost
  try {
    if (isLocal() && !(await isThere(workers))) return
    const registration = await workers.register(path)
    workerState.set('registered')
    registration.addEventListener('updatefound', () => {
      if (registration.installing) follow(registration.installing, workers.controller !== null)
    })
    void workers.ready.then(() => workerState.get() === 'registered' && workerState.set('ready'))
    setInterval(() => void registration.update().catch(() => {}), checkMs)
  } catch (error) {
    workerState.set(navigator.onLine ? 'error' : 'offline')
    console.warn('service worker', error)
  }
}

/**
 * Registers the first one of a browser when a first click is done: it asks for hundreds of files. Where there is one
 * already, a later release may be found at any moment.
 */
export async function registerSoon(): Promise<void> {
  if (navigator.serviceWorker?.controller) return registerWorker()
  setTimeout(registerWorker, soonMs)
}

/** Tracks a worker while it is installed: the first of this browser, or the next release. */
function follow(installing: ServiceWorker, hadOne: boolean): void {
  if (hadOne) workerState.set('update found')
  let isStored = false
  installing.addEventListener('statechange', () => {
    if (installing.state === 'redundant' && !isStored) workerState.set('error')
    if (installing.state !== 'installed') return
    isStored = true
    workerState.set(hadOne ? 'updated' : 'cached')
    if (hadOne) wantReload(`worker ${Date.now()}`)
  })
}

/** Whether the worker's script exists and is a script; otherwise an earlier worker is unregistered. */
async function isThere(workers: ServiceWorkerContainer): Promise<boolean> {
  const answer = await fetch(path, { method: 'HEAD', cache: 'no-store' })
  const isScript = answer.headers.get('content-type')?.includes('javascript') ?? false
  if (answer.ok && isScript) return true
  if (answer.ok || answer.status === 404)
    for (const registration of await workers.getRegistrations()) await registration.unregister()
  return false
}
