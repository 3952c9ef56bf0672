import { useEffect } from 'react'

const open = new Map<symbol, string>()

/** True while a form, an upload or a call would be lost by closing or reloading the page. */
export const hasUnsaved = (): boolean => open.size > 0

/** True while a form would be lost by leaving its screen. */
export const hasOpenForm = (): boolean => [...open.values()].includes('form')

/** Marks work in progress under a name; call the result when it is safe again. */
export function markUnsaved(name: string): () => void {
  const key = Symbol(name)
  open.set(key, name)
  return () => open.delete(key)
}

/** Marks a form while `dirty`: leaving its screen or closing the tab asks, reloads wait (decision A10). */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => (dirty ? markUnsaved('form') : undefined), [dirty])
}

globalThis.addEventListener?.('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault()
})
