import { itemAt } from '#domain/present.ts'
import type { Answer } from '#kit/contract.ts'
import type { flows } from '../../addresses.ts'

/**
 * Turn in the simulator, `ms` after the previous one: a customer's message, passing time, or a response of an external
 * system (status 0: none).
 */
export type Turn =
  | { readonly does: 'write'; readonly ms: number; readonly text: string }
  | { readonly does: 'wait'; readonly ms: number }
  | ({ readonly does: 'respond' } & OutsideAnswer)

type OutsideAnswer = { readonly nodeId?: string | undefined; readonly status: number; readonly body: string }

/** Start of a simulation: contact, channel type and time (epoch ms); `known`: facts of a real conversation. */
export type Beginning = {
  readonly contactId: number | null
  readonly channel: string | null
  readonly at: number
  readonly known?: Answer<typeof flows.listCases>['cases'][number]['known']
}

/** Conversation as the server plays it and cases store it. */
export type Conversation = Beginning & {
  readonly events: readonly { readonly at: number; readonly text?: string | undefined }[]
  readonly answers: readonly OutsideAnswer[]
}

/** Result of a simulated conversation. */
export type Played = Answer<typeof flows.simulate>

/** Pause between two messages of a customer in ms, long enough for each to count as a separate attempt. */
export const pauseMs = 30_000

/** Builds a conversation from turns. */
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

/** Converts a stored conversation to turns, so that one can step through it and continue it. */
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

/** Row of a displayed conversation. */
export type Row =
  | { readonly kind: 'written'; readonly at: number; readonly text: string }
  | { readonly kind: 'passed'; readonly at: number }
  | ({ readonly kind: 'message' } & Played['messages'][number])
  | ({ readonly kind: 'step' } & Played['steps'][number])
  | ({ readonly kind: 'effect' } & Played['effects'][number])

/** Returns the rows of a played conversation in order: each event before its effects. */
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
