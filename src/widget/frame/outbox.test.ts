import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Api } from './api.ts'
import type { Item } from './conversation.ts'
import { createOutbox } from './outbox.ts'
import type { Store } from './store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates an outbox whose server responds with these statuses in order, and then with 200. */
function outboxAnswered(statuses: number[]) {
  let items: Item[] = []
  const asked: string[] = []
  const kept = new Map<string, string>([['visitor', 'token']])
  const api = {
    post: async (_: string, { idFront }: { idFront: string }) => {
      asked.push(idFront)
      const status = statuses.shift() ?? 200
      return status === 200
        ? { ok: true, value: { idFront, timestamp: 1 } }
        : { ok: false, status, code: '', text: 'não deu', retryAfter: status === 503 ? 2 : 0, details: {} }
    },
  } as unknown as Api
  const store = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, value: string | null) => void (value === null ? kept.delete(name) : kept.set(name, value)),
  } as unknown as Store
  const outbox = createOutbox({
    api,
    store,
    items: () => items,
    setItems: (change) => {
      items = change(items)
    },
    session: async () => ({ ok: false, status: 0, code: '', text: '', retryAfter: 0, details: {} }),
    forget: () => {},
    reached: () => {},
  })
  return { outbox, asked, states: () => items.map((item) => item.local) }
}

it('repeats a message with its own id for as long as the server has no database or disk', async () => {
  const { outbox, asked, states } = outboxAnswered(Array(40).fill(503))
  outbox.send('oi', [], null)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(states()).toEqual([null])
  expect(asked).toHaveLength(41)
  expect(new Set(asked).size).toBe(1)
})

it('gives up what the server answers with an error of its own again and again', async () => {
  const { outbox, states } = outboxAnswered(Array(40).fill(500))
  outbox.send('oi', [], null)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(states()).toEqual(['failed'])
})
