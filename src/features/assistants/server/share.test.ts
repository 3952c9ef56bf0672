import { expect, test } from 'vitest'
import { mayBegin } from './share.ts'

test('companies whose calls hang leave places for the next ones', () => {
  const places: number[] = []
  for (let company = 0; company < 12; company += 1) {
    const others = places.reduce((sum, count) => sum + count, 0)
    let own = 0
    while (mayBegin(others + own, own)) own += 1
    places.push(own)
  }
  expect(places[0]).toBe(16)
  expect(places.every((count) => count > 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => b - a))
})
