import { onOtherVersion } from '../api.ts'
import { hasUnsaved } from '../unsaved.ts'

const tick = 30_000
const idleLimit = 7200
const doneKey = 'guiche.reloaded'

let idleTicks = 0
let lastTouch = Date.now()
let wanted: string | undefined

/** Whether reloading now would cost nobody anything: nothing unsaved, and nobody has touched the page for a minute. */
const isSafe = () => !hasUnsaved() && (document.hidden || Date.now() - lastTouch > 60_000)

function tryReload(): void {
  if (!wanted || !isSafe() || sessionStorage.getItem(doneKey) === wanted) return
  sessionStorage.setItem(doneKey, wanted) // once per version, whatever a cache between may answer
  location.reload()
}

/** Reloads for a new version at the next safe moment (decision B34) and after 7200 idle ticks of 30 s (specification §4). */
export function watchReloads(): () => void {
  const touch = () => {
    idleTicks = 0
    lastTouch = Date.now()
  }
  const events = ['click', 'mousemove', 'keydown'] as const
  for (const event of events) addEventListener(event, touch, { passive: true })
  const offVersion = onOtherVersion((version) => {
    wanted = version
    tryReload()
  })
  const timer = setInterval(() => {
    idleTicks += 1
    if (idleTicks >= idleLimit && !hasUnsaved()) location.reload()
    tryReload()
  }, tick)
  document.addEventListener('visibilitychange', tryReload)
  return () => {
    for (const event of events) removeEventListener(event, touch)
    offVersion()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tryReload)
  }
}
