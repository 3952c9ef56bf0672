import { expect, test, vi } from 'vitest'
import { createKeyedStore, createStore, createTopic } from './store.ts'

test('a topic tells everybody who listens, in the order in which they came', () => {
  const heard: string[] = []
  const topic = createTopic<string>()
  const stop = topic.subscribe((word) => heard.push(`first ${word}`))
  topic.subscribe((word) => heard.push(`second ${word}`))
  topic.publish('a')
  stop()
  topic.publish('b')
  expect(heard).toEqual(['first a', 'second a', 'second b'])
})

test('a store tells a change only, and keeps its value true while somebody listens', () => {
  const heard: number[] = []
  const disconnect = vi.fn()
  const connect = vi.fn((set: (next: number) => void) => {
    set(2)
    return disconnect
  })
  const store = createStore(1, connect)
  const stops = [store.subscribe((value) => heard.push(value)), store.subscribe(() => {})]
  store.set(2)
  store.set(3)
  expect([heard, connect.mock.calls.length]).toEqual([[2, 3], 1])
  stops[0]?.()
  expect(disconnect).not.toHaveBeenCalled()
  stops[1]?.()
  expect(disconnect).toHaveBeenCalledOnce()
  store.subscribe(() => {})
  expect([connect.mock.calls.length, store.get()]).toEqual([2, 2])
})

test('a keyed store forgets what is set to undefined', () => {
  const store = createKeyedStore<number, string>()
  store.set(1, 'a')
  store.set(2, 'b')
  store.set(1, undefined)
  expect([store.get(1), store.get(2), store.keys()]).toEqual([undefined, 'b', [2]])
})
