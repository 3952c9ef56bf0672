import type { TemplateValues } from '../messages/template.ts'
import type { AnswerEvent, FlowEffect, FlowFacts } from './session.ts'

/** Facts known at an event of a session; default values are omitted, and the channel is recorded at the start only. */
export type RecordedFacts = {
  readonly values?: TemplateValues
  /** Values of the company's own variables that its flows use. */
  readonly own?: TemplateValues
  readonly isOpen?: false
  readonly absence?: string
  readonly channel?: Pick<FlowFacts['channel'], 'type' | 'buttons'> & Partial<Pick<FlowFacts['channel'], 'list'>>
  readonly isWritable?: false
  readonly tagIds?: readonly number[]
  readonly isFirstTicket?: true
  readonly isResolved?: true
  /** Agents who got the ticket; other candidates may have changed since. */
  readonly people?: FlowFacts['people']
}

/**
 * Version of the engine, raised when its decisions change. Replays of conversations of older versions may differ, and prove
 * nothing.
 */
export const ENGINE = 4

/** Version of a flow. */
export type FlowVersion = { readonly chatFlowId: number; readonly version: number }

/**
 * Event of a session: its start, the customer's messages, fired timers, answers of calls with their node. `flows` are the
 * versions of the flows entered at the event. Old recordings have no facts.
 */
export type RecordedEvent = {
  readonly facts?: RecordedFacts
  readonly flows?: readonly FlowVersion[]
} & (
  | ({ readonly type: 'start'; readonly at: number; readonly engine?: number } & FlowVersion)
  | AnswerEvent
  | {
      readonly type: 'called'
      readonly at: number
      readonly status: number
      readonly body: string
      readonly nodeId: string
    }
  /** `number`: the number of the effect that set the timer. */
  | { readonly type: 'timer'; readonly at: number; readonly number?: number }
  | { readonly type: 'person'; readonly at: number }
)

/** Returns the facts to record for an event: the values of the variables in `names`, and at the start all standard ones. */
export function recordedFacts(
  facts: FlowFacts,
  effects: readonly FlowEffect[],
  names: ReadonlySet<string>,
  isStart: boolean,
): RecordedFacts {
  const { isOpen, absence, channel, tagIds, isFirstTicket, isResolved, people } = facts
  const values = Object.entries(facts.values).filter(([name, value]) => (isStart ? value !== '' : names.has(name)))
  const own = Object.entries(facts.own ?? {}).filter(([name]) => names.has(name))
  const given = effects.flatMap((effect) => (effect.type === 'direct' ? (effect.userId ?? []) : []))
  const chosen = people.filter(({ id }) => given.includes(id))
  return {
    ...(values.length > 0 && { values: Object.fromEntries(values) }),
    ...(own.length > 0 && { own: Object.fromEntries(own) }),
    ...(!isOpen && { isOpen }),
    ...(absence !== '' && { absence }),
    ...(isStart && {
      channel: { type: channel.type, buttons: channel.buttons, ...(channel.list && { list: channel.list }) },
    }),
    ...(!channel.isWritable && { isWritable: channel.isWritable }),
    ...(tagIds.length > 0 && { tagIds }),
    ...(isFirstTicket && { isFirstTicket }),
    ...(isResolved && { isResolved }),
    ...(chosen.length > 0 && { people: chosen }),
  }
}
