import type { Candidate } from '#domain/distribution/distribute.ts'
import { type Flow, UNDIRECTED } from '#domain/flow/flow.ts'
import { ENGINE, type FlowVersion, type RecordedEvent, recordedFacts } from '#domain/flow/recording.ts'
import {
  asResolved,
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowSession,
  factsAfter,
  newSession,
  numberOf,
} from '#domain/flow/session.ts'
import { type StartingVersions, versionToStart } from '#domain/flow/start.ts'
import { step } from '#domain/flow/step.ts'
import { change } from '#domain/tickets/transitions.ts'
import { findSubjects } from '#features/ledger/server/texts/index.ts'
import { type LedgerTicket, lockLedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { moveUnattended } from '#features/tickets/server/change/index.ts'
import { type Ctx, withSavepoint } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { carryOut, type Outcome, stepsIn } from './carry-out.ts'
import { flowOf } from './documents.ts'
import { distributes, lockPeople, namedBy, readFacts, type Subjects } from './facts.ts'
import { publishedVersion, startingVersions } from './queries.ts'
import {
  endSession,
  findClosing,
  findSession,
  insertEvents,
  insertSessions,
  insertSteps,
  listLive,
  moveSession,
  type SessionStep,
  type Situation,
  ticketOfSession,
  updateSessions,
} from './queries-sessions.ts'

/** Data loaded for new conversations, and the pending writes on their tickets. */
type Known = {
  readonly versions: ReadonlyMap<number, StartingVersions>
  readonly situations: ReadonlyMap<number, Situation>
  readonly moving: Promise<void>
}

/** Starts sessions with published versions of flows, in tickets that the flows attend already. */
export async function beginSessions(
  ctx: Ctx,
  wanted: readonly { readonly ticketId: number; readonly chatFlowId: number }[],
  known?: Known,
): Promise<void> {
  const flowIds = wanted.map(({ chatFlowId }) => chatFlowId)
  const versions = known?.versions ?? (await startingVersions(ctx.db, flowIds))
  const begun: { ticketId: number; session: FlowSession }[] = []
  for (const { ticketId, chatFlowId } of wanted) {
    const starting = versions.get(chatFlowId)
    if (!starting) continue
    const id = ctx.newId()
    const seed = seedOf(id)
    const version = versionToStart(starting, seed)
    if ((await flowOf(ctx, chatFlowId, version)) === null) continue
    begun.push({ ticketId, session: newSession({ id, chatFlowId, version, seed }) })
  }
  if (begun.length === 0) return known?.moving
  const ticketIds = begun.map(({ ticketId }) => ticketId)
  const [, tickets, subjects] = await Promise.all([
    insertSessions(ctx.db, begun, ctx.now),
    lockLedgerTickets(ctx.db, ticketIds),
    findSubjects(ctx.db, ticketIds),
    known?.moving,
  ])
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const event = { type: 'start', at: ctx.now.getTime() } as const
  await goOn(
    ctx,
    begun.flatMap(({ ticketId, session }) => {
      const ticket = byId.get(ticketId)
      // Only a customer's message counts as a contact's first attendance.
      const isFirstTicket = known?.situations.get(ticketId)?.isFirstTicket ?? false
      return ticket ? [{ ticket, session, event, isFirstTicket }] : []
    }),
    subjects,
  )
}

/** Returns the random seed of a session: the last digits of its id, so that a replay can derive it. */
export const seedOf = (id: string): number => Number.parseInt(id.slice(-8), 16)

/** Passes an event to a session, unless it has ended. Locks the ticket first. */
export async function happen(ctx: Ctx, sessionId: string, event: FlowEvent): Promise<void> {
  const ticketId = await ticketOfSession(ctx.db, sessionId)
  const ticket = ticketId === undefined ? undefined : await lockLedgerTicket(ctx.db, ticketId)
  const stored = ticket && (await findSession(ctx.db, sessionId))
  if (ticket && stored && !stored.isEnded)
    await orLetGo(ctx, ticket.id, (inner) => goOn(inner, [{ ticket, session: stored.state, event }]))
}

/** Event of an active session; the caller has locked the ticket. */
export type Happening = {
  readonly ticket: LedgerTicket
  readonly session: FlowSession
  readonly event: FlowEvent
  /** Only needed at the start. */
  readonly isFirstTicket?: boolean
}

/**
 * Advances sessions of different tickets by one event each, with all effects, in this transaction; `subjects` are the
 * tickets' subjects if already loaded.
 */
export async function goOn(ctx: Ctx, happenings: readonly Happening[], subjects?: Subjects): Promise<void> {
  const moved: Moved[] = []
  const ids = happenings.map(({ ticket }) => ticket.id)
  const known = subjects ?? (ids.length > 0 ? await findSubjects(ctx.db, ids) : new Map<number, never>())
  for (const { ticket, session, event, ...rest } of happenings) {
    const flow = await flowOf(ctx, session.chatFlowId, session.version)
    const isResolved = ticket.status === 'closed' && flow?.configurations.startsOn === 'closing'
    // A user who takes or moves the ticket ends the flow; so does blocking the bot for the contact.
    const isBlocked = event.type !== 'start' && known.get(ticket.id)?.isChatbotBlocked === true
    const isWaiting = ticket.status === 'pending' && ticket.chat_flow_id === session.chatFlowId
    const isAttended = !isBlocked && (isResolved || isWaiting)
    const happened: FlowEvent = isAttended ? event : { type: 'person', at: event.at }
    if (flow && isHeard(session, happened)) moved.push({ ...rest, ticket, session, event: happened, flow })
  }
  // Sequential for distributing flows: each assignment must know the previous ones.
  const [alone, together] = [
    moved.filter(({ flow }) => distributes(flow)),
    moved.filter((one) => !distributes(one.flow)),
  ]
  const deferred = await goOnTogether(ctx, together, null, known)
  for (const one of [...alone, ...deferred]) await goOnTogether(ctx, [one], await lockPeople(ctx), known)
}

const withPeople = (facts: FlowFacts, people: readonly Candidate[]): FlowFacts =>
  people.length === 0 ? facts : { ...facts, people: [...facts.people, ...people] }

type Moved = Happening & { readonly flow: Flow }

/** Plays one event through its flow, and through the flows that this one leads to. */
async function playThrough(ctx: Ctx, { session, event, flow }: Moved, known: FlowFacts) {
  let facts = known
  let result = attempt(ctx, flow, session, event, facts)
  const effects = [...result.effects]
  const taken = stepsIn(result, event.type === 'start')
  const met: { of: FlowVersion; flow: Flow }[] = []
  while (result.session.waiting?.for === 'flow') {
    const wanted = result.effects.findLast((effect) => effect.type === 'flow')
    const next = wanted ? await startable(ctx, wanted.chatFlowId) : null
    if (next) facts = withPeople(facts, await namedBy(ctx, [next.flow]))
    const change: FlowEvent = { type: 'flow', at: event.at, flow: next?.of ?? null }
    result = attempt(ctx, next?.flow ?? flow, result.session, change, factsAfter(facts, effects))
    if (next) met.push(next)
    effects.push(...result.effects)
    taken.push(...stepsIn(result, next !== null))
  }
  return { facts, result, effects, taken, met }
}

/** Advances sessions together. Returns those that enter a distributing flow, unprocessed, if `people` is null. */
async function goOnTogether(
  ctx: Ctx,
  happenings: readonly Moved[],
  people: readonly Candidate[] | null,
  subjects: Subjects,
): Promise<Moved[]> {
  if (happenings.length === 0) return []
  const tickets = happenings.map(({ ticket }) => ticket)
  const flows = happenings.map(({ flow }) => flow)
  const [factsOf, named] = await Promise.all([readFacts(ctx, tickets, people ?? [], subjects), namedBy(ctx, flows)])
  const outcomes: Outcome[] = []
  const events: { sessionId: string; event: RecordedEvent }[] = []
  const steps: SessionStep[] = []
  const deferred: Moved[] = []
  for (const happening of happenings) {
    const { ticket, session, event, flow, isFirstTicket = false } = happening
    const known = withPeople(factsOf(ticket, isFirstTicket), named)
    const played = await playThrough(ctx, happening, ticket.status === 'closed' ? asResolved(known) : known)
    const { facts, result, effects, taken, met } = played
    if (people === null && met.some((one) => distributes(one.flow))) {
      deferred.push(happening)
      continue
    }
    steps.push(...taken)
    const names = namesOf([flow, ...met.map((one) => one.flow)])
    const flows = met.length > 0 && { flows: met.map(({ of }) => of) }
    events.push({
      sessionId: session.id,
      event: {
        ...recorded(session, event),
        ...flows,
        facts: recordedFacts(facts, effects, names, event.type === 'start'),
      },
    })
    outcomes.push({ ticket, session: result.session, effects })
  }
  if (outcomes.length === 0) return deferred
  const storing = Promise.all([
    updateSessions(
      ctx.db,
      outcomes.map(({ session }) => session),
      ctx.now,
    ),
    insertEvents(ctx.db, events),
    insertSteps(ctx.db, steps, ctx.now),
  ])
  // Pipelined, and executed in this order.
  await Promise.all([storing.then(() => ctx.platform.checkpoint('flow session stored')), carryOut(ctx, outcomes)])
  await ctx.platform.checkpoint('flow carried out')
  return deferred
}

const DAY_MS = 24 * 3_600_000

/**
 * Treats a ticket's first message as the answer to a question asked at the resolution of the previous one, at most a day
 * ago: the flow continues in the new ticket. Returns false if there was no question, or the message does not answer it.
 */
export async function answerAfterClosing(ctx: Ctx, ticket: LedgerTicket, text: string): Promise<boolean> {
  const at = ctx.now.getTime()
  const asked = await findClosing(ctx.db, ticket, new Date(at - DAY_MS))
  if (!asked) return false
  const { id, state } = asked
  const flow = await flowOf(ctx, state.chatFlowId, state.version)
  const event: FlowEvent = { type: 'answer', at, text }
  const facts = flow && (await readFacts(ctx, [ticket], []))(ticket, false)
  // A question that another flow asked before the resolution no longer counts.
  const isAsked = flow?.configurations.startsOn === 'closing' && state.waiting?.for === 'answer'
  const isAnswer = isAsked && facts && attempt(ctx, flow, state, event, facts).session.unmatchedAt !== at
  if (!isAnswer) {
    await endSession(ctx.db, id, ctx.now)
    return false
  }
  await moveSession(ctx.db, id, ticket.id)
  const wanted = { chatFlowId: state.chatFlowId, chatFlowNode: null, botRetries: 0, queueId: null, userId: null }
  await moveUnattended(ctx, [ticket.id], (before) => change(before, wanted, { by: null, at }, ['chatBot']))
  const moved = await lockLedgerTicket(ctx.db, ticket.id)
  if (moved) await goOn(ctx, [{ ticket: moved, session: state, event }])
  return true
}

/** Checks whether a session still waits for this timer or call. */
const isHeard = ({ timers, waiting }: FlowSession, event: FlowEvent): boolean => {
  if (event.type === 'timer') return timers.some(({ id }) => id === event.id)
  return event.type !== 'called' || (waiting?.for === 'call' && waiting.id === event.id)
}

const namesOf = (flows: readonly Flow[]): ReadonlySet<string> =>
  new Set(flows.flatMap(({ variables }) => [...variables]))

const recorded = ({ chatFlowId, version, nodeId }: FlowSession, event: FlowEvent): RecordedEvent => {
  if (event.type === 'start') return { ...event, chatFlowId, version, engine: ENGINE }
  if (event.type === 'answer') return event
  if (event.type === 'called')
    return { type: 'called', at: event.at, status: event.status, body: event.body, nodeId: nodeId ?? '' }
  if (event.type === 'timer') return { type: 'timer', at: event.at, number: numberOf(event.id) }
  return { type: event.type === 'flow' ? 'timer' : event.type, at: event.at }
}

async function startable(ctx: Ctx, chatFlowId: number) {
  const version = await publishedVersion(ctx.db, chatFlowId)
  const flow = version === null ? null : await flowOf(ctx, chatFlowId, version)
  return flow && version !== null ? { flow, of: { chatFlowId, version } } : null
}

type Result = { readonly session: FlowSession; readonly effects: readonly FlowEffect[] }

// An engine failure passes the conversation to people, with the reason.
function attempt(ctx: Ctx, flow: Flow, session: FlowSession, event: FlowEvent, facts: FlowFacts): Result {
  try {
    return step(flow, session, event, facts)
  } catch (err) {
    ctx.platform.log.error({ err, tenantId: ctx.tenantId, sessionId: session.id }, 'a chat flow failed')
    return failed(session)
  }
}

function failed(session: FlowSession): Result {
  const reason = 'O fluxo falhou, e o atendimento foi para uma pessoa.'
  const id = `${session.id}:${session.effects + 1}`
  const end = { type: 'direct', id, direction: UNDIRECTED, userId: null, log: 'queue', reason } as const
  return { session: { ...session, effects: session.effects + 1, end: 'queue', waiting: null }, effects: [end] }
}

/**
 * Runs a part of a unit of work in a savepoint; if it fails for other reasons than infrastructure, the flow releases the
 * ticket. For work that would otherwise be retried and fail until it is dropped.
 */
export async function orLetGo(ctx: Ctx, ticketId: number, work: (ctx: Ctx) => Promise<unknown>): Promise<void> {
  try {
    await withSavepoint(ctx, work)
  } catch (err) {
    if (isInfrastructure(err)) throw err
    ctx.platform.log.error({ err, tenantId: ctx.tenantId, ticketId }, 'a chat flow could not go on')
    const ticket = await lockLedgerTicket(ctx.db, ticketId)
    const [live] = await listLive(ctx.db, [ticketId])
    if (!ticket || !live) return
    const result = failed(live.state)
    await updateSessions(ctx.db, [result.session], ctx.now)
    await carryOut(ctx, [{ ticket, ...result }])
  }
}
