import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breadth } from '#test/setup/breadth.ts'
import { createFeed, type FeedEvent, type FeedPage } from './feed.ts'

const change = (seq: number) => ({ channel: 'ticketList', type: 'chat:ack', payload: seq, seq })

/** Simulates a server's feed of `last` changes, returned `size` at a time; changes older than `oldest` are gone. */
const server = (last: () => number, size = 3, oldest = 0) => {
  return async (after: number | null): Promise<FeedPage> => {
    if (after === null) return { changes: [], lastSeq: last(), hasMore: false, resync: false }
    if (after < oldest) return { changes: [], lastSeq: last(), hasMore: false, resync: true }
    const to = Math.min(last(), after + size)
    const changes = Array.from({ length: Math.max(0, to - after) }, (_, index) => change(after + index + 1))
    return { changes, lastSeq: to, hasMore: to < last(), resync: false }
  }
}

test('what was missed is told before what arrives meanwhile, each once and in order', async () => {
  const told: number[] = []
  const missed: number[] = []
  const feed = createFeed({
    read: server(() => 8),
    publish: ({ seq }, isMissed) => {
      told.push(seq as number)
      if (isMissed) missed.push(seq as number)
    },
    reload: () => expect.unreachable('nothing is lost'),
  })
  feed.startAt(2)
  feed.live(change(3))
  const healed = feed.heal()
  feed.live(change(8)) // also in the feed
  feed.live(change(9)) // newer than the feed's answer
  expect(told).toEqual([3])
  await healed
  expect(told).toEqual([3, 4, 5, 6, 7, 8, 9])
  expect(missed).toEqual([4, 5, 6, 7, 8])
})

test('what is not kept passes at once and moves no place', async () => {
  const told: FeedEvent[] = []
  const feed = createFeed({ read: server(() => 5), publish: (one) => told.push(one), reload: () => {} })
  feed.startAt(5)
  feed.live({ channel: 'typing', type: 'presence', payload: 'composing', seq: null })
  feed.live(change(6))
  expect(told.map((one) => one.seq)).toEqual([null, 6])
})

test('a place that is too old, or a feed that does not answer, means reading the screen again', async () => {
  let again = 0
  const old = createFeed({ read: server(() => 50, 3, 40), publish: () => {}, reload: () => again++ })
  old.startAt(10)
  await old.heal()
  const silent = createFeed({ read: () => Promise.reject(new Error('down')), publish: () => {}, reload: () => again++ })
  silent.startAt(1)
  await silent.heal()
  expect(again).toBe(2)
})

test('without a place the newest one is taken and the screen is read again', async () => {
  let again = 0
  const told: unknown[] = []
  const feed = createFeed({ read: server(() => 50), publish: ({ seq }) => told.push(seq), reload: () => again++ })
  const healed = feed.heal()
  feed.live(change(50))
  feed.live(change(51))
  await healed
  expect([again, told]).toEqual([1, [51]])
})

test('a line that breaks anywhere, also while it heals, ends with every change told once and in order', async () => {
  const step = fc.constantFrom('happen', 'break', 'open', 'wait')
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 40 }), async (steps) => {
      let last = 0
      let open = false
      const told: number[] = []
      const answer = server(() => last, 2)
      const feed = createFeed({
        async read(after) {
          const page = await answer(after) // as the server saw it when it was asked
          await tick()
          return page
        },
        publish: ({ seq }) => told.push(seq as number),
        reload: () => expect.unreachable('nothing is lost'),
      })
      feed.startAt(0)
      const heals: Promise<void>[] = []
      for (const one of [...steps, 'break', 'open']) {
        if (one === 'happen') {
          last += 1
          if (open) feed.live(change(last))
        }
        if (one === 'break') open = false
        if (one === 'wait') await tick()
        if (one === 'open' && !open) {
          open = true
          heals.push(feed.heal())
        }
      }
      await Promise.all(heals)
      expect(told).toEqual(Array.from({ length: last }, (_, index) => index + 1))
    }),
    { numRuns: breadth(500, 2000) },
  )
})
