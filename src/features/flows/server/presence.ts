import { required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, reading } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { flowEvents } from '../contract.ts'
import { findFlow, findState } from './queries.ts'

const EDITORS = { kind: 'permission', permission: 'flows:write' } as const

/** Somebody has a flow open, or not any more: published to those who may edit flows, kept nowhere. */
export async function showEditor(
  { platform, tenantId, user }: SlowCtx,
  chatFlowId: number,
  state: 'viewing' | 'left',
): Promise<void> {
  await reading(platform, { tenantId, user }, async ({ db }) => {
    required(await findFlow(db, chatFlowId), 'ERR_NO_CHAT_FLOW_FOUND')
  })
  const { channel, type } = flowEvents.presence
  platform.bus.publish(tenantId, {
    ...{ channel, type },
    payload: { chatFlowId, state, who: { id: user.id, name: user.name } },
    audience: EDITORS,
  })
}

/** Tells those who may edit flows, once it is committed, that one came, went or is another one. */
export async function publishChanged(ctx: Ctx & { readonly user: Actor }, chatFlowId: number): Promise<void> {
  const { id, name } = ctx.user
  ctx.emit(flowEvents.changed, { chatFlowId, ...(await findState(ctx.db, chatFlowId)), who: { id, name } }, EDITORS)
}
