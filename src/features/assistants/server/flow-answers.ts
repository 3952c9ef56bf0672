import { z } from 'zod'
import type { AssistantExit } from '#domain/flow/flow.ts'
import type { AssistantAnswer } from '#domain/flow/nodes/assistant.ts'
import type { Ctx } from '#server/context.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { countUnheard, isAwaitedBy } from './queries-flow-turns.ts'
import type { FlowOfTurn, SituationRow } from './queries-turns.ts'

/** Name of the job that delivers an assistant's answer to a chat flow; implemented by `flows`. */
export const flowAnsweredJob = {
  name: 'flows:assistant-answered',
  schema: z.object({ sessionId: z.string(), callId: z.string(), status: z.number().int(), body: z.string() }),
}

/** Result of a turn without an answer. */
export const NO_ANSWER: AssistantAnswer = { exit: 'failed', answer: '', read: 0 }

/** Delivers an answer to a flow, once. */
export function answerFlow(
  ctx: Ctx,
  { sessionId, callId }: Pick<FlowOfTurn, 'sessionId' | 'callId'>,
  how: AssistantAnswer,
) {
  const body = sanitizeForPostgres(JSON.stringify(how))
  const payload = { sessionId, callId, status: how.exit === 'failed' ? 0 : 200, body }
  ctx.enqueue(flowAnsweredJob, payload, { key: `flow:${ctx.tenantId}:${callId}:assistant` })
}

/** Whether a flow still attends the ticket and waits for a turn's answer. */
export const isAwaited = async (ctx: Ctx, row: SituationRow, flow: FlowOfTurn): Promise<boolean> =>
  row.isInFlow && (await isAwaitedBy(ctx.db, flow))

/** Returns the number of customer messages queued in the session; the question includes all of them. */
export const unheard = (ctx: Ctx, { sessionId }: FlowOfTurn): Promise<number> => countUnheard(ctx.db, sessionId)

/** Returns how an answer leaves the step: `ended` if the assistant hands the conversation over. */
export const exitOf = (handsOver: boolean | undefined): AssistantExit => (handsOver ? 'ended' : 'answered')
