import { useEffect, useId } from 'react'

const open = new Map<string, string>()

/** True while a form, an upload or a call would be lost by leaving the page. */
export const hasUnsaved = (): boolean => open.size > 0

/** Marks work in progress under a name; call the result when it is safe again. */
export function holdPage(name: string): () => void {
  const key = `${name}:${Math.random()}`
  open.set(key, name)
  return () => open.delete(key)
}

/** Marks work in progress while `dirty`; the browser asks before the tab closes, reloads wait (decision A10). */
export function useUnsaved(dirty: boolean): void {
  const id = useId()
  useEffect(() => (dirty ? holdPage(id) : undefined), [dirty, id])
}

globalThis.addEventListener?.('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault()
})
