import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebchatConfig } from '#features/webchat/contract.ts'
import { createChat } from './chat.ts'
import type { Item } from './conversation.ts'
import type { Page } from './page.ts'
import type { Store } from './store.ts'

type Line = { onmessage: ((event: { data: string }) => void) | null; onclose: (() => void) | null }

/** What the browser asks for, by its answer; null: none comes. */
let asked: ((messages: { id: string }[] | null) => void)[]
let lines: Line[]

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  lines = []
  class Socket {
    onmessage = null
    onclose = null
    send() {}
    close() {}
    constructor() {
      lines.push(this)
    }
  }
  vi.stubGlobal('location', { origin: 'http://guiche' })
  vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener() {} })
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('fetch', (path: string) => {
    const reply = (value: object) => new Response(JSON.stringify(value))
    if (!path.includes('/messages')) return Promise.resolve(reply({ visitorToken: 'v', ticketOpen: true }))
    return new Promise((resolve, reject) =>
      asked.push((messages) =>
        messages
          ? resolve(reply({ messages: messages.map(shown), hasMore: false, nextCursor: null, asOf: 1 }))
          : reject(new TypeError('no network')),
      ),
    )
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const shown = ({ id }: { id: string }) => ({ id, body: id, fromVisitor: false, status: 'read', timestamp: 1 }) as Item

/** A visitor who was there before and hears what happens; `answer` is of the oldest question that is open. */
async function open() {
  const store = { get: (key: string) => (key === 'visitor' ? 'v' : null), set() {}, onChange() {} } as unknown as Store
  const chat = createChat('t', {} as WebchatConfig, store, { isAlone: true, post() {} } as unknown as Page)
  const answer = async (messages: { id: string }[] | null) => {
    asked.shift()!(messages)
    await vi.advanceTimersByTimeAsync(0)
  }
  chat.begin()
  await vi.advanceTimersByTimeAsync(0)
  await answer([])
  return {
    answer,
    hear: () => lines.at(-1)!.onmessage!({ data: '40/webchat,{}' }),
    bodies: () => chat.state.get().items.map(({ body }) => body),
  }
}

it('reads again what could not be read although the line to the events stands', async () => {
  const { answer, hear, bodies } = await open()
  hear()
  await answer(null)
  await vi.advanceTimersByTimeAsync(6000)
  await answer([{ id: 'enquanto isso' }])
  expect(bodies()).toEqual(['enquanto isso'])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked).toEqual([])
})

it('reads once more where the line came to stand while it read', async () => {
  const { answer, hear, bodies } = await open()
  lines.at(-1)!.onclose!()
  await vi.advanceTimersByTimeAsync(800)
  hear()
  await answer([])
  await answer([{ id: 'entre os dois' }])
  expect(bodies()).toEqual(['entre os dois'])
  expect(asked).toEqual([])
})
