import { absenceAt } from '#features/hours/server/index.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'

/**
 * Tells customers who have just written that nobody is there: outside of the hours that count for their conversation,
 * never in groups or about late messages, and so many times per ticket at most (product facts 7.4). Where no absence
 * message is set, nothing is asked of the database.
 */
export const answerAbsent: Hook<'onMessageSent'> = {
  name: 'absence',
  run: async (ctx, batch) => {
    const absence = absenceAt(ctx)
    if (!absence) return {}
    const relevant = batch.filter(({ fromMe, isNote, isLate, isGroup, isClosed }) => {
      return !fromMe && !isNote && !isLate && !isGroup && !isClosed
    })
    const messages = []
    for (const item of new Map(relevant.map((item) => [item.ticketId, item])).values()) {
      const text = await absence(item)
      const atMost = Number(ctx.settings.values.maxRetries)
      if (text !== null) messages.push({ ticketId: item.ticketId, text, sendType: 'absence', atMost })
    }
    return { messages }
  },
}
