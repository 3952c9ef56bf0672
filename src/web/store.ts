import { useSyncExternalStore } from 'react'

type Listener<T> = (value: T) => void

/** Pub/sub topic; `subscribe` returns an unsubscribe function. */
export type Topic<T> = {
  publish: (value: T) => void
  subscribe: (listener: Listener<T>) => () => void
}

/** Creates a topic; listeners are called in the order of subscription. */
export function createTopic<T = void>(): Topic<T> {
  const listeners = new Set<Listener<T>>()
  return {
    publish: (value) => {
      for (const listener of listeners) listener(value)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Value outside of React. `use` draws a component again when the value, or the result of `select`, changes. */
export type Store<T> = {
  get: () => T
  /** Sets the value; setting the same value notifies no one. */
  set: (next: T) => void
  subscribe: Topic<T>['subscribe']
  use: <S = T>(select?: (value: T) => S) => S
}

/** Creates a store. `connect` runs while there are subscribers, to keep the value current; it returns how to disconnect. */
export function createStore<T>(value: T, connect?: (set: (next: T) => void) => () => void): Store<T> {
  const changes = createTopic<T>()
  let current = value
  let listening = 0
  let disconnect: (() => void) | undefined
  const get = () => current
  const set = (next: T) => {
    if (Object.is(next, current)) return
    current = next
    changes.publish(next)
  }
  const subscribe: Store<T>['subscribe'] = (listener) => {
    const stop = changes.subscribe(listener)
    listening += 1
    if (listening === 1) disconnect = connect?.(set)
    return () => {
      stop()
      listening -= 1
      if (listening === 0) disconnect?.()
    }
  }
  const use = <S = T>(select: (value: T) => S = (all) => all as unknown as S): S =>
    useSyncExternalStore(subscribe, () => select(current))
  return { get, set, subscribe, use }
}

/** Values by key outside of React: a component that reads one key is drawn again only when that key's value changes. */
export type KeyedStore<K, V> = {
  get: (key: K) => V | undefined
  /** Sets a value; undefined removes it. */
  set: (key: K, value: V | undefined) => void
  keys: () => K[]
  use: (key: K) => V | undefined
}

/** Creates a store of values by key. */
export function createKeyedStore<K, V>(): KeyedStore<K, V> {
  const values = new Map<K, V>()
  const changes = createTopic()
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      if (values.get(key) === value) return
      if (value === undefined) values.delete(key)
      else values.set(key, value)
      changes.publish()
    },
    keys: () => [...values.keys()],
    use: (key) => useSyncExternalStore(changes.subscribe, () => values.get(key)),
  }
}
