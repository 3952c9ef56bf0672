import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns } from './alone.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Makes turns, records what began and ended in them, and starts work that ends on request. */
function start() {
  const turns = createTurns()
  turns.open()
  const done: string[] = []
  const begin = (how: 'beside' | 'alone', name: string) => {
    const end = Promise.withResolvers<void>()
    let company: AbortSignal | undefined
    void turns[how](async (signal?: AbortSignal) => {
      company = signal
      done.push(`${name} begins`)
      await end.promise
      done.push(`${name} ends`)
    })
    return { end: end.resolve, isInCompany: () => company?.aborted }
  }
  const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  return { turns, done, begin, settle }
}

test('what runs alone waits for what is under way, runs one after the other, and what comes meanwhile waits for it', async () => {
  const { turns, done, begin, settle } = start()
  const first = begin('beside', 'first')
  const [one, other] = [begin('alone', 'one'), begin('alone', 'other')]
  const last = begin('beside', 'last')
  await settle()
  expect([done, turns.isTaken()]).toEqual([['first begins'], true])
  for (const { end } of [first, one, other, last]) {
    end()
    await settle()
  }
  expect(done).toEqual(['first', 'one', 'other', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect([one, other].map(({ isInCompany }) => isInCompany())).toEqual([false, false])
  expect(turns.isTaken()).toBe(false)
})

test('nobody waits for ever: what takes long is in company, and says so', async () => {
  const { done, begin, settle } = start()
  begin('beside', 'endless')
  const patient = begin('alone', 'patient')
  await settle(5000)
  expect([done.at(-1), patient.isInCompany()]).toEqual(['patient begins', true])
  begin('beside', 'late')
  const next = begin('alone', 'next')
  await settle(9000)
  expect(done.at(-1)).not.toBe('late begins')
  await settle(1000)
  // The endless one was waited for once, not once more for each that follows.
  expect(done.slice(-2).toSorted()).toEqual(['late begins', 'next begins'])
  expect(next.isInCompany()).toBe(true)
})

test('work that joins the others lets them go on, and many pieces in a row hold others ten seconds at most', async () => {
  const { turns, done, begin, settle } = start()
  const end = Promise.withResolvers<void>()
  void turns.alone(async (company, join) => {
    join()
    join()
    done.push(`joined, in company: ${company.aborted}`)
    await end.promise
  })
  begin('beside', 'other').end()
  await settle()
  expect(done).toEqual(['joined, in company: true', 'other begins', 'other ends'])
  expect(turns.isTaken()).toBe(false)
  end.resolve()
  await settle()
  const hanging = ['one', 'two', 'three'].map((name) => begin('alone', name))
  await settle()
  begin('beside', 'patient').end()
  await settle(10_000)
  expect(done).toContain('patient ends')
  expect(hanging[0]!.isInCompany()).toBe(true)
})
