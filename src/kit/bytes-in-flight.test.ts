import { expect, it } from 'vitest'
import { bytesInFlight } from './bytes-in-flight.ts'

it('is bound together and by key, and forgets what was given back', () => {
  const held = bytesInFlight({ most: 100, mostOfOne: 40 })
  const [a, again, nobody] = [held.open('a'), held.open('a'), held.open(null)]
  expect([a.take(30), again.take(11), again.take(10)]).toEqual([true, false, true])
  expect([nobody.take(61), nobody.take(60), held.open('b').take(1)]).toEqual([false, true, false])
  expect(held.all()).toBe(100)
  for (const one of [a, a, again, nobody]) one.free()
  expect([held.all(), held.open('a').take(40)]).toEqual([0, true])
})
