import type { Ctx } from '#server/context.ts'
import { userEvents } from '../contract.ts'

/** Lets a change of a user count at once, here and on every open screen. */
export function publishUserChange(ctx: Ctx, id: number): void {
  ctx.stale(`actors ${ctx.tenantId}:${id}`)
  // The company's owner is only one who works there.
  ctx.stale(`settings ${ctx.tenantId}`)
  ctx.emit(userEvents.changed, { userId: id }, { kind: 'tenant' })
}
