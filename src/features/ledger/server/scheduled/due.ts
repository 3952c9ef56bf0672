import { z } from 'zod'
import type { Ctx } from '#server/context.ts'

/** Priority of scheduled messages, behind live ones. */
export const BEHIND_LIVE = 10

/** Name and payload of the job that releases due messages. */
export const due = { name: 'messages:due', schema: z.object({ at: z.number() }) }

/** Records that messages are due at these moments (epoch ms). */
export function enqueueDue(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, moments: readonly number[], delayMs = 0): void {
  for (const at of new Set(moments.map((moment) => Math.ceil(moment / 1000) * 1000)))
    ctx.enqueue(due, { at }, { key: `due:${ctx.tenantId}:${at}`, runAt: new Date(at + delayMs) })
}

/** Enqueues the next due message of a connection, after a scheduled one was sent or given up. */
export const enqueueNextDue = (ctx: Pick<Ctx, 'enqueue' | 'tenantId' | 'now'>): void =>
  ctx.enqueue(due, { at: ctx.now.getTime() }, { key: `due:${ctx.tenantId}:next`, priority: BEHIND_LIVE })
