import { it } from 'vitest'
import { checkFreeze, checkHostCrash, checkTakeovers, hostPoints } from './connections.ts'

for (const point of hostPoints)
  it(`a process that has a connection is killed five times, at: ${point}`, async (test) => {
    test.expect(await checkHostCrash(test, point, 5)).toEqual({})
  })

it('of two processes the one that has three connections is killed twenty times', async (test) => {
  test.expect(await checkTakeovers(test, 20, 3)).toEqual({})
})

for (const point of ['before emit commit', 'emit committed', 'message claimed'])
  it(`a process that has a connection is frozen, at: ${point}`, async (test) => {
    test.expect(await checkFreeze(test, point)).toEqual({})
  })
