import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type SocketMemory, type WatchedSocket, watchSocket } from './liveness.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Connection that answers each ping after a delay in ms; null: not at all. */
function line(answersAfter: number | null = 50, memory: SocketMemory = { slowest: null }) {
  const ws = new EventEmitter()
  const about = { answersAfter, asked: 0, lost: 0 }
  const stop = watchSocket(
    {
      ws: ws as unknown as WatchedSocket['ws'],
      generateMessageTag: () => String(about.asked),
      async sendNode() {
        about.asked++
        if (about.answersAfter !== null) setTimeout(() => ws.emit('message'), about.answersAfter)
      },
    },
    memory,
    () => void about.lost++,
  )
  return Object.assign(about, { ws, stop, memory })
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a line that says nothing any more is lost within five seconds, once', async () => {
  const one = line()
  await pass(60_000)
  expect(one.lost).toBe(0)
  one.answersAfter = null
  one.ws.emit('message')
  await pass(4500)
  expect(one.lost).toBe(0)
  await pass(500)
  expect(one.lost).toBe(1)
  await pass(60_000)
  expect(one).toMatchObject({ lost: 1 })
  expect(vi.getTimerCount()).toBe(0)
})

test('one on which something comes in is not asked', async () => {
  const one = line()
  await pass(100)
  for (let n = 0; n < 20; n++) {
    one.ws.emit('message')
    await pass(2000)
  }
  expect(one).toMatchObject({ asked: 1, lost: 0 })
})

test.each([2000, 3000, 8000])('a slow one that answers after %i ms from the start is there', async (ms) => {
  const one = line(ms)
  await pass(300_000)
  expect(one.lost).toBe(0)
})

test('one that grows slower is there as long as it answers, and lost later', async () => {
  const one = line()
  for (const ms of [50, 1000, 2000, 5000, 12_000]) {
    one.answersAfter = ms
    await pass(40_000)
  }
  expect(one.lost).toBe(0)
  one.answersAfter = null
  await pass(60_000)
  expect(one.lost).toBe(1)
})

test('one that was lost is believed more when it is opened anew, until it has answered for a while', async () => {
  const first = line()
  await pass(10_000)
  first.answersAfter = null
  await pass(10_000)
  expect(first.lost).toBe(1)
  const next = line(50, first.memory)
  await pass(3000)
  next.answersAfter = null
  next.ws.emit('message')
  await pass(7000)
  expect(next.lost).toBe(0)
  await pass(2000)
  expect(next.lost).toBe(1)
  const well = line(50, first.memory)
  await pass(120_000)
  well.answersAfter = null
  well.ws.emit('message')
  await pass(5000)
  expect(well.lost).toBe(1)
})

test('a process that was held up itself asks for another while', async () => {
  const one = line()
  await pass(100)
  one.answersAfter = null
  await pass(2500)
  expect(one.asked).toBe(2)
  // The process is blocked for ten seconds: its clock advances, its timers do not.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
  await pass(2300)
  expect(one.lost).toBe(0)
  one.ws.emit('message')
  await pass(2000)
  expect(one.lost).toBe(0)
  vi.restoreAllMocks()
})

test('after it was stopped nothing is asked', async () => {
  const one = line()
  await pass(100)
  one.stop()
  await pass(60_000)
  expect(one).toMatchObject({ asked: 1, lost: 0 })
  expect(vi.getTimerCount()).toBe(0)
})
