import { itemAt } from '#domain/present.ts'
import type { Answer } from '#kit/contract.ts'
import type { flows } from '../../addresses.ts'

/**
 * What somebody does in the simulator: so many ms later the customer writes, or nothing but that time passes; an outside
 * system answers (status 0: it does not).
 */
export type Turn =
  | { readonly does: 'write'; readonly ms: number; readonly text: string }
  | { readonly does: 'wait'; readonly ms: number }
  | ({ readonly does: 'respond' } & OutsideAnswer)

type OutsideAnswer = { readonly nodeId?: string | undefined; readonly status: number; readonly body: string }

/**
 * With whom a conversation is simulated, over which type of channel, and when the flow begins (epoch ms); `known`: what was
 * known of a real one.
 */
export type Beginning = {
  readonly contactId: number | null
  readonly channel: string | null
  readonly at: number
  readonly known?: Answer<typeof flows.listCases>['cases'][number]['known']
}

/** A conversation as the server plays it and cases store it. */
export type Conversation = Beginning & {
  readonly events: readonly { readonly at: number; readonly text?: string | undefined }[]
  readonly answers: readonly OutsideAnswer[]
}

/** How a simulated conversation went. */
export type Played = Answer<typeof flows.simulate>

/** Between two words of a customer: long enough that each is a try of its own. */
export const pauseMs = 30_000

/** The conversation that these turns make. */
export function conversationOf(beginning: Beginning, turns: readonly Turn[]): Conversation {
  let clock = beginning.at
  const events = turns.flatMap((turn) => {
    if (turn.does === 'respond') return []
    clock += turn.ms
    return [turn.does === 'write' ? { at: clock, text: turn.text } : { at: clock }]
  })
  const answers = turns.flatMap((turn) => {
    if (turn.does !== 'respond') return []
    const { does: _, ...answer } = turn
    return [answer]
  })
  return { ...beginning, events, answers }
}

/** The turns that make a stored conversation, so that somebody can go through it and on from it. */
export function turnsOf({ at, events, answers }: Conversation): readonly Turn[] {
  const starts = [at, ...events.map((one) => one.at)]
  return [
    ...answers.map((answer): Turn => ({ does: 'respond', ...answer })),
    ...events.map(({ at: when, text }, index): Turn => {
      const ms = when - itemAt(starts, index)
      return text === undefined ? { does: 'wait', ms } : { does: 'write', ms, text }
    }),
  ]
}

/** One row of a conversation as it is shown. */
export type Row =
  | { readonly kind: 'written'; readonly at: number; readonly text: string }
  | { readonly kind: 'passed'; readonly at: number }
  | ({ readonly kind: 'message' } & Played['messages'][number])
  | ({ readonly kind: 'step' } & Played['steps'][number])
  | ({ readonly kind: 'effect' } & Played['effects'][number])

/** A played conversation in its order: each event stands before what it brought about. */
export function rowsOf(events: Conversation['events'], { messages, steps, effects }: Played): readonly Row[] {
  const done = [
    ...messages.map((one) => ({ kind: 'message' as const, ...one })),
    ...steps.map((one) => ({ kind: 'step' as const, ...one })),
    ...effects.map((one) => ({ kind: 'effect' as const, ...one })),
  ].sort((a, b) => a.number - b.number)
  const after = Map.groupBy(done, ({ event }) => event)
  return [
    ...(after.get(null) ?? []),
    ...events.flatMap(({ at, text }, index): Row[] => [
      text === undefined ? { kind: 'passed', at } : { kind: 'written', at, text },
      ...(after.get(index) ?? []),
    ]),
  ]
}
