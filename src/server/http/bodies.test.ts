import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readWhole } from './bodies.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const said = (body: Promise<Buffer>) =>
  body.then(
    (all) => all.toString(),
    (error: { code: string }) => error.code,
  )
const STRANGER = { maxBytes: 1000, pace: { graceMs: 15_000 } }
const PACED = { maxBytes: 1_000_000, pace: { graceMs: 15_000, bytesPerSecond: 1000, mostMs: 30_000 } }

it('reads what comes in parts', async () => {
  const source = new PassThrough()
  const body = said(readWhole(source, STRANGER))
  source.write('um ')
  source.end('dois')
  expect(await body).toBe('um dois')
})

it.each([
  ['says that it is too long', { announced: '1001' }, '', 'ERR_FILE_TOO_LARGE'],
  ['turns out to be too long', {}, 'x'.repeat(1001), 'ERR_FILE_TOO_LARGE'],
  [
    'is more than there is room for',
    {
      take: () => {
        throw Object.assign(new Error(), { code: 'ERR_OVERLOADED' })
      },
    },
    'x',
    'ERR_OVERLOADED',
  ],
])('refuses what %s, and goes on reading for nobody', async (_, more, text, code) => {
  const source = new PassThrough()
  const body = said(readWhole(source, { ...STRANGER, ...more }))
  source.write(text)
  expect(await body).toBe(code)
  source.end('y'.repeat(100_000))
  await once(source, 'close')
})

it('says that it broke off', async () => {
  const source = new PassThrough()
  const body = said(readWhole(source, STRANGER))
  source.write('metade')
  source.destroy()
  expect(await body).toBe('ERR_VALIDATION')
})

it('gives a stranger a fixed time', async () => {
  const source = new PassThrough()
  const body = said(readWhole(source, STRANGER))
  for (let second = 0; second < 15; second++) {
    source.write('x')
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(await body).toBe('ERR_TOO_SLOW')
})

it.each([
  ['at a good pace until its last moment', 2000, 30],
  ['slower than demanded until its grace is used up', 100, 17],
])('lets a body come %s', async (_, bytesPerSecond, seconds) => {
  const source = new PassThrough()
  let ended = 0
  void said(readWhole(source, PACED)).then(() => {
    ended = second
  })
  let second = 1
  for (; second < 40; second++) {
    if (!ended) source.write('x'.repeat(bytesPerSecond))
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(ended).toBe(seconds)
})
