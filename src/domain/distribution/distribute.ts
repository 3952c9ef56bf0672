import { present } from '../present.ts'
import { random } from '../random.ts'

/** Distribution modes of a queue: none, lowest load relative to capacity, round robin, random. */
export const DISTRIBUTION_MODES = {
  N: 'Não distribuir',
  B: 'Balanceada',
  S: 'Sequencial',
  R: 'Aleatória',
} as const

/** Distribution mode. */
export type DistributionMode = keyof typeof DISTRIBUTION_MODES
type Giving = Exclude<DistributionMode, 'N'>

/** Reason why a person is unavailable: offline, on a break, or outside of their hours. */
export type Absence = 'offline' | 'paused' | 'hours'

/** Agent as seen by the distribution. */
export type Candidate = {
  readonly id: number
  readonly name: string
  readonly email: string
  /** Null: available. */
  readonly absence: Absence | null
  readonly queueIds: readonly number[]
  /** Empty: every connection. */
  readonly connectionIds: readonly number[]
  /** Number of open tickets that count for the agent, and the maximum. */
  readonly open: number
  readonly capacity: number
  /** Order of the last assignment, higher is later; 0: never. */
  readonly turn: number
}

/** Ticket that waits for an agent; times in epoch ms. */
export type WaitingTicket = {
  readonly id: number
  readonly queueId: number | null
  readonly connectionId: number
  /** Owners of the customer's wallet, the only permitted agents where wallets apply; empty: any. */
  readonly owners: readonly number[]
  /** Start of waiting, overall and in this queue. */
  readonly since: number
  readonly queueSince: number
  /** Queues that the ticket has been in while waiting. */
  readonly visited: readonly number[]
}

/** Distribution rule of a queue; `overflowMinutes` null: overflow only while no agent is available. */
export type QueueRule = {
  readonly mode: DistributionMode
  readonly overflowQueueId: number | null
  readonly overflowMinutes: number | null
}

/** Input of the distribution: rules of active queues, mode without a queue, present time (epoch ms) and random seed. */
export type DistributionRules = {
  readonly queues: ReadonlyMap<number, QueueRule>
  readonly noQueue: DistributionMode
  readonly now: number
  readonly seed: number
}

/** Reason why a candidate does not get a ticket; `turn`: another candidate is first. */
export type Refusal = Absence | 'wallet' | 'full' | 'turn'

/** Candidate ids by the reason for not getting the ticket. */
export type Refused = Readonly<Partial<Record<Refusal, readonly number[]>>>

/** Decision for one waiting ticket. */
export type Decision = {
  readonly ticketId: number
  /** Queues that the ticket overflows to first, in order; the last one is `queueId`. */
  readonly path: readonly number[]
  readonly queueId: number | null
  readonly mode: DistributionMode
  /** Null if not assigned yet. */
  readonly userId: number | null
  readonly refused: Refused
  /** Time of the overflow unless assigned before, in epoch ms; null: unknown. */
  readonly overflowAt: number | null
}

const MINUTE_MS = 60_000

/**
 * Assigns waiting tickets, longest waiting first, each to an agent of its queue (without one, of its connection) who is
 * available and below capacity. Otherwise it overflows when due, or while no agent is available, to each queue once.
 */
export function distribute(
  waiting: readonly WaitingTicket[],
  people: readonly Candidate[],
  rules: DistributionRules,
): Decision[] {
  const staff = staffOf(people)
  let { seed } = rules
  return waiting
    .toSorted((a, b) => a.since - b.since || a.id - b.id)
    .map((ticket) => {
      const path: number[] = []
      let { queueId, queueSince } = ticket
      for (;;) {
        const mode = modeOf(rules, queueId)
        const candidates = staff.of(queueId, ticket.connectionId)
        const { free, refused } = judge(candidates, ticket.owners)
        const about = { ticketId: ticket.id, path, queueId, mode }
        if (mode !== 'N' && free.length > 0) {
          const next = random(seed)
          seed = next.seed
          const chosen = choose(mode, free, next.value)!
          staff.give(chosen)
          const turn = free.filter((one) => one !== chosen).map(({ id }) => id)
          const others = turn.length > 0 ? { ...refused, turn } : refused
          return { ...about, userId: chosen.id, refused: others, overflowAt: null }
        }
        const overflow = overflowOf({ queueId, queueSince, visited: [...ticket.visited, ...path] }, rules)
        const isDeserted = candidates.every(({ absence }) => absence !== null)
        const isDue = overflow !== null && (isDeserted || (overflow.at !== null && overflow.at <= rules.now))
        if (!isDue) return { ...about, userId: null, refused, overflowAt: overflow?.at ?? null }
        queueId = overflow.queueId
        queueSince = rules.now
        path.push(queueId)
      }
    })
}

