import type { OpenTime } from '../calendar/open-time.ts'

/** SLA clocks: first answer of an agent, each further answer, and resolution. */
export const SLA_CLOCKS = ['first', 'next', 'solution'] as const

/** SLA clock. */
export type SlaClock = (typeof SLA_CLOCKS)[number]

/** State of a ticket: no clock near its limit, one past the warning, one over. */
export const SLA_STATES = ['running', 'warned', 'missed'] as const

/** SLA state. */
export type SlaState = (typeof SLA_STATES)[number]

/** SLA targets in minutes of open time (null: none), and the percentage at which to warn. */
export type SlaTargets = {
  readonly firstMinutes: number | null
  readonly nextMinutes: number | null
  readonly solutionMinutes: number | null
  readonly warnPercent: number
}

/** Conditions of a policy: an empty list matches every ticket, another list any of its values; null is no queue. */
export type SlaConditions = {
  readonly queueIds: readonly number[]
  readonly connectionIds: readonly number[]
  readonly tagIds: readonly number[]
  readonly walletIds: readonly number[]
}

/** Ticket data that the conditions are matched against. */
export type SlaSubject = {
  readonly queueId: number | null
  readonly connectionId: number
  readonly tagIds: readonly number[]
  readonly walletIds: readonly number[]
}

/** Ticket data that the clocks depend on; times in epoch ms. */
export type SlaFacts = {
  readonly isLive: boolean
  readonly isPaused: boolean
  /** Whether a chat flow attends the ticket. */
  readonly isByBot: boolean
  readonly queueId: number | null
  /** Time since which the customer waits for an agent. */
  readonly waitingSince: number | null
  /** Whether an agent wrote the last message. */
  readonly isAnswered: boolean
}

/** Clock: elapsed open time (ms) before `since`, the start of the present period; `since` is null while stopped. */
type Clock = {
  readonly spent: number
  readonly since: number | null
  /** Highest alarm sent: none, warning, missed. */
  readonly alarmed: 0 | 1 | 2
}

/** Clocks of a ticket, with the facts they depend on. */
export type Clocks = Readonly<Record<SlaClock, Clock>> & {
  readonly facts: SlaFacts
  /** Whether an agent has answered since the ticket began. */
  readonly hasAnswered: boolean
}

/** Returns the open time of a queue. */
export type TimeOf = (queueId: number | null) => OpenTime

const MINUTE = 60_000
const AT_REST: Clock = { spent: 0, since: null, alarmed: 0 }

/** Returns the first policy that matches a ticket. */
export const policyFor = <P extends SlaConditions>(policies: readonly P[], ticket: SlaSubject): P | null =>
  policies.find(
    ({ queueIds, connectionIds, tagIds, walletIds }) =>
      among(queueIds, ticket.queueId === null ? [] : [ticket.queueId]) &&
      among(connectionIds, [ticket.connectionId]) &&
      among(tagIds, ticket.tagIds) &&
      among(walletIds, ticket.walletIds),
  ) ?? null

const among = (wanted: readonly number[], has: readonly number[]): boolean =>
  wanted.length === 0 || wanted.some((id) => has.includes(id))

/**
 * Creates the clocks of a ticket: `startedAt` is its beginning, `isAttended` that an agent took it before the clocks
 * existed. A customer who already waits is counted from the start of the wait.
 */
export function beginClocks(facts: SlaFacts, startedAt: number, isAttended: boolean): Clocks {
  const hasAnswered = facts.isAnswered || isAttended
  const runs = running({ facts, hasAnswered })
  const from = (name: SlaClock): number => (name === 'solution' ? startedAt : (facts.waitingSince ?? startedAt))
  const clock = (name: SlaClock): Clock => ({ ...AT_REST, since: runs[name] ? from(name) : null })
  return { facts, hasAnswered, first: clock('first'), next: clock('next'), solution: clock('solution') }
}

/**
 * Returns the clocks after a change at a moment. Elapsed time is kept: a stopped clock continues from it, and another
 * queue's hours apply from here. Only the clock of the next answer restarts with each wait.
 */
