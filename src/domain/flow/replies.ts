import type { FlowDocument } from './document.ts'
import type { JsonObject } from './json.ts'

/** Start of an auto reply: 0 with a conversation, 1 when a ticket is closed. */
type ReplyMoment = 0 | 1

/** Action for matching words: 0 another step, 1 a queue, 2 a user; `replyDefinition` is sent first. */
export type ReplyAction = {
  readonly id: number
  /** Words separated by commas, semicolons or lines; the whole answer must equal one of them. */
  readonly words: string
  readonly action: 0 | 1 | 2
  readonly nextStepId: number | null
  readonly queueId: number | null
  readonly userIdDestination: number | null
  readonly replyDefinition: string
}

/** Step of an auto reply: its message, and the actions on the customer's answers. */
export type ReplyStep = {
  readonly id: number
  readonly reply: string
  /** Whether the step is first; if none is marked, the first in the list is. */
  readonly initialStep: boolean
  readonly actions: readonly ReplyAction[]
}

const ACROSS = 360
const DOWN = 240
const at = (column: number, row: number) => ({ left: `${60 + column * ACROSS}px`, top: `${60 + row * DOWN}px` })
const message = (id: string, text: string) => ({ id, type: 'MessageField', data: { message: text } })
const stepId = (id: number | null) => `step-${id}`

/** Returns the first step. */
export const firstStep = (steps: readonly ReplyStep[]): ReplyStep | undefined =>
  steps.find(({ initialStep }) => initialStep) ?? steps[0]

/** Splits the words of an action. */
export const choicesIn = (words: string): string[] =>
  words
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Compiles an auto reply to a flow: a node for each step, and for each message before a destination. */
export function compileReply({
  action,
  steps,
}: {
  readonly action: ReplyMoment
  readonly steps: readonly ReplyStep[]
}): FlowDocument {
  const first = firstStep(steps)
  return {
    nodeList: [
      { id: 'start', name: 'Início', type: 'start', ...at(0, 0), interactions: [], conditions: [] },
      {
        ...{ id: 'configurations', name: 'Configurações', type: 'configurations', ...at(0, 1) },
        configurations: { startsOn: { type: action === 0 ? 'entry' : 'closing' } },
      },
      ...steps.flatMap((step, row) => [
        {
          ...{ id: stepId(step.id), name: `Etapa ${row + 1}`, type: 'node', ...at(1, row) },
          interactions: [message(`reply-${step.id}`, step.reply)],
          conditions: step.actions.map((one) => ({
            ...{ id: `words-${one.id}`, type: 'R', comparisonType: 'equals', condition: choicesIn(one.words) },
            ...(one.replyDefinition.trim() === '' ? leadsTo(one) : { action: 0, nextStepId: `return-${one.id}` }),
          })),
        },
        ...step.actions
          .filter(({ replyDefinition }) => replyDefinition.trim() !== '')
          .map((one, index) => ({
            ...{
              id: `return-${one.id}`,
              name: `Retorno ${row + 1}.${index + 1}`,
              type: 'node',
              ...at(2, row + index / 2),
            },
            interactions: [message(`text-${one.id}`, one.replyDefinition)],
            conditions: [{ id: `go-${one.id}`, type: 'US', ...leadsTo(one) }],
            wait: false,
          })),
      ]),
    ],
    lineList: first ? [{ from: 'start', to: stepId(first.id) }] : [],
  }
}

function leadsTo({ action, nextStepId, queueId, userIdDestination }: ReplyAction): JsonObject {
  if (action === 1) return { action, queueId }
  return action === 2 ? { action, userIdDestination } : { action, nextStepId: stepId(nextStepId) }
}
