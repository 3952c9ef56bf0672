import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breadth } from '#test/setup/breadth.ts'
import { random } from '../random.ts'
import {
  type Candidate,
  type Decision,
  distribute,
  type QueueRule,
  receiverOf,
  type WaitingTicket,
} from './distribute.ts'
import { type Arrival, outcomeOf, type Player, replay } from './replay.ts'

const MINUTE = 60_000
const person = (id: number, rest: Partial<Candidate> = {}): Candidate => ({
  ...{ id, name: `P${id}`, email: `p${id}@x.test`, absence: null, queueIds: [1], connectionIds: [] },
  ...{ open: 0, capacity: 10, turn: 0, ...rest },
})
const ticket = (id: number, rest: Partial<WaitingTicket> = {}): WaitingTicket => ({
  ...{ id, queueId: 1, connectionId: 5, owners: [], since: id, queueSince: id, visited: [1], ...rest },
})
const rule = (rest: Partial<QueueRule> = {}): QueueRule => ({
  ...{ mode: 'B', overflowQueueId: null, overflowMinutes: null, ...rest },
})
const rules = (queues: Record<number, QueueRule> = { 1: rule() }, now = 1000) => ({
  queues: new Map(Object.entries(queues).map(([id, one]) => [Number(id), one])),
  noQueue: 'B' as const,
  now,
  seed: 7,
})
const given = (decisions: readonly Decision[]) => decisions.map(({ ticketId, userId }) => [ticketId, userId])

describe('who gets what waits', () => {
  test('balanced: who has least of what they may have, then whose turn is longest ago', () => {
    const people = [person(1, { open: 3 }), person(2, { open: 4, capacity: 20 }), person(3, { open: 2, turn: 9 })]
    expect(given(distribute([ticket(1), ticket(2), ticket(3)], people, rules()))).toEqual([
      [1, 2],
      [2, 3],
      [3, 2],
    ])
  })
  test('in turn: one for each, the last one who got something comes last', () => {
    const people = [person(1, { turn: 5 }), person(2, { turn: 4 }), person(3, { turn: 6, open: 0 })]
    const decided = distribute(
      [1, 2, 3, 4].map((id) => ticket(id)),
      people,
      rules({ 1: rule({ mode: 'S' }) }),
    )
    expect(given(decided).map(([, userId]) => userId)).toEqual([2, 1, 3, 2])
  })
  test('at random: each of those who are free, and nobody else', () => {
    const people = [person(1), person(2), person(3, { absence: 'paused' }), person(4)]
    const got = new Set(
      Array.from({ length: 60 }, (_, seed) => {
        return distribute([ticket(1)], people, { ...rules({ 1: rule({ mode: 'R' }) }), seed })[0]!.userId
      }),
    )
    expect([...got].sort()).toEqual([1, 2, 4])
    // Each ticket of one run draws a new random number.
    const many = Array.from({ length: 10 }, (_, id) => ticket(id))
    const together = distribute(many, people, rules({ 1: rule({ mode: 'R' }) }))
    expect(new Set(together.map(({ userId }) => userId)).size).toBe(3)
  })
  test('who waits longest comes first, whatever their order; the tenth waits for whoever becomes free', () => {
    const ten = Array.from({ length: 10 }, (_, index) => ticket(10 - index, { since: index }))
    const people = [1, 2, 3].map((id) => person(id, { capacity: 3 }))
    const decided = distribute(ten, people, rules())
    expect(decided.filter(({ userId }) => userId === null).map(({ ticketId }) => ticketId)).toEqual([1])
    expect([1, 2, 3].map((id) => decided.filter(({ userId }) => userId === id).length)).toEqual([3, 3, 3])
    expect(decided.at(-1)!.refused).toEqual({ full: [1, 2, 3] })
  })
  test('everybody else is named with the reason', () => {
    const people = [
      ...[person(1, { absence: 'offline' }), person(2, { absence: 'hours' }), person(3, { absence: 'paused' })],
      ...[person(4, { open: 10 }), person(5, { queueIds: [2] }), person(6, { open: 1 }), person(7, { capacity: 0 })],
      ...[person(8), person(9)],
    ]
    const [one] = distribute([ticket(1, { owners: [1, 2, 3, 4, 7, 8, 6] })], people, rules())
    expect(one).toMatchObject({ userId: 8, mode: 'B' })
    expect(one!.refused).toEqual({ offline: [1], hours: [2], paused: [3], full: [4, 7], wallet: [9], turn: [6] })
  })
  test('without a queue: whoever may use its connection', () => {
    const people = [person(1, { connectionIds: [6] }), person(2, { connectionIds: [5, 6], queueIds: [] })]
    const one = ticket(1, { queueId: null, visited: [] })
    expect(distribute([one], people, rules())[0]!.userId).toBe(2)
    expect(distribute([one], people, { ...rules(), noQueue: 'N' })[0]!.userId).toBe(null)
  })
  test('nothing of a queue that does not distribute, or is not there', () => {
    const decided = distribute([ticket(1), ticket(2, { queueId: 9 })], [person(1, { queueIds: [1, 9] })], {
      ...rules({ 1: rule({ mode: 'N' }) }),
    })
    expect(given(decided)).toEqual([
      [1, null],
      [2, null],
    ])
  })
  test('a flow gives by the same rules', () => {
    expect(receiverOf('B', [person(1, { open: 1 }), person(2)], 1, 0)!.id).toBe(2)
    expect(receiverOf('R', [person(1), person(2)], 1, 0.99)!.id).toBe(2)
    expect(receiverOf('S', [person(1, { absence: 'offline' })], 1, 0)).toBe(null)
  })
})

