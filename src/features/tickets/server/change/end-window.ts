import { backdateLastWord } from '#features/ledger/server/rows/index.ts'
import { announceAll, lockTicket } from '#features/visibility/server/index.ts'
import type { Ctx } from '#server/context.ts'

const AGO_MS = 25 * 3_600_000

/** Backdates the contact's last message in conversations by 25 hours, so that the window is closed; for trial features only. */
export async function endWindow(ctx: Ctx, connectionId: number, keys: readonly string[]): Promise<void> {
  const ids = await backdateLastWord(ctx.db, { connectionId, keys }, new Date(ctx.now.getTime() - AGO_MS))
  await announceAll(ctx, await Promise.all(ids.map((id) => lockTicket(ctx, id))))
}
