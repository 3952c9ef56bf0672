import type { TemplateValues } from '../messages/template.ts'
import type { AnswerEvent, FlowEffect, FlowFacts } from './session.ts'

/** Facts known at an event of a session; usual values are omitted, the channel is recorded at the start only. */
export type RecordedFacts = {
  readonly values?: TemplateValues
  /** The company's own variables that its flows use. */
  readonly own?: TemplateValues
  readonly isOpen?: false
  readonly absence?: string
  readonly channel?: Pick<FlowFacts['channel'], 'type' | 'buttons'> & Partial<Pick<FlowFacts['channel'], 'list'>>
  readonly isWritable?: false
  readonly tagIds?: readonly number[]
  readonly isFirstTicket?: true
  readonly isResolved?: true
  /** Recorded candidates: the person assigned to the ticket; the others may not be counted any more. */
  readonly people?: FlowFacts['people']
}

/**
 * Version of the engine: raised when its decisions change. Replays of conversations of an older engine may differ and prove
 * nothing.
 */
export const ENGINE = 4

/** A version of a flow. */
export type FlowVersion = { readonly chatFlowId: number; readonly version: number }

/**
 * Recorded event of a session: its start, a message of the customer, a timer, or the answer of a node's call. `flows` are
 * the versions of the flows that it entered. Recordings older than `facts` have none.
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
  /** `number` is that of the effect that set it. */
  | { readonly type: 'timer'; readonly at: number; readonly number?: number }
  | { readonly type: 'person'; readonly at: number }
)

/** The facts of an event as they are recorded: of variables the `names` that its flows use, with the start all standard ones. */
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