describe('overflow', () => {
  const to = (overflowQueueId: number, overflowMinutes: number | null = 5) => rule({ overflowQueueId, overflowMinutes })
  const busy = person(1, { open: 10 })
  test('after so many minutes in the queue, not before', () => {
    const people = [busy, person(2, { queueIds: [2] })]
    const queues = { 1: to(2), 2: rule() }
    const at = 5 * MINUTE + 1
    expect(distribute([ticket(1)], people, rules(queues, at - 1))[0]).toMatchObject({
      userId: null,
      path: [],
      overflowAt: at,
    })
    expect(distribute([ticket(1)], people, rules(queues, at))[0]).toMatchObject({ userId: 2, path: [2], queueId: 2 })
  })
  test('its own queue comes first, also when its time is over', () => {
    const people = [person(1), person(2, { queueIds: [2] })]
    expect(distribute([ticket(1)], people, rules({ 1: to(2), 2: rule() }, 1e9))[0]).toMatchObject({
      userId: 1,
      path: [],
    })
  })
  test('at once while nobody is there; without minutes only then', () => {
    const queues = { 1: to(2, null), 2: rule() }
    const other = person(2, { queueIds: [2] })
    const gone = person(1, { absence: 'offline' })
    expect(distribute([ticket(1)], [gone, other], rules(queues))[0]).toMatchObject({ userId: 2, path: [2] })
    const full = distribute([ticket(1)], [busy, other], rules(queues, 1e12))[0]
    expect(full).toMatchObject({ userId: null, path: [], overflowAt: null })
  })
  test('to each queue once while it waits, however they point to each other', () => {
    const queues = { 1: to(2), 2: to(3), 3: to(1) }
    const decided = distribute([ticket(1)], [], rules(queues))[0]!
    expect([decided.path, decided.userId]).toEqual([[2, 3], null])
    const back = ticket(1, { queueId: 3, visited: [1, 2, 3] })
    expect(distribute([back], [], rules(queues, 1e12))[0]!.path).toEqual([])
  })
  test('a queue that does not distribute flows over all the same, to one that exists', () => {
    const people = [person(2, { queueIds: [2] })]
    expect(distribute([ticket(1)], people, rules({ 1: { ...to(2), mode: 'N' }, 2: rule() }))[0]!.userId).toBe(2)
    expect(distribute([ticket(1)], people, rules({ 1: to(9) }))[0]).toMatchObject({ path: [], userId: null })
  })
})

// Reference implementation of the same day, minute by minute.
type Slow = { arrival: Arrival; queue: number | null; since: number; been: number[] }
function slowly(arrivals: Arrival[], people: Player[], queues: Record<number, QueueRule>, minutes: number) {
  const had: { by: number; until: number }[] = []
  const order: number[] = []
  const got = new Map<number, [number | null, number | null]>()
  let waiting: Slow[] = []
  for (let now = 0; now <= minutes * MINUTE; now += MINUTE) {
    for (const arrival of arrivals) {
      if (arrival.at > now - MINUTE && arrival.at <= now) {
        waiting.push({ arrival, queue: arrival.queueId, since: arrival.at, been: [arrival.queueId!] })
        got.set(arrival.id, [null, null])
      }
    }
    waiting.sort((a, b) => a.arrival.at - b.arrival.at || a.arrival.id - b.arrival.id)
    let seed = now
    const left: Slow[] = []
    for (const one of waiting) {
      for (;;) {
        const here = people.filter(({ queueIds }) => queueIds.includes(one.queue!))
        const openOf = (id: number) => had.filter(({ by, until }) => by === id && until > now).length
        const free = here.filter((p) => p.absenceAt(now) === null && openOf(p.id) < p.capacity)
        const { mode, overflowQueueId, overflowMinutes } = queues[one.queue!]!
        if (mode !== 'N' && free.length > 0) {
          const drawn = random(seed)
          seed = drawn.seed
          const lastTurn = (id: number) => order.lastIndexOf(id)
          const inTurn = [...free].sort((a, b) => lastTurn(a.id) - lastTurn(b.id) || a.id - b.id)
          const balanced = [...inTurn].sort((a, b) => openOf(a.id) / a.capacity - openOf(b.id) / b.capacity)
          const byId = [...free].sort((a, b) => a.id - b.id)
          const who = { S: inTurn[0]!, B: balanced[0]!, R: byId[Math.floor(drawn.value * byId.length)]! }[mode]
          had.push({ by: who.id, until: now + one.arrival.tookMs })
          order.push(who.id)
          got.set(one.arrival.id, [who.id, now])
          break
        }
        const isNobodyThere = here.every((p) => p.absenceAt(now) !== null)
        const isLate = overflowMinutes !== null && now - one.since >= overflowMinutes * MINUTE
        if (overflowQueueId === null || one.been.includes(overflowQueueId) || !(isNobodyThere || isLate)) {
          left.push(one)
          break
        }
        one.queue = overflowQueueId
        one.since = now
        one.been.push(overflowQueueId)
      }
    }
    waiting = left
  }
  return arrivals.map(({ id }) => [id, ...(got.get(id) ?? [null, null])])
}

