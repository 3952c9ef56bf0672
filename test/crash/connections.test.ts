import { it } from 'vitest'
import { checkFreeze, checkHostCrash, checkTakeovers, hostPoints } from './connections.ts'

// Each waits for processes and for seconds of silence: side by side they take as long as one.
for (const point of hostPoints.slice(0, 2))
  it.concurrent(`a process that has a connection is killed, at: ${point}`, async (test) => {
    test.expect(await checkHostCrash(test, point, 1)).toEqual({})
  }, 90_000)

it.concurrent('another process has the connection soon after a kill; nothing is lost or doubled', async (test) => {
  const { slowest, wrong } = await checkTakeovers(test, 1, 2)
  test.expect(wrong).toEqual({})
  test.expect(slowest).toBeLessThan(15_000)
}, 90_000)

it.concurrent('a frozen process loses its connection to a living one; awake again it neither emits nor sends', async (test) => {
  const { ms, wrong } = await checkFreeze(test, '')
  test.expect(wrong).toEqual({})
  test.expect(ms).toBeLessThan(15_000)
}, 90_000)
