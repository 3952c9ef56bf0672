import { it } from 'vitest'
import { checkFreeze, checkHostCrash, checkTakeovers, hostPoints } from './connections.ts'

for (const point of hostPoints)
  it(`a process that has a connection is killed five times, at: ${point}`, async (test) => {
    test.expect(await checkHostCrash(test, point, 5)).toEqual({})
  })

it('of two processes the one that has three connections is killed twenty times', async (test) => {
  const { slowest, wrong } = await checkTakeovers(test, 20, 3)
  test.expect(wrong).toEqual({})
  test.expect(slowest).toBeLessThan(30_000)
})

for (const point of ['before emit commit', 'emit committed', 'message claimed'])
  it(`a process that has a connection is frozen, at: ${point}`, async (test) => {
    const { ms, wrong } = await checkFreeze(test, point)
    test.expect(wrong).toEqual({})
    test.expect(ms).toBeLessThan(30_000)
  })