/** Returns the mode of a queue; tickets of an inactive queue are not assigned. */
export const modeOf = ({ queues, noQueue }: DistributionRules, queueId: number | null): DistributionMode =>
  queueId === null ? noQueue : (queues.get(queueId)?.mode ?? 'N')

/** Returns the queue that a ticket may overflow to, and when (null: only while no one is available). */
function overflowOf(
  { queueId, queueSince, visited }: Pick<WaitingTicket, 'queueId' | 'queueSince' | 'visited'>,
  { queues }: DistributionRules,
): { queueId: number; at: number | null } | null {
  const rule = queueId === null ? undefined : queues.get(queueId)
  const to = rule?.overflowQueueId ?? null
  if (!rule || to === null || to === queueId || visited.includes(to) || !queues.has(to)) return null
  return { queueId: to, at: rule.overflowMinutes === null ? null : queueSince + rule.overflowMinutes * MINUTE_MS }
}

/**
 * Returns the agent of a queue who gets a ticket now; null if none is available and below capacity. `value`: random, 0 ≤
 * value < 1.
 */
export function receiverOf(
  mode: Giving,
  people: readonly Candidate[],
  queueId: number,
  value: number,
): Candidate | null {
  return choose(mode, judge(staffOf(people).of(queueId, 0), []).free, value)
}

function judge(candidates: readonly Candidate[], owners: readonly number[]) {
  const free: Candidate[] = []
  const refused: Partial<Record<Refusal, number[]>> = {}
  for (const one of candidates) {
    const refusal = refusalOf(one, owners)
    if (refusal === null) {
      free.push(one)
      continue
    }
    refused[refusal] ??= []
    refused[refusal].push(one.id)
  }
  return { free, refused }
}

function refusalOf({ id, absence, open, capacity }: Candidate, owners: readonly number[]): Refusal | null {
  if (owners.length > 0 && !owners.includes(id)) return 'wallet'
  return absence ?? (open < capacity ? null : 'full')
}

/** Returns the candidate that a mode chooses among the available ones, which are ordered by id. */
function choose(mode: Giving, free: readonly Candidate[], value: number): Candidate | null {
  if (mode === 'R') return free[Math.floor(value * free.length)] ?? null
  const load = ({ open, capacity }: Candidate) => (mode === 'B' ? open / capacity : 0)
  return free.reduce<Candidate | null>(
    (best, one) => (best && (load(best) - load(one) || best.turn - one.turn) <= 0 ? best : one),
    null,
  )
}

/** Returns a mutable copy of the agents for assignment, ordered by id. */
function staffOf(people: readonly Candidate[]) {
  const all = people.map((one) => ({ ...one })).sort((a, b) => a.id - b.id)
  let turn = Math.max(0, ...all.map((one) => one.turn))
  const known = new Map<string, typeof all>()
  const remembered = (key: string, isIn: (one: Candidate) => boolean) => {
    const found = known.get(key) ?? all.filter(isIn)
    known.set(key, found)
    return found
  }
  return {
    /** Returns the agents of a queue; without one, those who may use the connection. */
    of: (queueId: number | null, connectionId: number): readonly Candidate[] =>
      queueId === null
        ? remembered(
            `connection ${connectionId}`,
            ({ connectionIds: ids }) => ids.length === 0 || ids.includes(connectionId),
          )
        : remembered(`queue ${queueId}`, ({ queueIds }) => queueIds.includes(queueId)),
    give({ id }: Candidate) {
      const one = present(all.find((person) => person.id === id))
      one.open++
      one.turn = ++turn
    },
  }
}
