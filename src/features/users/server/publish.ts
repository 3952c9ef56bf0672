import type { Ctx } from '#server/context.ts'
import { userEvents } from '../contract.ts'

/** Invalidates a user's cached permissions and publishes the change to open screens. */
export function publishUserChange(ctx: Ctx, id: number): void {
  ctx.stale(`actors ${ctx.tenantId}:${id}`)
  // The cached settings contain the company's owner, who must be an active user.
  ctx.stale(`settings ${ctx.tenantId}`)
  ctx.emit(userEvents.changed, { userId: id }, { kind: 'tenant' })
}