export function advance(before: Clocks, facts: SlaFacts, at: number, timeOf: TimeOf): Clocks {
  const [waited, waits] = [before.facts.waitingSince, facts.waitingSince]
  // A later start of the wait means an answer in between.
  const isNewWait = waits !== null && (waited === null || waits > waited)
  const hasAnswered = before.hasAnswered || facts.isAnswered || (isNewWait && waited !== null)
  const runs = running({ facts, hasAnswered })
  const isOtherQueue = facts.queueId !== before.facts.queueId
  const time = timeOf(before.facts.queueId)
  const clock = (name: SlaClock): Clock => {
    const one = before[name]
    if (name === 'next' && isNewWait) return { ...AT_REST, since: runs.next ? Math.min(at, waits) : null }
    if (runs[name] && one.since !== null && !isOtherQueue) return one
    const spent = one.spent + (one.since === null ? 0 : time.between(one.since, at))
    return { ...one, spent, since: runs[name] ? at : null }
  }
  return { facts, hasAnswered, first: clock('first'), next: clock('next'), solution: clock('solution') }
}

/**
 * Returns which clocks run: a pause or the ticket's end stops all; a bot, or a customer who does not wait, stops the answer
 * clocks.
 */
function running({ facts, hasAnswered }: Pick<Clocks, 'facts' | 'hasAnswered'>): Record<SlaClock, boolean> {
  const runs = facts.isLive && !facts.isPaused
  const waits = runs && !facts.isByBot && facts.waitingSince !== null
  return { first: waits && !hasAnswered, next: waits && hasAnswered, solution: runs }
}

/** Returns the open time that a clock has counted until a moment, in ms. */
export const elapsed = ({ facts, ...clocks }: Clocks, name: SlaClock, at: number, timeOf: TimeOf): number => {
  const { spent, since } = clocks[name]
  return spent + (since === null ? 0 : timeOf(facts.queueId).between(since, at))
}

/** State to display and the alarm to send now; `lookAt` is the time at which the passing of time may change them. */
export type SlaReading = {
  /** Null while no clock runs. */
  readonly shown: {
    readonly state: SlaState
    /** The clock due first, its start and its end; epoch ms. */
    readonly clock: SlaClock
    readonly since: number
    readonly dueAt: number
  } | null
  /** Clock to alarm about, and whether it is missed; null: none. */
  readonly alarm: { readonly clock: SlaClock; readonly isMissed: boolean } | null
  readonly clocks: Clocks
  readonly lookAt: number | null
}

/**
 * Evaluates clocks against targets (null: none). The warning and the end of each clock are alarmed once, within business
 * hours.
 */
export function readClocks(clocks: Clocks, targets: SlaTargets | null, now: number, timeOf: TimeOf): SlaReading {
  const time = timeOf(clocks.facts.queueId)
  const moments = targets ? SLA_CLOCKS.flatMap((name) => momentsOf(name, clocks[name], targets, time)) : []
  const [due, ...others] = moments.toSorted((a, b) => a.dueAt - b.dueAt)
  if (!due) return { shown: null, alarm: null, clocks, lookAt: null }
  const isMissed = due.dueAt <= now
  const isWarned = [due, ...others].some(({ warnAt }) => warnAt <= now)
  const { name: clock, since, dueAt } = due
  const shown = { state: isMissed ? 'missed' : isWarned ? 'warned' : 'running', clock, since, dueAt } as const
  const levels = moments.map((one) => ({ ...one, level: one.dueAt <= now ? 2 : one.warnAt <= now ? 1 : 0 }) as const)
  const untold = levels.filter(({ name, level }) => level > clocks[name].alarmed)
  const isAlarming = untold.length > 0 && time.isOpen(now)
  const alarmed = Object.fromEntries(untold.map(({ name, level }) => [name, { ...clocks[name], alarmed: level }]))
  const loudest = untold.toSorted((a, b) => b.level - a.level || a.dueAt - b.dueAt)[0]
  const ahead = moments.flatMap(({ warnAt, dueAt }) => [warnAt, dueAt]).filter((at) => at > now)
  if (untold.length > 0 && !isAlarming) ahead.push(time.after(now, 1) ?? Number.POSITIVE_INFINITY)
  const next = Math.min(...ahead)
  return {
    shown,
    alarm: isAlarming && loudest ? { clock: loudest.name, isMissed: loudest.level === 2 } : null,
    clocks: isAlarming ? { ...clocks, ...alarmed } : clocks,
    lookAt: Number.isFinite(next) ? next : null,
  }
}

/** Returns when a running clock reaches warning and end; nothing for a stopped clock or without a target. */
function momentsOf(name: SlaClock, { spent, since }: Clock, targets: SlaTargets, time: OpenTime) {
  const minutes = targets[`${name}Minutes`]
  if (minutes === null || since === null) return []
  const target = minutes * MINUTE
  const dueAt = time.after(since, target - spent)
  if (dueAt === null) return []
  const warnAt = time.after(since, (target * targets.warnPercent) / 100 - spent) ?? dueAt
  return [{ name, since, dueAt, warnAt }]
}
