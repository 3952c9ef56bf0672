import { expect, test } from 'vitest'
import { asyncCache } from './cache.ts'

test('a cache keeps so many, and drops what was asked for longest ago', async () => {
  const loaded: string[] = []
  const cache = asyncCache(async (key) => loaded.push(key), 2)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key)
  expect(loaded).toEqual(['a', 'b', 'c', 'b'])
})

test('room is made as it is needed: fifty empty caches take next to nothing', () => {
  const before = process.memoryUsage()
  const caches = Array.from({ length: 50 }, () => asyncCache(async (key) => key))
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(5_000_000)
  expect(caches).toHaveLength(50)
})
