import type { Ctx } from '#server/context.ts'
import { claimTo } from '#server/signed-claims.ts'
import { answerFlow, NO_ANSWER } from './flow-answers.ts'
import { toPeople } from './hand-over.ts'
import { type SituationRow, type TurnRow, updateTurn } from './queries-turns.ts'

/** Maximum time for an answer that its provider delivers later, in ms. */
export const DEFERRED_MS = 10 * 60_000

/** Returns the one-time callback URL for a turn's answer; null if the installation has no public URL. */
export function callbackFor({ platform, tenantId }: Pick<Ctx, 'platform' | 'tenantId'>, turnId: string): string | null {
  const origin = platform.env.PUBLIC_URL?.replace(/\/$/, '')
  return origin
    ? `${origin}/api/assistants/answers/${claimTo(platform, 'answer', tenantId, turnId, DEFERRED_MS)}`
    : null
}

/** Ends the wait for a turn's answer: a workflow may give none, so people attend the customer. */
export async function endDeferred(
  ctx: Ctx,
  { id, ticket_id: ticketId, flow }: TurnRow,
  row: SituationRow | undefined,
): Promise<void> {
  await updateTurn(ctx.db, id, {
    ...{ status: 'answered', ended_at: ctx.now, lease_until: null },
    error: 'A resposta que viria depois não veio em dez minutos.',
  })
  if (flow) answerFlow(ctx, flow, NO_ANSWER)
  else if (row) await toPeople(ctx, ticketId, row)
}
