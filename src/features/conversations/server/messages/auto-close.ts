import { isOn } from '#kit/settings.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import type { Hook } from '../hooks.ts'
import { closeUnattended } from '../tickets/change.ts'
import { quietTickets, tenantsThatClose } from './system-message-queries.ts'

const BATCH = 50

/** Resolves the conversations that went quiet, of every company that wants it; several processes may do it at once. */
export async function closeQuiet(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(tenantsThatClose)) {
    while ((await closeSome(platform, tenantId)) === BATCH);
  }
}

/** What is said when a conversation is resolved because nobody wrote. */
export const sendFarewell: Hook<'onClosed'> = {
  name: 'auto-close-farewell',
  run: async ({ settings }, batch) => {
    const text = settings.values.autoCloseMessage
    const closed = batch.filter(({ how }) => how === 'timer' && text !== '')
    return { messages: closed.map(({ ticketId }) => ({ ticketId, text, sendType: 'autoClose' })) }
  },
}

function closeSome(platform: Platform, tenantId: number): Promise<number> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const { autoCloseTime } = ctx.settings.values
    if (!isOn(ctx.settings, 'autoClose')) return 0
    const since = new Date(ctx.now.getTime() - Number(autoCloseTime) * 60_000)
    const ids = await quietTickets(ctx.db, since, BATCH)
    await closeUnattended(ctx, ids, 'timer')
    return ids.length
  })
}
