import type { Page } from './page.ts'

type Changed = (key: string, value: string | null) => void

/** Storage of small texts that survive a reload, per channel. */
export type Store = {
  get(key: string): string | null
  set(key: string, value: string | null): void
  /** A value that the page's storage reported from another tab. */
  accept: Changed
  onChange(changed: Changed): void
}

/**
 * Creates the storage: our own; where the browser closes it to third parties, the page's own, kept by the loader; else
 * memory.
 */
export function createStore(token: string, page: Page): Store {
  const prefix = `guiche:${token}:`
  const own = ownStorage()
  const memory = new Map(Object.entries(page.stored))
  const listeners: Changed[] = []
  const publish: Changed = (key, value) => {
    for (const listener of listeners) listener(key, value)
  }
  window.addEventListener('storage', ({ key, newValue, storageArea }) => {
    if (own && storageArea === own && key?.startsWith(prefix)) publish(key.slice(prefix.length), newValue)
  })
  return {
    get: (key) => (own ? own.getItem(prefix + key) : (memory.get(key) ?? null)),
    set: (key, value) => {
      if (!own) {
        if (value === null) memory.delete(key)
        else memory.set(key, value)
        page.post({ type: 'guiche:store', key, value })
      } else if (value === null) own.removeItem(prefix + key)
      else own.setItem(prefix + key, value)
    },
    accept: (key, value) => {
      if (own) return
      if (value === null) memory.delete(key)
      else memory.set(key, value)
      publish(key, value)
    },
    onChange: (changed) => {
      listeners.push(changed)
    },
  }
}

function ownStorage(): Storage | null {
  try {
    window.localStorage.setItem('guiche', '1')
    window.localStorage.removeItem('guiche')
    return window.localStorage
  } catch {
    return null
  }
}
