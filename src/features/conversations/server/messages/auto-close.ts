import { isOn } from '#kit/settings.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { lockLedgerTicket } from '../ingest/ingest-queries.ts'
import { closeByTimer } from '../tickets/change.ts'
import { say } from './say.ts'
import { quietTickets, tenantsThatClose } from './say-queries.ts'

const BATCH = 50

/** Resolves the conversations that went quiet, of every company that wants it; several processes may do it at once. */
export async function closeQuiet(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(tenantsThatClose)) {
    while ((await closeSome(platform, tenantId)) === BATCH);
  }
}

function closeSome(platform: Platform, tenantId: number): Promise<number> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const { autoCloseTime, autoCloseMessage } = ctx.settings.values
    if (!isOn(ctx.settings, 'autoClose')) return 0
    const since = new Date(ctx.now.getTime() - Number(autoCloseTime) * 60_000)
    const ids = await quietTickets(ctx.db, since, BATCH)
    for (const id of ids) {
      const ticket = await lockLedgerTicket(ctx.db, id)
      if (ticket && autoCloseMessage) await say(ctx, ticket, autoCloseMessage, 'autoClose')
      await closeByTimer(ctx, id)
    }
    return ids.length
  })
}
