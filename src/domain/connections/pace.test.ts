import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breadth } from '#test/setup/breadth.ts'
import { afterRefusal, begunPerHour, type Pace, type PaceState, restedPace, takeTurn } from './pace.ts'

const HOUR = 3_600_000
const pace: Pace = { perMinute: 6, begunPerHour: 4 }

/**
 * Returns the times at which paced sends leave; each wanted send has a wait after the one before, and whether it begins a
 * conversation.
 */
function gone(wanted: readonly (readonly [wait: number, isFirst: boolean])[], paced = pace) {
  const all: { at: number; isFirst: boolean }[] = []
  let [state, now] = [restedPace(paced, 0), 0]
  for (const [wait, isFirst] of wanted) {
    now += wait
    const turn = takeTurn(state, paced, now, isFirst)
    if ('at' in turn) continue
    state = turn.after
    all.push({ at: now, isFirst })
  }
  return { all, state, now }
}

const most = (times: readonly number[], ms: number): number =>
  Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at < start + ms).length))
const wanted = fc.array(fc.tuple(fc.integer({ min: 0, max: 900_000 }), fc.boolean()), { maxLength: 60 })

describe('the pace of a connection', () => {
  test('in no hour more conversations are begun than it permits, and in no minute more than two buckets leave', () => {
    fc.assert(
      fc.property(wanted, (list) => {
        const { all } = gone(list)
        const begun = all.filter(({ isFirst }) => isFirst).map(({ at }) => at)
        expect(most(begun, HOUR)).toBeLessThanOrEqual(pace.begunPerHour)
        const times = all.map(({ at }) => at)
        expect(most(times, 60_000)).toBeLessThanOrEqual(2 * pace.perMinute)
      }),
      { numRuns: breadth(60, 1000) },
    )
  })

  test('whoever waits may go at the moment that was named, and not before', () => {
    fc.assert(
      fc.property(wanted, fc.boolean(), (list, isFirst) => {
        const { state, now } = gone(list)
        const turn = takeTurn(state, pace, now, isFirst)
        if (!('at' in turn)) return
        expect(turn.at).toBeGreaterThan(now)
        expect(takeTurn(state, pace, turn.at, isFirst)).toHaveProperty('after')
        expect(takeTurn(state, pace, turn.at - 11, isFirst)).toHaveProperty('at')
      }),
      { numRuns: breadth(60, 1000) },
    )
  })

  test('open conversations go on while the hour’s places are taken, and nothing is kept of what is over', () => {
    const { state, now } = gone(Array.from({ length: 8 }, () => [20_000, true] as const))
    expect(state.begun).toHaveLength(4)
    expect(takeTurn(state, pace, now, true)).toEqual({ at: 20_000 + HOUR })
    expect(takeTurn(state, pace, now, false)).toHaveProperty('after')
    const later = takeTurn(state, pace, now + 2 * HOUR, true)
    expect(later).toMatchObject({ after: { tokens: pace.perMinute - 1 } })
    const aDayLater = takeTurn(state, pace, now + 25 * HOUR, true)
    expect(aDayLater).toMatchObject({ after: { begun: [now + 25 * HOUR] } })
  })

  test('a clock that was set back gives nothing away', () => {
    const { state, now } = gone([[1000, true]])
    expect(takeTurn(state, pace, now - 500, false)).toMatchObject({ after: { tokens: 4 } })
  })
})

describe('what the channel refused', () => {
  const refuse = (times: readonly number[], start: PaceState = restedPace(pace, 0)) =>
    times.reduce((state, at) => afterRefusal(state, at), start)

  test.each([
    [[0, 1000], 4, null],
    [[0, 1000, HOUR], 4, null],
    [[0, 1000, 2000], 2, 2000 + 24 * HOUR],
    [[0, HOUR - 1, HOUR + 1, HOUR + 2], 2, HOUR + 2 + 24 * HOUR],
    [[0, 1, 2, 3, 4], 2, 2 + 24 * HOUR],
    [[0, 1, 2, 3, 4, 5], 1, 5 + 24 * HOUR],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], 1, 8 + 24 * HOUR],
  ])('at %j leaves %i conversations an hour', (times, perHour, until) => {
    const state = refuse(times)
    expect([begunPerHour(pace, state, times.at(-1)! + 1), state.slowUntil]).toEqual([perHour, until])
  })

  test('it is over when its time is, and the next three halve it once', () => {
    const state = refuse([0, 1, 2])
    const over = state.slowUntil!
    expect([begunPerHour(pace, state, over - 1), begunPerHour(pace, state, over)]).toEqual([2, 4])
    expect(refuse([over, over + 1, over + 2], state)).toMatchObject({ halvings: 1, slowUntil: over + 2 + 24 * HOUR })
  })

  test('half the places are free a minute after, and what was begun before counts', () => {
    const { state, now } = gone(Array.from({ length: 3 }, () => [20_000, true] as const))
    const slow = refuse([now, now, now], state)
    expect(takeTurn(slow, pace, now, true)).toEqual({ at: 40_000 + HOUR })
  })
})
