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

/** Event of a simulated customer, at epoch ms: a message (empty: anything but text), or (no text) silence. */
export type SimulatedEvent = { readonly at: number; readonly text?: string | undefined }

/** Simulated answer of an outside system: to the next awaited call, of this node if one is named. */
export type SimulatedAnswer = {
  readonly nodeId?: string | undefined
  readonly status: number
  readonly body: string
}

/** A conversation to be simulated: the flow begins at `at`, then this happens. */
export type Simulation = {
  readonly at: number
  readonly events: readonly SimulatedEvent[]
  readonly answers: readonly SimulatedAnswer[]
}

/** Setting of a simulation: the flow, those that it may start, and the facts of the conversation at a time. */
export type Stage = {
  readonly chatFlowId: number
  readonly version: number
  readonly flows: ReadonlyMap<number, Flow>
  readonly factsAt: (at: number, flow: Flow) => FlowFacts
  readonly seed: number
}

/** When something was done, its number among all that was, and after which event (null: the flow began). */
type Done = { readonly at: number; readonly number: number; readonly event: number | null }

type Message = Done & Asked

/** Why something was decided, and at which node of which flow; `branch` is the condition that held. */
type Decision = Done & {
  readonly chatFlowId: number
  readonly nodeId: string | null
  readonly why: string
  readonly isEntry: boolean
  readonly branch: Branch | null
}

/** Course of a simulated conversation. */
export type Simulated = {
  readonly messages: readonly Message[]
  /** The nodes that were entered, in order. */
  readonly path: readonly string[]
  readonly steps: readonly Decision[]
  /** Everything else that it did. */
  readonly effects: readonly (FlowEffect & Done)[]
  readonly session: FlowSession
  /** The standard variables and the company's own, as they were in the end. */
  readonly known: TemplateValues
  /** The unanswered call; null if none is waited for. */
  readonly call:
    | (Pick<OutsideCall, 'method' | 'url' | 'saveAs'> & { readonly nodeId: string; readonly isAssistant: boolean })
    | null
}

/** Maximum number of events that the flow itself causes between two of the customer's. */
const MOST_OWN_EVENTS = 1000

/**
 * Plays a conversation with a flow by the engine that attends customers: nothing is sent or stored, and the same input gives
 * the same answer. Timers ring when their time comes; delays also behind the last event.
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
  // What speaks when a conversation is resolved goes on in the one that its customer's answer begins.
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

  /** Plays the events that follow without the customer: other flows, answers of calls, and timers up to a time. */
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
