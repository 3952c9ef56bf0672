import { z } from 'zod'
import { lookUp } from '#domain/present.ts'
import { dueIds, isAnySnoozed, moveWaiting, wakeTickets } from '#features/ledger/server/commands/index.ts'
import { enqueueSending } from '#features/ledger/server/outbox/index.ts'
import { factsOf, loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { insertAllLogs, type TicketFields, ticketsById } from '#features/ledger/server/sets/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { announce } from '#features/visibility/server/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'

const BLOCK = 50

/**
 * Enqueues what follows from written ticket fields: waking snoozed tickets, and moving their waiting messages to a new
 * connection.
 */
export async function followFields(
  ctx: Pick<Ctx, 'db' | 'tenantId' | 'enqueue'>,
  writes: readonly { readonly id: number; readonly fields: TicketFields }[],
): Promise<void> {
  const times = new Set(writes.flatMap(({ fields }) => fields.snoozed_until ?? []))
  for (const time of times) enqueueWake(ctx, new Date(String(time)))
  const moved = writes.filter(({ fields }) => fields.connection_id !== undefined).map(({ id }) => id)
  if (moved.length === 0) return
  // Messages held behind the moved ones continue.
  for (const conversation of await moveWaiting(ctx.db, moved)) enqueueSending(ctx, conversation)
}

function enqueueWake(ctx: Pick<Ctx, 'tenantId' | 'enqueue'>, until: Date, runAt = until): void {
  ctx.enqueue(wakeJob, { until: until.getTime() }, { key: `tickets:wake:${ctx.tenantId}:${until.getTime()}`, runAt })
}

/** Job that wakes tickets snoozed until a moment (epoch ms), and any other due ones; idempotent. */
export const wakeJob = job({
  name: 'tickets:wake',
  schema: z.object({ until: z.number() }),
  async run(platform, { tenantId, until }, { requireOwnership }) {
    const next = () => unit(platform, { tenantId, user: null }, (ctx) => wakeBlock(ctx, new Date(until)))
    while (await next()) requireOwnership()
  },
})

async function wakeBlock(ctx: Ctx, until: Date): Promise<boolean> {
  const ids = await dueIds(ctx.db, ctx.now, BLOCK)
  if (ids.length > 0) await wakeAll(ctx, ids)
  const aheadMs = until.getTime() - ctx.now.getTime()
  // Difference between the queue's clock and this one.
  if (aheadMs > 0 && (await isAnySnoozed(ctx.db, until))) enqueueWake(ctx, until, new Date(until.getTime() + aheadMs))
  return ids.length === BLOCK
}

async function wakeAll(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const before = await ticketsById(ctx.db, ids, true)
  await wakeTickets(ctx.db, ids, ctx.now)
  const logs = [...before.values()].map(
    ({ id, queue_id: queueId }) => ({ ticketId: id, type: 'wake', userId: null, queueId }) as const,
  )
  await insertAllLogs(ctx.db, logs, ctx.now)
  const loaded = await loadTicketRows(ctx.db, ids, ctx)
  for (const [id, after] of loaded) {
    announce(ctx, factsOf(lookUp(before, id)), after)
    const { userId } = after.row
    if (userId !== null) ctx.emit(ticketEvents.notify, { ...after.row, draft: null }, { kind: 'users', ids: [userId] })
  }
}