test('every mode gives what a slow simulation gives, over random days', () => {
  const minutes = 90
  const queueIds = [1, 2, 3]
  const day = fc.record({
    arrivals: fc.array(
      fc.record({
        minute: fc.integer({ min: 0, max: minutes }),
        queueId: fc.constantFrom(...queueIds),
        held: fc.integer({ min: 1, max: 40 }),
      }),
      { maxLength: 60 },
    ),
    people: fc.array(
      fc.record({
        queueIds: fc.uniqueArray(fc.constantFrom(...queueIds), { minLength: 1 }),
        capacity: fc.integer({ min: 0, max: 4 }),
        from: fc.integer({ min: 0, max: minutes }),
        to: fc.integer({ min: 0, max: minutes }),
      }),
      { maxLength: 6 },
    ),
    queues: fc.tuple(
      ...queueIds.map((id) =>
        fc.record({
          mode: fc.constantFrom('N' as const, 'B' as const, 'S' as const, 'R' as const),
          overflowQueueId: fc.constantFrom(null, ...queueIds.filter((other) => other !== id)),
          overflowMinutes: fc.constantFrom(null, 3, 10),
        }),
      ),
    ),
  })
  fc.assert(
    fc.property(day, ({ arrivals: come, people: staff, queues }) => {
      const arrivals = come.map(({ minute, queueId, held }, index) => ({
        ...{ id: index + 1, at: minute * MINUTE, queueId, connectionId: 1, owners: [], tookMs: held * MINUTE },
      }))
      const people = staff.map(({ from, to, ...one }, index): Player => {
        const { id, name, email } = person(index + 1)
        const absenceAt = (at: number) => (at >= from * MINUTE && at < to * MINUTE ? null : 'hours')
        return { ...one, id, name, email, connectionIds: [], absenceAt }
      })
      const byId = { 1: queues[0]!, 2: queues[1]!, 3: queues[2]! }
      const played = replay(arrivals, people, rules(byId), { from: 0, to: minutes * MINUTE })
      const told = new Map(played.map(({ arrival, userId, givenAt }) => [arrival.id, [arrival.id, userId, givenAt]]))
      expect(arrivals.map(({ id }) => told.get(id))).toEqual(slowly(arrivals, people, byId, minutes))
    }),
    { numRuns: breadth(150, 5000) },
  )
})

test('a day is counted: shares, waits, overflow', () => {
  const at = (id: number, minute: number): Arrival => {
    return { id, at: minute * MINUTE, queueId: 1, connectionId: 1, owners: [], tookMs: 10 * MINUTE }
  }
  const ana: Player = { ...person(1, { capacity: 1 }), absenceAt: () => null }
  const bia: Player = { ...person(2, { queueIds: [2], capacity: 1 }), absenceAt: () => null }
  const queues = { 1: rule({ overflowQueueId: 2, overflowMinutes: 4 }), 2: rule() }
  const played = replay([at(1, 0), at(2, 1), at(3, 2)], [ana, bia], rules(queues), { from: 0, to: 12 * MINUTE })
  // The third one is with the second queue when the day is over.
  expect(outcomeOf(played)).toEqual({
    ...{ arrivals: 3, given: 2, overflowed: 2, meanWaitMs: 2 * MINUTE, longestWaitMs: 4 * MINUTE },
    people: [
      { userId: 1, given: 1 },
      { userId: 2, given: 1 },
    ],
  })
})
