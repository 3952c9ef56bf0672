import { useEffect, useRef } from 'react'

type Layer = { close: () => void }

const layers: Layer[] = []

const floating = '[role="dialog"], [role="menu"], [class*="-dropdown"][data-position]'
/** Whether something is open that Mantine lays over a page, a field's list of options too, and closes by itself at Esc. */
export const isCovered = (): boolean => [...document.querySelectorAll(floating)].some((one) => one.checkVisibility())

// What floats is gone before shortcuts are looked at: whether the key was meant for it is noted first.
let wasCovered = false
const note = ({ key, target }: KeyboardEvent) => {
  if (key !== 'Escape') return
  wasCovered = isCovered()
  // A window below would close with what floats above it, unless the key's target says that it is not meant.
  if (target instanceof Element && target.closest('[class*="-dropdown"][data-position]'))
    target.setAttribute('data-mantine-stop-propagation', 'true')
}
globalThis.addEventListener?.('keydown', note, true)

/** Makes what is open a layer, the topmost one: Esc and, on a phone, the way back call `close` before anything below. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const now = useRef(close)
  now.current = close
  useEffect(() => {
    if (!isOpen) return
    const layer = { close: () => now.current() }
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [isOpen])
}

/** For an Esc that nobody took: closes the topmost layer; false when there was none, so that the key may do more. */
export function escapeLayer(): boolean {
  if (wasCovered) return true
  layers.at(-1)?.close()
  return layers.length > 0
}

const isPhone = globalThis.matchMedia?.('(max-width: 599.98px)')

/** For the way back: what covers the page, or on a phone any layer, is closed instead; false when the page may be left. */
export function closeByBack(): boolean {
  if (isCovered()) {
    const focused = document.activeElement ?? document.body
    focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    return true
  }
  if (!isPhone?.matches || layers.length === 0) return false
  layers.at(-1)?.close()
  return true
}
