import { isCloseWord } from '#domain/tickets/close-words.ts'
import type { Hook } from '../hooks.ts'
import { closeUnattended } from '../tickets/change.ts'

/**
 * Resolves the conversation of a customer who says a closing word of the connection, and nothing else; nobody else answers
 * it then. Where no connection has any, nothing is asked of the database.
 */
export const closeByWord: Hook<'onMessageSent'> = {
  name: 'close-words',
  run: async (ctx, batch) => {
    const { closeWords } = ctx.settings
    const said = batch.filter(({ fromMe, isNote, isLate, isGroup, isClosed, text, connectionId }) => {
      const isTheirs = !fromMe && !isNote && !isLate && !isGroup && !isClosed
      return isTheirs && isCloseWord(text, closeWords[connectionId] ?? [])
    })
    const ticketIds = [...new Set(said.map(({ ticketId }) => ticketId))]
    if (ticketIds.length > 0) await closeUnattended(ctx, ticketIds, 'customer')
    return { attends: new Set(ticketIds) }
  },
}
