import { TEMPLATE_VARIABLES, type TemplateValues } from '../messages/template.ts'
import type { Direction, Flow } from './flow.ts'
import type { FlowVersion, RecordedEvent, RecordedFacts } from './recording.ts'
import {
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowSession,
  type FlowTimer,
  factsAfter,
  newSession,
  numberOf,
} from './session.ts'
import { step } from './step.ts'

/** Recorded conversation; the first event is its start. */
export type Recording = { readonly id: string; readonly seed: number; readonly events: readonly RecordedEvent[] }

/** Loads the flows of a recording; null if missing. */
export type FlowShelf = (of: FlowVersion) => Flow | null

/** Result of a replay. */
export type Replayed = {
  /** Texts of the flow (`number`: of the effect) and of the customer (null), in order. */
  readonly texts: readonly { readonly number: number | null; readonly body: string }[]
  /** Entered nodes, in order. */
  readonly path: readonly { readonly nodeId: string; readonly name: string }[]
  readonly steps: readonly { readonly number: number; readonly nodeId: string | null; readonly why: string }[]
  readonly session: FlowSession
  /** Timers set, by id. */
  readonly timers: ReadonlyMap<string, FlowTimer>
  /** Destination, if the flow decided it. */
  readonly direction: Direction | null
  /** Whether something was wrong with the flow. */
  readonly isFaulty: boolean
}

/** Outcomes of a replay on another flow: same, other words, other way, other end, or stuck. */
export const REPLAY_OUTCOMES = ['same', 'words', 'way', 'end', 'stuck'] as const

/** Outcome of a replay on another flow. */
export type ReplayOutcome = (typeof REPLAY_OUTCOMES)[number]

const NOTHING_KNOWN: TemplateValues = Object.fromEntries(Object.keys(TEMPLATE_VARIABLES).map((name) => [name, '']))

/** Restores the facts of an event from its recording and that of the start. */
function factsFrom(recorded: RecordedFacts, start: RecordedFacts): FlowFacts {
  return {
    values: { ...NOTHING_KNOWN, ...start.values, ...recorded.values },
    own: { ...start.own, ...recorded.own },
    isOpen: recorded.isOpen ?? true,
    absence: recorded.absence ?? '',
    channel: { type: '', buttons: null, list: null, ...start.channel, isWritable: recorded.isWritable ?? true },
    tagIds: recorded.tagIds ?? [],
    isFirstTicket: recorded.isFirstTicket ?? false,
    isResolved: recorded.isResolved ?? false,
    people: recorded.people ?? [],
  }
}

/** Maximum number of timers that may fire between two recorded events. */
const MOST_TIMERS = 1000

/**
 * Replays a recorded conversation with the recorded facts and call answers, by the engine that attended it: on the recorded
 * version the result is identical. On another flow (`instead`), customer messages keep their times, call answers go to the
 * node of the same id, timers that the `original` also set fire as recorded, others at their time.
 */
