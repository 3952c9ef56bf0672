import { afterEach, expect, test, vi } from 'vitest'
import { leaveFor, startPage } from './start.ts'

const told = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => told.mockClear())

const failing = (error: unknown) => () => {
  throw error
}

test('modules start in their order, each after the one before', async () => {
  const order: string[] = []
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    order.push('slow')
  }
  await startPage(
    [
      { name: 'slow', start: slow },
      { name: 'fast', start: () => order.push('fast') },
    ],
    () => order.push('left'),
  )
  expect(order).toEqual(['slow', 'fast'])
})

test.each([
  ['throws', failing(new Error('broken'))],
  ['rejects', () => Promise.reject(new Error('broken'))],
  ['throws nothing at all', failing(null)],
])('a module that %s is logged and the rest continue', async (_, start) => {
  const rest = vi.fn()
  const go = vi.fn()
  await startPage(
    [
      { name: 'colours', start },
      { name: 'rest', start: rest },
    ],
    go,
  )
  expect(rest).toHaveBeenCalledOnce()
  expect(go).not.toHaveBeenCalled()
  expect(told.mock.calls.map(([name]) => name)).toEqual(['boot: colours'])
})

test('an error with an address redirects the whole page, and nothing more starts', async () => {
  const rest = vi.fn()
  const go = vi.fn()
  await startPage(
    [
      { name: 'session', start: failing(leaveFor('/login')) },
      { name: 'rest', start: rest },
    ],
    go,
  )
  expect(go.mock.calls).toEqual([['/login']])
  expect(rest).not.toHaveBeenCalled()
  expect(told).not.toHaveBeenCalled()
})

test.each(['https://mal.test/', '//mal.test/x', 'javascript:alert(1)'])('never to %s', async (url) => {
  const go = vi.fn()
  await startPage([{ name: 'odd', start: failing(leaveFor(url)) }], go)
  expect(go).not.toHaveBeenCalled()
  expect(told).toHaveBeenCalledOnce()
})
