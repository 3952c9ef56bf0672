import type { Ctx } from '#server/context.ts'
import { listAccounts } from '#server/providers/queries.ts'
import { KIND } from './accounts.ts'
import { answerFlow, NO_ANSWER } from './flow-answers.ts'
import { isPermitted } from './permitted.ts'
import { beginTurns, cancelTurns, type FlowOfTurn } from './queries-turns.ts'
import { nudgeTurns } from './runner.ts'

/** Question of a chat flow's step to an assistant. */
export type FlowQuestion = FlowOfTurn & {
  readonly ticketId: number
  readonly provider: string | null
  readonly accountId: number | null
}

/**
 * Begins a turn for a chat flow's step, replacing any turn of its ticket, which the caller has locked. Without a permitted
 * account the flow continues at once without an answer.
 */
export async function askForFlow(ctx: Ctx, { ticketId, provider, accountId, ...flow }: FlowQuestion): Promise<void> {
  await cancelTurns(ctx.db, [ticketId], ctx.now)
  const own = (await listAccounts(ctx.db, KIND)).filter(
    (one) => one.is_active && isPermitted(ctx.settings, one.provider),
  )
  // The default of a provider comes first.
  const account = own.find((one) => (accountId === null ? one.provider === provider : one.id === accountId))
  if (!account) return answerFlow(ctx, flow, NO_ANSWER)
  const waitSeconds = Number(account.config['waitSeconds'] ?? 2)
  // The first message is complete; later ones of the talk may arrive in parts.
  const dueAt = new Date(ctx.now.getTime() + (flow.isFirst ? 0 : waitSeconds * 1000))
  await beginTurns(
    ctx.db,
    [{ id: ctx.newId(), ticketId, accountId: account.id, provider: account.provider, dueAt, flow }],
    ctx.now,
  )
  ctx.afterCommit(() => nudgeTurns(ctx.platform, dueAt.getTime()))
}