export function replay(
  { id, seed, events }: Recording,
  shelf: FlowShelf,
  instead: { readonly flow: Flow; readonly original: Replayed } | null = null,
): Replayed | null {
  const [start, ...rest] = events
  if (start?.type !== 'start') return null
  const met = events.flatMap((event) => event.flows ?? [])
  const flowOf = (of: FlowVersion): Flow | null =>
    instead && of.chatFlowId === start.chatFlowId ? instead.flow : shelf(of)
  const { chatFlowId, version } = start
  let session = newSession({ id, chatFlowId, version, seed })
  const first = flowOf(session)
  if (!first) return null
  let flow = first
  let facts = factsFrom(start.facts ?? {}, start.facts ?? {})
  const texts: Replayed['texts'][number][] = []
  const path: Replayed['path'][number][] = []
  const steps: Replayed['steps'][number][] = []
  const timers = new Map<string, FlowTimer>()
  const answers: Extract<RecordedEvent, { type: 'called' }>[] = []
  const all: FlowEffect[] = []
  let direction: Direction | null = null
  let isFaulty = false

  const note = (effect: FlowEffect) => {
    const number = numberOf(effect.id)
    if (effect.type === 'send') texts.push({ number, body: effect.body })
    else if (effect.type === 'media') texts.push({ number, body: effect.media.caption })
    else if (effect.type === 'timer') timers.set(effect.id, effect)
    else if (effect.type === 'step') {
      const { nodeId, why, isEntry } = effect
      steps.push({ number, nodeId, why })
      if (isEntry && nodeId !== null) path.push({ nodeId, name: flow.nodes.get(nodeId)?.name ?? nodeId })
    } else if (effect.type === 'direct') {
      direction = effect.direction
      isFaulty = effect.reason !== ''
    }
  }
  // The recorded version of another flow comes with the event; a draft may enter it at another time.
  let coming: FlowVersion[] = []
  const versionOf = (wanted: number): FlowVersion | null => {
    const index = coming.findIndex((of) => of.chatFlowId === wanted)
    const [recorded] = index < 0 ? [] : coming.splice(index, 1)
    if (recorded || !instead) return recorded ?? null
    return met.find((of) => of.chatFlowId === wanted) ?? { chatFlowId: wanted, version: 0 }
  }
  const apply = (event: FlowEvent) => {
    // Events of the same time may be recorded in either order.
    const { at } = event
    // Effects of the recorded flow are part of the recorded facts; those of another flow are added.
    const done = instead ? all : []
    let result = step(flow, session, event, factsAfter(facts, done))
    for (;;) {
      session = result.session
      done.push(...result.effects)
      for (const effect of result.effects) note(effect)
      if (session.waiting?.for !== 'flow') break
      const wanted = result.effects.findLast((effect) => effect.type === 'flow')
      const of = wanted ? versionOf(wanted.chatFlowId) : null
      const next = of && flowOf(of)
      flow = next ?? flow
      const to = of && next ? { chatFlowId: of.chatFlowId, version: of.version } : null
      result = step(flow, session, { type: 'flow', at, flow: to }, factsAfter(facts, done))
    }
    const { waiting, nodeId } = session
    if (waiting?.for !== 'call') return
    const index = answers.findIndex((answer) => answer.nodeId === nodeId)
    const [answer] = index < 0 ? [] : answers.splice(index, 1)
    if (answer) apply({ type: 'called', at, id: waiting.id, status: answer.status, body: answer.body })
  }
  // Whether the original set the same timer; such timers fire at their recorded times.
  const isKnown = ({ id: timerId, at, purpose }: FlowTimer) => {
    const known = instead?.original.timers.get(timerId)
    return !instead || (known?.at === at && known.purpose === purpose)
  }
  const ring = (isDue: (timer: FlowTimer) => boolean) => {
    for (let count = 0; count < MOST_TIMERS && session.end === null; count++) {
      const [timer] = session.timers.filter((one) => !isKnown(one) && isDue(one)).toSorted((a, b) => a.at - b.at)
      if (!timer) return
      apply({ type: 'timer', at: timer.at, id: timer.id })
    }
  }

  coming = [...(start.flows ?? [])]
  apply({ type: 'start', at: start.at })
  for (const event of rest) {
    const { at } = event
    ring((timer) => timer.at <= at)
    if (event.facts) facts = factsFrom(event.facts, start.facts ?? {})
    coming = [...(event.flows ?? [])]
    if (event.type === 'answer') {
      texts.push({ number: null, body: event.text })
      apply({ type: 'answer', at, text: event.text })
    }
    if (event.type === 'called') {
      const { waiting, nodeId } = session
      if (waiting?.for === 'call' && nodeId === event.nodeId)
        apply({ type: 'called', at, id: waiting.id, status: event.status, body: event.body })
      else answers.push(event)
    } else if (event.type === 'timer') {
      const timer = session.timers.find((one) => numberOf(one.id) === event.number && isKnown(one))
      if (timer) apply({ type: 'timer', at, id: timer.id })
    } else if (event.type !== 'start' && event.type !== 'answer') apply({ type: event.type, at })
  }
  // Delays fire by themselves; a customer who had fallen silent remains silent.
  const isSilent = rest.at(-1)?.type === 'timer' && instead?.original.session.end !== null
  if (instead) ring(({ purpose }) => purpose === 'delay' || isSilent)
  return { texts, path, steps, session, timers, direction, isFaulty }
}

/** Compares a replay on another flow with the original conversation. */
export function outcomeOf(original: Replayed, after: Replayed): ReplayOutcome {
  const isLeft = (one: Replayed) => one.session.end === null
  const awaitsCall = (one: Replayed) => isLeft(one) && one.session.waiting?.for === 'call'
  const isStuck = (one: Replayed) => one.isFaulty || awaitsCall(one)
  if ((isStuck(after) && !isStuck(original)) || (isLeft(after) && !isLeft(original))) return 'stuck'
  if (endOf(original) !== endOf(after)) return 'end'
  if (!isEqual(idsIn(original), idsIn(after))) return 'way'
  return isEqual(textsIn(original), textsIn(after)) ? 'same' : 'words'
}

// The farewell is sent before the end, and counts as words.
const endOf = ({ session, direction }: Replayed): string =>
  JSON.stringify([session.end, direction?.to === 'close' ? null : direction])
const idsIn = ({ path }: Replayed) => path.map(({ nodeId }) => nodeId)
const textsIn = ({ texts }: Replayed) => texts.flatMap(({ number, body }) => (number === null ? [] : [body]))

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index])
