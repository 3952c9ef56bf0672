import { z } from 'zod'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { conversationsOf, enqueueSending } from './outbox.ts'
import { conversationsWaiting, countUncertain, type Waiting, waitingConversations } from './outbox-queries.ts'

/** Maximum number of conversations that get their jobs in one unit of work. */
const AT_ONCE = 1000

/**
 * Enqueues a job for every conversation with something to send and possibly no job, because it was given up after killing
 * the process repeatedly. At start all conversations, later those untouched for longer than every delay.
 */
export async function recoverSends(platform: Platform, untouchedForMs: number, most = AT_ONCE): Promise<void> {
  let after: Waiting | undefined
  do {
    const waiting = await platform.db.asPlatform((db) => conversationsWaiting(db, { untouchedForMs, after, most }))
    for (const { tenant_id: tenantId, ...conversation } of waiting)
      await unit(platform, { tenantId, user: null }, async (ctx) =>
        enqueueSending(ctx, conversation, { isUrgent: true }),
      )
    after = waiting.length === most ? waiting.at(-1) : undefined
  } while (after)
}

/** Time until every process knows a connection's new state, in ms. */
const KNOWN_MS = 1000

/** Sends everything that waits for a connection now. */
export const resumeJob = job({
  name: 'messages:resume',
  schema: z.object({ connectionId: z.number() }),
  async run(platform, { tenantId, connectionId: connection_id }) {
    const keys = await conversationsOf(platform, tenantId, connection_id)
    for (let n = 0; n < keys.length; n += AT_ONCE)
      await unit(platform, { tenantId, user: null }, async (ctx) => {
        for (const conversation_key of keys.slice(n, n + AT_ONCE))
          enqueueSending(ctx, { connection_id, conversation_key }, { isUrgent: true })
      })
  },
})

/** Enqueues the sending of everything that waits for a reconnected connection, before its next retry. */
export const resumeSending = (ctx: Ctx, connectionId: number): void =>
  ctx.enqueue(
    resumeJob,
    { connectionId },
    { key: `resume:${ctx.tenantId}:${connectionId}`, runAt: new Date(ctx.now.getTime() + KNOWN_MS) },
  )

/** Maximum number of conversations whose jobs are enqueued at once. */
const MOST_ASKED = 10_000

/**
 * Enqueues a job that sends now for every conversation with waiting messages. `requeued`: number of those messages;
 * uncertain ones need the decision of a person.
 */
export async function resolvePending(ctx: Ctx): Promise<{ requeued: number; uncertain: number }> {
  const waiting = await waitingConversations(ctx.db, MOST_ASKED)
  for (const conversation of waiting) enqueueSending(ctx, conversation, { isUrgent: true })
  const requeued = waiting.reduce((sum, { amount }) => sum + amount, 0)
  return { requeued, uncertain: await countUncertain(ctx.db) }
}
