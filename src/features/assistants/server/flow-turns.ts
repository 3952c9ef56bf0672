import { z } from 'zod'
import type { AssistantExit } from '#domain/flow/flow.ts'
import type { AssistantAnswer } from '#domain/flow/nodes/assistant.ts'
import type { Ctx } from '#server/context.ts'
import { listAccounts } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { KIND } from './accounts.ts'
import { isPermitted } from './permitted.ts'
import { countUnheard, isAwaitedBy } from './queries-flow-turns.ts'
import { beginTurns, cancelTurns, type FlowOfTurn, type SituationRow } from './queries-turns.ts'
import { nudgeTurns } from './runner.ts'

/** The job that tells a chat flow how its assistant's part went; flows do it. */
export const flowAnsweredJob = {
  name: 'flows:assistant-answered',
  schema: z.object({ sessionId: z.string(), callId: z.string(), status: z.number().int(), body: z.string() }),
}

/** What a step of a chat flow asks of an assistant. */
export type FlowQuestion = FlowOfTurn & {
  readonly ticketId: number
  readonly provider: string | null
  readonly accountId: number | null
}

/**
 * Begins a turn for a step of a chat flow, in the place of whatever is under way in its ticket, which the caller has locked.
 * Where no account may answer, the flow is told so at once.
 */
export async function askForFlow(ctx: Ctx, { ticketId, provider, accountId, ...flow }: FlowQuestion): Promise<void> {
  await cancelTurns(ctx.db, [ticketId], ctx.now)
  const own = (await listAccounts(ctx.db, KIND)).filter(
    (one) => one.is_active && isPermitted(ctx.settings, one.provider),
  )
  // The default of a provider comes first.
  const account = own.find((one) => (accountId === null ? one.provider === provider : one.id === accountId))
  if (!account) return tellFlow(ctx, flow, { exit: 'failed', answer: '', heard: 0 })
  const { waitSeconds } = account.config as { waitSeconds?: number | null }
  // The word that led here has been said; what follows it in a talk may come in parts.
  const dueAt = new Date(ctx.now.getTime() + (flow.isFirst ? 0 : (waitSeconds ?? 2) * 1000))
  await beginTurns(
    ctx.db,
    [{ id: ctx.newId(), ticketId, accountId: account.id, provider: account.provider, dueAt, flow }],
    ctx.now,
  )
  ctx.afterCommit(() => nudgeTurns(ctx.platform, dueAt.getTime()))
}

/** Tells a flow how its assistant's part went, once. */
export function tellFlow(
  ctx: Ctx,
  { sessionId, callId }: Pick<FlowOfTurn, 'sessionId' | 'callId'>,
  how: AssistantAnswer,
) {
  const body = sanitizeForPostgres(JSON.stringify(how))
  const told = { sessionId, callId, status: how.exit === 'failed' ? 0 : 200, body }
  ctx.enqueue(flowAnsweredJob, told, { key: `flow:${ctx.tenantId}:${callId}:assistant` })
}

/** Whether the flow still waits for a turn's answer, in a ticket in which it attends. */
export const isAwaited = async (ctx: Ctx, row: SituationRow, flow: FlowOfTurn): Promise<boolean> =>
  row.isInFlow && (await isAwaitedBy(ctx.db, flow))

/** So many words of the customer wait in the session, all of which the question has. */
export const unheard = (ctx: Ctx, { sessionId }: FlowOfTurn): Promise<number> => countUnheard(ctx.db, sessionId)

/** How an answer leaves the step: an assistant that gives the conversation away has nothing more to say. */
export const exitOf = (handsOver: boolean | undefined): AssistantExit => (handsOver ? 'ended' : 'answered')
