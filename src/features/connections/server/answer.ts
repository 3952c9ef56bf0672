import { type ChannelAdapter, type ChannelQuestions, sendFailure } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { ANSWERED, answerOf, decrypted, encrypted } from './ask.ts'
import { type Lease, requireLease } from './queries-leases.ts'
import { claimRequests, type StoredRequest, writeAnswer } from './queries-requests.ts'

/**
 * Answers requests of other processes for a connection held by this one, concurrently and under its lease. Requests cut off
 * by its closing are left to the next opening.
 */
export async function answerRequests(
  platform: Platform,
  lease: Lease,
  { adapter, over }: { adapter: ChannelAdapter; over: Promise<never> },
): Promise<void> {
  const base = { tenantId: lease.tenantId, user: null }
  const claimed = await unit(platform, base, async (ctx) => {
    await requireLease(ctx.db, lease)
    return claimRequests(ctx.db, lease, ctx.now)
  })
  const answer = async ({ id, question, about }: StoredRequest) => {
    const asked = decrypted(platform, lease, id, about)
    const text = encrypted(platform, lease, id, await answerOf(Promise.race([ask(adapter, question, asked), over])))
    await unit(platform, base, async (ctx) => {
      await requireLease(ctx.db, lease)
      await writeAnswer(ctx.db, id, text)
      ctx.stale(`${ANSWERED} ${id}`)
    })
  }
  await Promise.all(claimed.map(answer))
}

async function ask(adapter: ChannelAdapter, question: string, about: unknown): Promise<unknown> {
  if (!adapter.ask) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  return adapter.ask(question as keyof ChannelQuestions, about as never)
}
