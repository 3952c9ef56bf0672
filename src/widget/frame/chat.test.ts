import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebchatConfig } from '#features/webchat/contract.ts'
import { createChat } from './chat.ts'
import type { Item } from './conversation.ts'
import type { Page } from './page.ts'
import type { Store } from './store.ts'

type Line = { onmessage: ((event: { data: string }) => void) | null; onclose: (() => void) | null }

/** Pending message requests of the browser; each is resolved with messages, or with null for no response. */
let asked: ((messages: { id: string }[] | null) => void)[]
let paths: string[]
let lines: Line[]
/** Token of the conversation's visitor. */
let visitor: string

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  paths = []
  lines = []
  visitor = 'v'
  class Socket {
    onmessage = null
    onclose = null
    send() {}
    close() {
      lines = lines.filter((line) => line !== this)
    }
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
    if (!path.includes('/messages')) return Promise.resolve(reply({ visitorToken: visitor, ticketOpen: true }))
    paths.push(path)
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

/** Opens a chat as a returning visitor who begins to read; `answer` resolves the oldest pending request. */
async function come() {
  const kept = new Map<string, string | null>([['visitor', 'v']])
  const store = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string | null) => kept.set(key, value),
    onChange() {},
  } as unknown as Store
  const chat = createChat('t', {} as WebchatConfig, store, { isAlone: true, post() {} } as unknown as Page)
  const answer = async (messages: { id: string }[] | null) => {
    asked.shift()!(messages)
    await vi.advanceTimersByTimeAsync(0)
  }
  chat.begin()
  await vi.advanceTimersByTimeAsync(0)
  return {
    chat,
    answer,
    hear: () => lines.at(-1)!.onmessage!({ data: '40/webchat,{}' }),
    bodies: () => chat.state.get().items.map(({ body }) => body),
  }
}

/** Opens a chat that has loaded its messages and listens to events. */
async function open() {
  const visit = await come()
  await visit.answer([])
  return visit
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

/** The site names another visitor, and earlier requests are answered first. */
async function another({ chat, answer }: Awaited<ReturnType<typeof come>>): Promise<void> {
  visitor = 'w'
  chat.identify({ id: '42', hash: 'h' })
  await vi.advanceTimersByTimeAsync(0)
  await answer([{ id: 'de quem esteve aqui' }])
  await answer([{ id: 'de quem entrou' }])
}

it('reads and hears the one conversation of whom the site names meanwhile', async () => {
  const visit = await come()
  const { chat, bodies } = visit
  await another(visit)
  expect(bodies()).toEqual(['de quem entrou'])
  expect(lines).toHaveLength(1)
  expect(paths.map((path) => path.split('?')[1])).toEqual(['limit=30', 'limit=30'])
  expect(asked).toEqual([])
  expect(chat.state.get().isLoading).toBe(false)
})

it('shows nothing of a conversation that was left while it was read on', async () => {
  const visit = await open()
  visit.hear()
  await another(visit)
  expect(visit.bodies()).toEqual(['de quem entrou'])
  expect(lines).toHaveLength(1)
})
