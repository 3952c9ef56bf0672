import type { Ctx } from '#server/context.ts'
import { enqueueSending } from './outbox.ts'
import { countUncertain, waitingConversations } from './outbox-queries.ts'

/** So many conversations get their job at once; whoever has more asks again. */
const AT_ONCE = 10_000

/**
 * Gives every conversation whose messages wait the job that sends them; one that has its job keeps it. `requeued` are the
 * messages in them; what is uncertain stays for a person to decide.
 */
export async function resolvePending(ctx: Ctx): Promise<{ requeued: number; uncertain: number }> {
  const waiting = await waitingConversations(ctx.db, AT_ONCE)
  for (const conversation of waiting) enqueueSending(ctx, conversation)
  const requeued = waiting.reduce((sum, { amount }) => sum + amount, 0)
  return { requeued, uncertain: await countUncertain(ctx.db) }
}
