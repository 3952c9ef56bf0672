import { isCloseKeyword } from '#domain/tickets/close-keywords.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { closeUnattended } from '../change/change.ts'

/**
 * Hook that closes the conversation if the customer's whole message is a closing keyword of the connection; later hooks do
 * not run. Without keywords it makes no query.
 */
export const closeByKeyword: Hook<'onMessageSent'> = {
  name: 'close-keywords',
  run: async (ctx, batch) => {
    const { closeKeywords } = ctx.settings
    const closing = batch.filter(({ fromMe, isNote, isLate, isGroup, isClosed, text, connectionId }) => {
      const isTheirs = !fromMe && !isNote && !isLate && !isGroup && !isClosed
      return isTheirs && isCloseKeyword(text, closeKeywords[connectionId] ?? [])
    })
    const ticketIds = [...new Set(closing.map(({ ticketId }) => ticketId))]
    if (ticketIds.length > 0) await closeUnattended(ctx, ticketIds, 'customer')
    return { attends: new Set(ticketIds) }
  },
}
