import { DISPATCH_MOVES, type DispatchMove, mayMove } from '#domain/campaigns/states.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { campaignEvents, type campaigns } from '../contract.ts'
import { type DispatchRecord, findDispatch, type Kinds, lockDispatch, updateDispatch } from './queries.ts'
import { connectionsOf } from './queries-items.ts'
import { serializeCampaign } from './stored.ts'
import { enqueueTurn } from './turn.ts'

/** Audience of dispatch events. */
export const AUDIENCE = { kind: 'permission', permission: 'campaigns:write' } as const

type Answer = Returned<typeof campaigns.get>

/** Returns one dispatch of some kinds; 404 if there is none. */
export const dispatchOf = async (
  { db }: Pick<ReadCtx, 'db'> | Pick<Ctx, 'db'>,
  id: number,
  kinds: Kinds,
): Promise<DispatchRecord> => required(await findDispatch(db, id, kinds), 'ERROR_CAMPAIGN_NOT_EXISTS')

/** Locks a dispatch and fails where its state does not permit a move. */
export async function requireMove(
  { db }: Pick<Ctx, 'db'>,
  id: number,
  move: DispatchMove,
  kinds: Kinds,
): Promise<void> {
  const status = required(await lockDispatch(db, id, kinds), 'ERROR_CAMPAIGN_NOT_EXISTS')
  if (!mayMove(status, move)) fail('ERR_CAMPAIGN_STATE')
}

/** Publishes a written dispatch, and returns it as stored. */
export async function written(ctx: Ctx, id: number, action: 'create' | 'update', kinds: Kinds): Promise<Answer> {
  ctx.emit(campaignEvents.changed, { id, action }, AUDIENCE)
  return serializeCampaign(ctx, await dispatchOf(ctx, id, kinds))
}

/** Applies a move to a locked dispatch; its connections check for the change at once. */
export async function moved(ctx: Ctx, id: number, move: DispatchMove, kinds: Kinds): Promise<Answer> {
  const { to } = DISPATCH_MOVES[move]
  if (to === null) return written(ctx, id, 'update', kinds)
  const isUnderWay = move === 'resume' && (await dispatchOf(ctx, id, kinds)).startedAt !== null
  const status = isUnderWay ? 'processing' : to
  const ended = status === 'finished' ? { finished_at: ctx.now } : {}
  // A drop from before its resumption does not pause it again.
  const seen = isUnderWay ? { turned_at: ctx.now } : {}
  await updateDispatch(ctx.db, id, { status, pause_reason: '', waits_until: null, ...ended, ...seen }, ctx.now)
  if (to === 'scheduled') for (const connectionId of await connectionsOf(ctx.db, id)) enqueueTurn(ctx, connectionId)
  const answer = await written(ctx, id, 'update', kinds)
  ctx.audit({ after: { name: answer.name, status } })
  return answer
}
