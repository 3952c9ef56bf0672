/** Duration of a long press, in ms. */
export const LONG_PRESS_MS = 500
const slackPx = 10

/**
 * Opens the menu inside of an element marked `data-long-press` after a long press; moving or lifting the finger earlier
 * cancels it. A scrolling finger is taken away by the browser (`pointercancel`); programmatic scrolling does not cancel.
 * Uses pointer events, because Safari on iOS has no `contextmenu`. Returns a function that stops it.
 */
export function listenForLongPress(): () => void {
  const over = new AbortController()
  const { signal } = over
  let timer: ReturnType<typeof setTimeout> | undefined
  let from = { x: 0, y: 0 }
  let isOpened = false
  const cancel = () => clearTimeout(timer)
  const start = ({ target, pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
    cancel()
    isOpened = false
    const holdTimer =
      target instanceof Element && pointerType !== 'mouse' && isPrimary && target.closest('[data-long-press]')
    if (!holdTimer) return
    from = { x, y }
    timer = setTimeout(() => {
      isOpened = true
      holdTimer.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
    }, LONG_PRESS_MS)
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > slackPx) cancel()
  }
  // Lifting the finger that opened the menu presses nothing, neither the row nor anything outside of the menu, and the
  // browser shows no menu of its own.
  const swallow = (event: Event) => {
    if (event.type === 'click' && !event.isTrusted) return
    if (isOpened) {
      event.preventDefault()
      event.stopPropagation()
    }
    if (event.type === 'click') isOpened = false
  }
  addEventListener('pointerdown', start, { signal })
  addEventListener('pointermove', move, { signal })
  for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, cancel, { signal })
  for (const name of ['mousedown', 'click', 'contextmenu']) addEventListener(name, swallow, { signal, capture: true })
  return () => {
    cancel()
    over.abort()
  }
}
