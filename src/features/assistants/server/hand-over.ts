import { change } from '#domain/tickets/transitions.ts'
import { moveUnattended } from '#features/tickets/server/change/index.ts'
import type { Ctx } from '#server/context.ts'
import type { SituationRow } from './queries-turns.ts'

/** Assigns a ticket without queue and agent to its connection's default queue and agent. */
export async function toPeople(
  ctx: Ctx,
  ticketId: number,
  {
    queueId,
    userId,
    connectionQueueId,
    connectionUserId,
  }: Pick<SituationRow, 'queueId' | 'userId' | 'connectionQueueId' | 'connectionUserId'>,
): Promise<void> {
  if (queueId !== null || userId !== null) return
  if (connectionQueueId === null && connectionUserId === null) return
  await moveUnattended(ctx, [ticketId], (state) =>
    change(state, { queueId: connectionQueueId, userId: connectionUserId }, { by: null, at: ctx.now.getTime() }, [
      'queue',
    ]),
  )
}
