import { Loader } from '@mantine/core'
import { createStore } from '../../store.ts'
import { t } from '../../t.ts'
import css from './overlay.module.css'

/** Calls that come sooner after the one before show nothing, in ms (specification §9). */
export const OVERLAY_MIN_INTERVAL_MS = 2000
/** Time for which the overlay stays after the work, in ms (specification §9). */
export const OVERLAY_HIDE_MS = 1000

const shown = createStore<string | null>(null)
let lastCall = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows the overlay for blocking work, unless the previous call was less than two seconds ago. */
export function showOverlay(text = t('Estamos trabalhando...'), now = Date.now()): void {
  const isSoon = now - lastCall <= OVERLAY_MIN_INTERVAL_MS
  lastCall = now
  if (isSoon) return
  clearTimeout(timer)
  shown.set(text)
}

/** Hides the overlay one second later. */
export function hideOverlay(): void {
  clearTimeout(timer)
  timer = setTimeout(() => shown.set(null), OVERLAY_HIDE_MS)
}

/** Returns the overlay's text; null when it is hidden. */
export const overlayText = shown.get

/** Container of the overlay; mounted once. */
export function Overlay() {
  const text = shown.use()
  if (text === null) return null
  return (
    <div className={css.cover} role="alert" aria-busy="true">
      <div>
        <Loader size={22} />
        {text}
      </div>
    </div>
  )
}
