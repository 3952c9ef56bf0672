import { absenceAt } from '#features/hours/server/index.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'

/**
 * Hook that sends the absence message to customers who write outside of business hours, never in groups or for late
 * messages, up to a maximum per ticket (product facts 7.4). Makes no query if no absence message is set.
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
