import { isOptOut } from '#domain/messages/sms.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { change, NO_FLOW } from '#domain/tickets/transitions.ts'
import type { Hook, HookItem } from '#features/ledger/server/hooks/index.ts'
import { addOptOuts, CONFIRMATION, conversationsOfTickets, findOptedOut } from '#features/ledger/server/outbox/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { moveUnattended } from '../change/change.ts'

const CONFIRMED = 'Pronto: você não receberá mais mensagens automáticas deste número.'
const UNWANTED = 'O cliente não quer mensagens automáticas.'

type Item = HookItem<'onMessageSent'>
const isCustomers = ({ fromMe, isNote, isGroup }: Item): boolean => !fromMe && !isNote && !isGroup

/**
 * Who answers with one of the words for it gets nothing more that nobody wrote: no flow attends them, nothing is said of
 * absence, and what would leave by itself is stopped on its way out. It is confirmed once; a person may still answer.
 */
export const endAutomatic: Hook<'onMessageSent'> = {
  name: 'opt-out',
  run: async (ctx, batch) => {
    const asking = batch.filter((item) => isCustomers(item) && isOptOut(item.text))
    if (asking.length === 0) return {}
    const ending = await conversationsOf(ctx, asking)
    // Each once, also where it was said on several lines at once.
    const unconfirmed = new Set(await addOptOuts(ctx.db, ending))
    await letGo(ctx, ending)
    return {
      attends: new Set(ending.map(({ ticketId }) => ticketId)),
      messages: ending
        .filter(({ channel, phone }) => unconfirmed.delete(`${channel}|${phone}`))
        .map(({ ticketId }) => ({ ticketId, text: CONFIRMED, sendType: CONFIRMATION })),
    }
  },
}

/** What they write later is for people: a flow could not answer it. */
export const leaveToPeople: Hook<'onMessageSent'> = {
  name: 'opted-out',
  concerns: (item) => isCustomers(item) && item.channel !== undefined && capabilitiesOf(item.channel).optOut,
  run: async (ctx, batch) => {
    const unwilling = await findOptedOut(ctx.db, await conversationsOf(ctx, batch))
    await letGo(ctx, unwilling)
    return { attends: new Set(unwilling.map(({ ticketId }) => ticketId)) }
  },
}

type Conversation = Awaited<ReturnType<typeof conversationsOf>>[number]

async function conversationsOf({ db }: Ctx, items: readonly Item[]) {
  const all = await conversationsOfTickets(db, [...new Set(items.map(({ ticketId }) => ticketId))])
  return all
    .filter(({ channel }) => capabilitiesOf(channel).optOut)
    .map(({ conversationKey, ...of }) => ({ ...of, phone: phoneKey(conversationKey) }))
}

/** A flow that may say nothing lets go of the ticket: the connection's people get it. */
async function letGo(ctx: Ctx, conversations: readonly Conversation[]): Promise<void> {
  const receivers = new Map(conversations.map(({ ticketId, queueId, userId }) => [ticketId, { queueId, userId }]))
  await moveUnattended(ctx, [...receivers.keys()], (ticket, ticketId) => {
    if (ticket.chatFlowId === null) return { set: {}, logs: [] }
    const wanted = { status: 'pending', ...receivers.get(ticketId)!, ...NO_FLOW } as const
    const { set, logs } = change(ticket, wanted, { by: null, at: ctx.now.getTime() }, ['queue'])
    return { set, logs: logs.map((log) => ({ ...log, data: { ...log.data, reason: UNWANTED } })) }
  })
}
