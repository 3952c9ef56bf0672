import { useLayoutEffect, useRef } from 'react'

type Layer = { close: () => void }

const layers: Layer[] = []

/** Selector of Mantine's overlays, dropdowns of fields included; Mantine closes these at Esc itself. */
const floating = '[role="dialog"], [role="menu"], [class*="-dropdown"][data-position]'
/** Whether such an overlay is open. */
export const isCovered = (): boolean => [...document.querySelectorAll(floating)].some((one) => one.checkVisibility())

// An overlay is closed before shortcuts are handled: notes first whether the key was meant for it.
let wasCovered = false
const note = (event: KeyboardEvent) => {
  const { key, target } = event
  if (key !== 'Escape') return
  // Mantine handles Esc only within a menu, which receives the focus a moment after it opened.
  const menu = [...document.querySelectorAll('[role="menu"]')].findLast((one) => one.checkVisibility())
  if (menu && !(target instanceof Node && menu.contains(target))) {
    event.stopImmediatePropagation()
    pressEscape(menu)
    return
  }
  wasCovered = isCovered()
  // A window below would close together with the dropdown above it, unless the key's target stops Mantine's handling.
  if (target instanceof Element && target.closest('[class*="-dropdown"][data-position]'))
    target.setAttribute('data-mantine-stop-propagation', 'true')
}
globalThis.addEventListener?.('keydown', note, true)

const pressEscape = (target: Element) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))

/**
 * Registers an open overlay as the topmost layer: Esc and, on a phone, the way back call `close` before anything below.
 * A layout effect, so that a key pressed right after the commit meets the layers that are shown.
 */
export function useLayer(isOpen: boolean, close: () => void): void {
  const now = useRef(close)
  now.current = close
  useLayoutEffect(() => {
    if (!isOpen) return
    const layer = { close: () => now.current() }
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [isOpen])
}

/** Handles an Esc that nothing else handled: closes the topmost layer; false if there was none, so that the key may do more. */
export function escapeLayer(): boolean {
  if (wasCovered) return true
  layers.at(-1)?.close()
  return layers.length > 0
}

const isPhone = globalThis.matchMedia?.('(max-width: 599.98px)')

/** Handles the way back: closes what covers the page, or on a phone any layer; false when the page may be left. */
export function closeByBack(): boolean {
  if (isCovered()) {
    pressEscape(document.activeElement ?? document.body)
    return true
  }
  if (!isPhone?.matches || layers.length === 0) return false
  layers.at(-1)?.close()
  return true
}
