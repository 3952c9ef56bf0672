import { required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, reading } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { flowEvents } from '../contract.ts'
import { findFlow, findState } from './queries.ts'

const EDITORS = { kind: 'permission', permission: 'flows:write' } as const

/** Publishes to users who may edit flows that an editor opened or left a flow; not stored. */
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

/** Publishes to users who may edit flows, after the commit, that a flow was created, removed or changed. */
export async function publishChanged(ctx: Ctx & { readonly user: Actor }, chatFlowId: number): Promise<void> {
  const { id, name } = ctx.user
  ctx.emit(flowEvents.changed, { chatFlowId, ...(await findState(ctx.db, chatFlowId)), who: { id, name } }, EDITORS)
}
