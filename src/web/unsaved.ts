import { useEffect } from 'react'

/** Text of the question before unsaved changes are lost, in place of the default. */
export type Loss = { readonly title?: string; readonly text: string; readonly cancel?: string }

const open = new Map<symbol, { name: string; loss: Loss | undefined }>()

/** True while a form, an upload or a call would be lost by closing or reloading the page. */
export const hasUnsaved = (): boolean => open.size > 0

/** Returns the last opened form with unsaved changes that leaving its screen would lose. */
export const openForm = () => [...open.values()].findLast(({ name }) => name === 'form')

/** Marks work in progress under a name; call the result when it is safe again. */
export function markUnsaved(name: string, loss?: Loss): () => void {
  const key = Symbol(name)
  open.set(key, { name, loss })
  return () => open.delete(key)
}

/** Marks a form while `dirty`: leaving its screen or closing the tab asks, reloads wait (decision A10). */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => (dirty ? markUnsaved('form') : undefined), [dirty])
}

globalThis.addEventListener?.('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault()
})
