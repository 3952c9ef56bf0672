import { onOtherVersion } from '../api.ts'
import { hasUnsaved } from '../unsaved.ts'

const tickMs = 30_000
const calmMs = 60_000
const doneKey = 'guiche.reloaded'

let lastTouch = Date.now()
let wanted: string | undefined

/** Whether a reload disturbs no one: nothing is unsaved, and the page is hidden or untouched for a minute. */
const isSafe = () => !hasUnsaved() && (document.hidden || Date.now() - lastTouch > calmMs)

function tryReload(): void {
  if (!wanted || !isSafe() || sessionStorage.getItem(doneKey) === wanted) return
  sessionStorage.setItem(doneKey, wanted) // once per version, whatever a cache between may answer
  location.reload()
}

/** Requests a reload at the next safe moment, once for each `version` (decisions A10, B34). */
export function wantReload(version: string): void {
  wanted = version
  tryReload()
}

/** Watches for safe moments, and for answers of another server version. Returns a function that stops it. */
export function watchReloads(): () => void {
  const touch = () => {
    lastTouch = Date.now()
  }
  const events = ['click', 'mousemove', 'keydown'] as const
  for (const event of events) addEventListener(event, touch, { passive: true })
  const offVersion = onOtherVersion(wantReload)
  const timer = setInterval(tryReload, tickMs)
  document.addEventListener('visibilitychange', tryReload)
  return () => {
    for (const event of events) removeEventListener(event, touch)
    offVersion()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tryReload)
  }
}
