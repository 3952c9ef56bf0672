import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { until } from '#test/until.ts'
import { type ReplayWork, withReplayThread } from './replay-thread.ts'

test('a conversation that the engine fails at cannot be played, which costs no other one', async () => {
  const document = {
    nodeList: [{ id: 'a', conditions: [{ type: 'US', action: 3 }] }],
    lineList: [{ from: 'start', to: 'a' }],
  }
  const heard = (text: string) => {
    const start = { type: 'start', at: 0, chatFlowId: 1, version: 1, facts: {} } as const
    return { id: 's', seed: 1, events: [start, { type: 'answer', at: 1, text } as const], stored: null }
  }
  const work: ReplayWork = { added: [['1:1', document]], recordings: [heard(null as never), heard('oi')] }
  expect(await withReplayThread({ draft: null, documents: [] }, 20_000, ({ play }) => play(work))).toEqual([
    null,
    'same',
  ])
})

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
