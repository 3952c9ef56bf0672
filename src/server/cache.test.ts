import { expect, test } from 'vitest'
import { asyncCache } from './cache.ts'

test('a cache keeps so many, and drops what was asked for longest ago', async () => {
  const loaded: string[] = []
  const cache = asyncCache(async (key) => loaded.push(key), 2)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key)
  expect(loaded).toEqual(['a', 'b', 'c', 'b'])
})
