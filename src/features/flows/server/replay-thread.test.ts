import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { until } from '#test/until.ts'
import { withReplayThread } from './replay-thread.ts'

test('a thread that dies while nobody asks it anything costs the replay alone; the next one has its own', async () => {
  const told = vi.spyOn(Worker.prototype, 'emit')
  const dying = withReplayThread({ draft: null, documents: null as never }, 20_000, async ({ play }) => {
    await until(() => told.mock.calls.some(([name]) => name === 'exit'))
    return play({ added: [], recordings: [] })
  })
  await expect(dying).rejects.toThrow()
  told.mockRestore()
  const next = withReplayThread({ draft: null, documents: [] }, 20_000, ({ play }) =>
    play({ added: [], recordings: [] }),
  )
  expect(await next).toEqual([])
})
