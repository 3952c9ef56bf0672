import type { FlowDocument } from '#domain/flow/document.ts'
import { readFlow } from '#domain/flow/read.ts'
import { type FlowEffect, type FlowEvent, type FlowFacts, type FlowSession, newSession } from '#domain/flow/session.ts'
import { step } from '#domain/flow/step.ts'
import { FLOW_FACTS } from './flow-facts.ts'

export const NOON = Date.UTC(2026, 10, 20, 15)
export const FACTS: FlowFacts = {
  ...FLOW_FACTS,
  values: { name: 'Maria', firstName: 'Maria', user: '' },
  absence: 'Estamos fechados.',
  channel: { type: 'lab', buttons: { max: 3, chars: 20 }, list: null, isWritable: true },
}

export type Json = Record<string, unknown>
export const does = (type: string, data: Json): Json => ({ id: type, type, data })
export const sends = (message: string): Json => does('MessageField', { message })
export const any = (rest: Json): Json => ({ id: 'c', type: 'US', ...rest })
const equals = { id: 'c', type: 'R', comparisonType: 'equals' }
export const when = (condition: string[], rest: Json): Json => ({ ...equals, condition, ...rest })
export const goTo = (nextStepId: string) => ({ action: 0, nextStepId })
export const toQueue = (queueId: number) => ({ action: 1, queueId })
export const node = (id: string, interactions: Json[], conditions: Json[] = [], rest: Json = {}): Json =>
  Object.assign(does('node', {}), { id, name: id, interactions, conditions }, rest)
export const flowOf = (nodes: Json[], configurations: Json = {}): FlowDocument => ({
  nodeList: [
    { id: 'start', type: 'start' },
    { id: 'configurations', type: 'configurations', configurations },
    ...nodes,
  ],
  lineList: [{ from: 'start', to: nodes[0]!['id'] }],
})

/** Plays events of a conversation on a flow, one after the other; returns the resulting texts and ends. */
export function talk(document: FlowDocument, events: (string | FlowEvent)[], facts: Partial<FlowFacts> = {}) {
  const flow = readFlow(document)
  let session: FlowSession = newSession({ id: 's', chatFlowId: 1, version: 1, seed: 7 })
  const effects: FlowEffect[] = []
  let at = NOON
  const send = (event: FlowEvent) => {
    at = Math.max(at, event.at)
    const result = step(flow, session, event, { ...FACTS, ...facts })
    session = result.session
    effects.push(...result.effects)
  }
  send({ type: 'start', at: NOON })
  for (const event of events) send(typeof event === 'string' ? { type: 'answer', at: at + 60_000, text: event } : event)
  return {
    session,
    effects,
    texts: effectsOf('send').map(({ body }) => body),
    ends: effectsOf('direct'),
    send,
    effectsOf,
  }
  function effectsOf<T extends FlowEffect['type']>(type: T) {
    return effects.filter((one): one is Extract<FlowEffect, { type: T }> => one.type === type)
  }
}
