import { required } from '#kit/errors.ts'
import { reading } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { flowEvents } from '../contract.ts'
import { findFlow } from './queries.ts'

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
    audience: { kind: 'permission', permission: 'flows:write' },
  })
}
