import { useSyncExternalStore } from 'react'

/** Values by key outside React: reading one key draws again only when that key's value changes. */
export type Keyed<K, V> = {
  get: (key: K) => V | undefined
  set: (key: K, value: V | undefined) => void
  keys: () => K[]
  use: (key: K) => V | undefined
}

/** Makes a store of values by key; setting undefined takes a value away. */
export function keyed<K, V>(): Keyed<K, V> {
  const values = new Map<K, V>()
  const readers = new Map<K, Set<() => void>>()
  const subscribe = (key: K) => (reader: () => void) => {
    const own = readers.get(key) ?? new Set()
    readers.set(key, own.add(reader))
    return () => {
      own.delete(reader)
      if (own.size === 0 && readers.get(key) === own) readers.delete(key)
    }
  }
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      if (values.get(key) === value) return
      if (value === undefined) values.delete(key)
      else values.set(key, value)
      for (const tell of readers.get(key) ?? []) tell()
    },
    keys: () => [...values.keys()],
    use: (key) => useSyncExternalStore(subscribe(key), () => values.get(key)),
  }
}
