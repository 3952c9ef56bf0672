import { z } from 'zod'
import { closeTicketsOfConnection } from '#features/tickets/server/sets/index.ts'
import { required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { job } from '#server/job.ts'
import { connectionEvents } from '../connection-events.ts'
import { lockConnection, markRemoved } from './queries.ts'
import { removeState } from './queries-leases.ts'
import { ACCOUNT_KIND, WEBHOOK_KIND } from './save.ts'

/** Job that resolves the open tickets of a removed connection. */
export const closeJob = job({
  name: 'connections:close-tickets',
  schema: z.object({ connectionId: z.number() }),
  run: (platform, { tenantId, connectionId }) => closeTicketsOfConnection(platform, tenantId, connectionId),
})

/**
 * Removes a connection (decision B26): deletes its secrets and webhook address, unlinks its device, stops all traffic, and
 * resolves its open tickets. Its messages stay readable.
 */
export async function removeConnection(ctx: Ctx, id: number): Promise<void> {
  required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  await markRemoved(ctx.db, id, ctx.now)
  await removeState(ctx.db, id)
  for (const kind of [WEBHOOK_KIND, ACCOUNT_KIND] as const) await saveInDirectory(ctx.db, kind, id, [])
  ctx.stale(`connection ${ctx.tenantId}:${id}`)
  ctx.stale(`removed connection ${ctx.tenantId}:${id}`)
  ctx.enqueue(closeJob, { connectionId: id })
  // Once more later, for messages in progress during this commit.
  ctx.enqueue(closeJob, { connectionId: id }, { runAt: new Date(ctx.now.getTime() + 60_000) })
  ctx.emit(
    connectionEvents.removed,
    { action: 'delete', whatsappId: id },
    { kind: 'permission', permission: 'connections:read' },
  )
}
