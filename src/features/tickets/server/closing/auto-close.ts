import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { isOn } from '#kit/settings.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { closeUnattended } from '../change/change.ts'
import { farewellsAt, quietTickets, tenantsThatClose } from '../change/queries-closing.ts'

const BATCH = 50

/** Closes quiet conversations of every tenant and queue that has this enabled; safe to run in several processes. */
export async function closeQuiet(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(tenantsThatClose)) {
    while ((await closeSome(platform, tenantId)) === BATCH);
  }
}

/**
 * Hook that sends the farewell of a closed ticket: for automatic closing the queue's or company's; for a person, rule or
 * keyword the connection's, unless a text was chosen.
 */
export const sendFarewell: Hook<'onClosed'> = {
  name: 'auto-close-farewell',
  run: async ({ db, settings }, batch) => {
    const closed = batch.filter(({ how }) => ['timer', 'person', 'customer', 'rule'].includes(how))
    if (closed.length === 0) return {}
    const texts = await farewellsAt(
      db,
      closed.map(({ ticketId }) => ticketId),
    )
    const messages = closed.map(({ ticketId, how }) => {
      const { ofQueue = null, ofConnection = '' } = texts.get(ticketId) ?? {}
      const isQuiet = how === 'timer'
      const text = isQuiet ? (ofQueue ?? settings.values.autoCloseMessage) : ofConnection
      return { ticketId, text, sendType: isQuiet ? 'autoClose' : 'farewell' }
    })
    return { messages: messages.filter(({ text }) => text !== '') }
  },
}

function closeSome(platform: Platform, tenantId: number): Promise<number> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const minutes = isOn(ctx.settings, 'autoClose') ? Number(ctx.settings.values.autoCloseTime) : null
    const ids = await quietTickets(ctx.db, ctx.now, minutes, BATCH)
    await closeUnattended(ctx, ids, 'timer')
    return ids.length
  })
}
