import { isOptOut } from '#domain/messages/sms.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Hook } from '../hooks.ts'
import { addOptOuts, conversationsOfTickets } from './opt-out-queries.ts'
import { CONFIRMATION } from './opt-outs.ts'

const CONFIRMED = 'Pronto: você não receberá mais mensagens automáticas deste número.'

/**
 * Who answers with one of the words for it gets nothing more that nobody wrote: no flow attends them, nothing is said of
 * absence, and what would leave by itself is stopped on its way out. It is confirmed once; a person may still answer.
 */
export const endAutomatic: Hook<'onMessageSent'> = {
  name: 'opt-out',
  run: async (ctx, batch) => {
    const asking = batch.filter(({ fromMe, isNote, isGroup, text }) => !fromMe && !isNote && !isGroup && isOptOut(text))
    if (asking.length === 0) return {}
    const all = await conversationsOfTickets(ctx.db, [...new Set(asking.map(({ ticketId }) => ticketId))])
    const ending = all
      .filter(({ channel }) => capabilitiesOf(channel).optOut)
      .map(({ conversationKey, ...of }) => ({ ...of, phone: phoneKey(conversationKey) }))
    // Each once, also where it was said on several lines at once.
    const unconfirmed = new Set(await addOptOuts(ctx.db, ending))
    return {
      attends: new Set(ending.map(({ ticketId }) => ticketId)),
      messages: ending
        .filter(({ channel, phone }) => unconfirmed.delete(`${channel}|${phone}`))
        .map(({ ticketId }) => ({ ticketId, text: CONFIRMED, sendType: CONFIRMATION })),
    }
  },
}
