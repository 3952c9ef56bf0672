import { expect, it } from 'vitest'
import { throughGates } from './webhook-gates.ts'

const MB = 1024 * 1024

it('lets other paths through while one has begun as much as it may', async () => {
  const began: string[] = []
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  const call = (path: string, bytes: number) =>
    throughGates(path, bytes, 2 * MB, async () => {
      began.push(path)
      await held
    })
  const calls = Array.from({ length: 20 }, () => call('a', 2 * MB))
  calls.push(call('b', 2 * MB), call('a', 40 * MB), call('a', 3 * MB), call('b', 3 * MB))
  await new Promise((resolve) => setImmediate(resolve))
  // Eight small ones and one large one of `a`, both of `b`.
  expect([began.filter((path) => path === 'a').length, began.filter((path) => path === 'b').length]).toEqual([9, 2])
  go()
  await Promise.all(calls)
  expect(began).toHaveLength(24)
})
