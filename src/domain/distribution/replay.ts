import { itemAt, lookUp } from '../present.ts'
import { type Absence, type Candidate, type DistributionRules, distribute, type WaitingTicket } from './distribute.ts'

/** Ticket that arrived on the replayed day; `tookMs`: duration of its attendance. */
export type Arrival = {
  readonly id: number
  /** Epoch ms. */
  readonly at: number
  readonly queueId: number | null
  readonly connectionId: number
  readonly owners: readonly number[]
  readonly tookMs: number
}

/** Agent in a replayed day. */
export type Player = Omit<Candidate, 'absence' | 'open' | 'turn'> & {
  /** Returns the reason for the agent's absence at a moment (epoch ms); null: available. */
  readonly absenceAt: (at: number) => Absence | null
}

/** Result of an arrival in a replay: null if unassigned at the end of the day. */
export type Played = {
  readonly arrival: Arrival
  readonly userId: number | null
  readonly givenAt: number | null
  /** Whether it flowed over to another queue. */
  readonly isOverflowed: boolean
}

const MINUTE_MS = 60_000

/**
 * Replays a day (epoch ms, `from` to `to`) with other rules, minute by minute. All agents start free, and become free again
 * after the time each ticket took.
 */
export function replay(
  arrivals: readonly Arrival[],
  people: readonly Player[],
  rules: Omit<DistributionRules, 'now' | 'seed'>,
  { from, to }: { readonly from: number; readonly to: number },
): Played[] {
  const coming = arrivals.toSorted((a, b) => a.at - b.at || a.id - b.id)
  const attending = new Map<number, { until: number[]; turn: number }>(
    people.map(({ id }) => [id, { until: [], turn: 0 }]),
  )
  const played = new Map<number, Played>()
  let waiting: WaitingTicket[] = []
  let next = 0
  let turn = 0
  for (let now = from; now <= to; now += MINUTE_MS) {
    for (; next < coming.length && itemAt(coming, next).at <= now; next++) {
      const { id, at, queueId, connectionId, owners } = itemAt(coming, next)
      const visited = queueId === null ? [] : [queueId]
      waiting.push({ id, queueId, connectionId, owners, since: at, queueSince: at, visited })
      played.set(id, { arrival: itemAt(coming, next), userId: null, givenAt: null, isOverflowed: false })
    }
    if (waiting.length === 0) continue
    const staff = people.map(({ absenceAt, ...one }) => {
      const busy = lookUp(attending, one.id)
      busy.until = busy.until.filter((until) => until > now)
      return { ...one, absence: absenceAt(now), open: busy.until.length, turn: busy.turn }
    })
    const decisions = new Map(
      distribute(waiting, staff, { ...rules, now, seed: now % 2 ** 32 }).map((one) => [one.ticketId, one]),
    )
    waiting = waiting.flatMap((ticket) => {
      const { userId, queueId, path } = lookUp(decisions, ticket.id)
      const before = lookUp(played, ticket.id)
      const isOverflowed = before.isOverflowed || path.length > 0
      const givenAt = userId === null ? null : now
      played.set(ticket.id, { ...before, userId, givenAt, isOverflowed })
      if (userId !== null) {
        const busy = lookUp(attending, userId)
        busy.until.push(now + before.arrival.tookMs)
        busy.turn = ++turn
        return []
      }
      if (path.length === 0) return [ticket]
      return [{ ...ticket, queueId, queueSince: now, visited: [...ticket.visited, ...path] }]
    })
  }
  return coming.flatMap(({ id }) => played.get(id) ?? [])
}

/** Result of a replayed day for some of its arrivals; times in ms, null if nothing was assigned. */
export type Outcome = {
  readonly arrivals: number
  readonly given: number
  readonly overflowed: number
  readonly meanWaitMs: number | null
  readonly longestWaitMs: number | null
  /** Number of tickets assigned per agent, highest first. */
  readonly people: readonly { readonly userId: number; readonly given: number }[]
}

/** Computes the result of replayed arrivals. */
export function outcomeOf(played: readonly Played[]): Outcome {
  const waits = played.flatMap(({ arrival, givenAt }) => (givenAt === null ? [] : [givenAt - arrival.at]))
  const shares = Map.groupBy(
    played.filter(({ userId }) => userId !== null),
    ({ userId }) => userId!,
  )
  return {
    arrivals: played.length,
    given: waits.length,
    overflowed: played.filter(({ isOverflowed }) => isOverflowed).length,
    meanWaitMs: waits.length === 0 ? null : Math.round(waits.reduce((sum, one) => sum + one, 0) / waits.length),
    longestWaitMs: waits.length === 0 ? null : Math.max(...waits),
    people: [...shares]
      .map(([userId, { length: given }]) => ({ userId, given }))
      .sort((a, b) => b.given - a.given || a.userId - b.userId),
  }
}
