import { useEffect, useState } from 'preact/hooks'

/** Piece of state that can be read, changed in part, and subscribed to. */
export type Cell<T> = { get(): T; set(change: Partial<T>): void; follow(listener: (value: T) => void): () => void }

/** Creates a cell with its first value. */
export function cell<T extends object>(first: T): Cell<T> {
  let value = first
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => value,
    set: (change) => {
      value = { ...value, ...change }
      for (const listener of listeners) listener(value)
    },
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the value of a cell; draws the component again when it changes. */
export function useCell<T>(source: Cell<T>): T {
  const [value, setValue] = useState(source.get)
  useEffect(() => {
    setValue(source.get)
    return source.follow(setValue)
  }, [source])
  return value
}
