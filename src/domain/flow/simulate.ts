import type { TemplateValues } from '../messages/template.ts'
import { lookUp } from '../present.ts'
import { callAt, filledIn } from './calls.ts'
import type { Flow, OutsideCall } from './flow.ts'
import {
  type Asked,
  asResolved,
  type Branch,
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowSession,
  factsAfter,
  newSession,
} from './session.ts'
import { step } from './step.ts'

/**
 * Customer's part of a simulated conversation, at epoch ms: a message (empty: without text), or (`text` omitted) the passing
 * of time.
 */
export type SimulatedEvent = { readonly at: number; readonly text?: string | undefined }

/** Answer of an external system to the next pending call, of node `nodeId` if given. */
export type SimulatedAnswer = {
  readonly nodeId?: string | undefined
  readonly status: number
  readonly body: string
}

/** Input of a simulation: the flow starts at `at`, then `events` follow. */
export type Simulation = {
  readonly at: number
  readonly events: readonly SimulatedEvent[]
  readonly answers: readonly SimulatedAnswer[]
}

/** Environment of a simulation: the flow, the flows that it may start, and the facts at a time. */
export type Stage = {
  readonly chatFlowId: number
  readonly version: number
  readonly flows: ReadonlyMap<number, Flow>
  readonly factsAt: (at: number, flow: Flow) => FlowFacts
  readonly seed: number
}

/** Time of an output, its sequence number, and the event that caused it (null: the start). */
type Done = { readonly at: number; readonly number: number; readonly event: number | null }

type Message = Done & Asked

/** Decision with its reason and node; `branch` is the condition that held. */
type Decision = Done & {
  readonly chatFlowId: number
  readonly nodeId: string | null
  readonly why: string
  readonly isEntry: boolean
  readonly branch: Branch | null
}

/** Result of a simulation. */
export type Simulated = {
  readonly messages: readonly Message[]
  /** Entered nodes, in order. */
  readonly path: readonly string[]
  readonly steps: readonly Decision[]
  /** All other effects. */
  readonly effects: readonly (FlowEffect & Done)[]
  readonly session: FlowSession
  /** Final values of the standard variables and the company's own. */
  readonly known: TemplateValues
  /** Unanswered call; null if none is pending. */
  readonly call:
    | (Pick<OutsideCall, 'method' | 'url' | 'saveAs'> & { readonly nodeId: string; readonly isAssistant: boolean })
    | null
}

/** Maximum number of events that the flow itself may cause between two of the customer. */
const MOST_OWN_EVENTS = 1000

/**
 * Simulates a conversation with the production engine, without sending or storing; deterministic in its input. Timers fire
 * at their time; delays also after the last event.
 */
export function simulate(stage: Stage, { at: begin, events, answers }: Simulation): Simulated {
  let session = newSession({
    id: 'simulation',
    chatFlowId: stage.chatFlowId,
    version: stage.version,
    seed: stage.seed,
  })
  let clock = begin
  let current: number | null = null
  const left = [...answers]
  const messages: Message[] = []
  const path: string[] = []
  const steps: Decision[] = []
  const done: (FlowEffect & Done)[] = []
  let number = 0
  let pending: Simulated['call'] = null
  // A flow that starts when a ticket is closed continues in the conversation that the customer's answer opens.
  let isResolved = stage.flows.get(stage.chatFlowId)?.configurations.startsOn === 'closing'

  const apply = (event: FlowEvent, flow: Flow) => {
    clock = Math.max(clock, event.at)
    isResolved &&= event.type !== 'answer'
    const known = stage.factsAt(clock, flow)
    const facts = factsAfter(isResolved ? asResolved(known) : known, done)
    const result = step(flow, session, { ...event, at: clock }, facts)
    session = result.session
    for (const effect of result.effects) {
      const when: Done = { at: clock, number: ++number, event: current }
      if (effect.type === 'send') {
        const { body, buttons, list } = effect
        messages.push({ ...when, body, buttons, ...(list && { list }) })
      } else if (effect.type === 'media') messages.push({ ...when, body: effect.media.caption, buttons: [] })
      else if (effect.type === 'step') {
        const { nodeId, why, isEntry = false, branch = null } = effect
        steps.push({ ...when, chatFlowId: session.chatFlowId, nodeId, why, isEntry, branch })
        if (isEntry && nodeId !== null) path.push(nodeId)
      } else done.push({ ...effect, ...when })
    }
    return result.effects
  }

  /** Processes what follows without the customer: other flows, answers of calls, and timers up to a time. */
  const playOn = (until: number, effects: readonly FlowEffect[], isEnd: boolean) => {
    let last = effects
    for (let count = 0; count < MOST_OWN_EVENTS && session.end === null; count++) {
      const flow = flowOf()
      const { waiting } = session
      if (waiting?.for === 'flow') {
        const wanted = last.findLast((effect) => effect.type === 'flow')
        const next = wanted && stage.flows.get(wanted.chatFlowId)
        const to = wanted && next ? { chatFlowId: wanted.chatFlowId, version: stage.version } : null
        last = apply({ type: 'flow', at: clock, flow: to }, next ?? flow)
        continue
      }
      if (waiting?.for === 'call') {
        const asked = done.findLast(
          (effect) => (effect.type === 'call' || effect.type === 'assistant') && effect.id === waiting.id,
        )
        const nodeId = session.nodeId ?? ''
        const index = left.findIndex((answer) => answer.nodeId === undefined || answer.nodeId === nodeId)
        const [answer] = index < 0 ? [] : left.splice(index, 1)
        pending = answer || !asked ? null : { nodeId, ...shown(flow, asked) }
        if (!answer) return
        last = apply({ type: 'called', at: clock, id: waiting.id, status: answer.status, body: answer.body }, flow)
        continue
      }
      const [timer] = session.timers.toSorted((a, b) => a.at - b.at)
      const rings = timer && (timer.at <= until || (isEnd && timer.purpose === 'delay'))
      if (!rings) return
      last = apply({ type: 'timer', at: timer.at, id: timer.id }, flow)
    }
  }
  const flowOf = (): Flow => lookUp(stage.flows, session.chatFlowId)

  const isLast = (index: number) => index === events.length - 1
  playOn(begin, apply({ type: 'start', at: begin }, flowOf()), events.length === 0)
  for (const [index, { at, text }] of events.entries()) {
    playOn(at, [], false)
    current = index
    clock = Math.max(clock, at)
    const effects = text === undefined ? [] : apply({ type: 'answer', at, text }, flowOf())
    playOn(clock, effects, isLast(index))
  }
  const { own, values } = stage.factsAt(clock, flowOf())
  const known = { ...own, ...values }
  return { messages, path, steps, effects: done, session, known, call: session.end === null ? pending : null }
}

function shown(flow: Flow, asked: FlowEffect) {
  if (asked.type !== 'call') return { method: '', url: '', saveAs: '', isAssistant: true }
  const { call: of, values } = asked
  const call = callAt(flow, of)
  const { method, url, saveAs } = call ? filledIn(call, values, () => '') : { method: '', url: '', saveAs: '' }
  return { method, url, saveAs, isAssistant: false }
}
