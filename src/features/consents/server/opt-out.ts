import { isOptOut, ownOptOuts, PURPOSES } from '#domain/consents/consents.ts'
import { lookUp } from '#domain/present.ts'
import { change, NO_FLOW } from '#domain/tickets/transitions.ts'
import type { Hook, HookItem } from '#features/ledger/server/hooks/index.ts'
import { moveUnattended } from '#features/tickets/server/change/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { CONFIRMATION } from './gate.ts'
import {
  addressesOf,
  channelAddress,
  conversationsOfTickets,
  insertConsents,
  type NewConsent,
  statesOf,
} from './queries.ts'

const CONFIRMED = {
  all: 'Pronto: você não receberá mais mensagens automáticas deste número.',
  marketing: 'Pronto: você não receberá mais campanhas nem ofertas nossas. Se precisar, é só escrever por aqui.',
}
const UNWANTED = 'O cliente não quer mensagens automáticas.'

type Item = HookItem<'onMessageSent'>
const isCustomers = ({ fromMe, isNote, isGroup }: Item): boolean => !fromMe && !isNote && !isGroup

/**
 * Hook that handles opt-outs: revokes marketing for all addresses of the contact, and confirms once. On channels where it
 * covers all automatic messages (SMS) it also revokes utility and flows leave the ticket; elsewhere a flow in the ticket
 * still gets the text.
 */
export const takeOptOuts: Hook<'onMessageSent'> = {
  name: 'opt-out',
  run: async (ctx, batch) => {
    const own = ownOptOuts(ctx.settings.values.optOutWords)
    const asking = batch.filter((item) => isCustomers(item) && isOptOut(item.text, own))
    if (asking.length === 0) return {}
    const conversations = await conversationsOf(ctx, asking)
    const texts = new Map(asking.map(({ ticketId, text }) => [ticketId, text]))
    const addresses = await addressesOf(
      ctx.db,
      conversations.map(({ contactId }) => contactId),
    )
    const all = conversations.map((one) => ({
      ...one,
      addresses: [...new Set([one.address, ...(addresses.get(one.contactId) ?? [])])],
    }))
    const records: NewConsent[] = []
    // Confirmed where the conversation's own address had not opted out.
    const news = new Set<Conversation>()
    for (const purpose of PURPOSES) {
      const concerned = all.filter(({ endsAll }) => endsAll || purpose === 'marketing')
      const states = await statesOf(
        ctx.db,
        concerned.flatMap((one) => one.addresses),
        purpose,
      )
      for (const one of concerned)
        for (const address of one.addresses) {
          if (states.get(address) === 'revoked') continue
          states.set(address, 'revoked')
          if (address === one.address) news.add(one)
          const about = { address, purpose, connectionId: one.connectionId, note: texts.get(one.ticketId) ?? '' }
          records.push({ ...about, state: 'revoked', source: 'conversation', userId: null })
        }
    }
    await insertConsents(ctx.db, records, ctx.now)
    await letGo(
      ctx,
      conversations.filter(({ endsAll }) => endsAll),
    )
    return {
      attends: new Set(conversations.flatMap(({ ticketId, endsAll }) => (endsAll ? [ticketId] : []))),
      messages: [...news].map(({ ticketId, endsAll }) => ({
        ...{ ticketId, sendType: CONFIRMATION },
        text: endsAll ? CONFIRMED.all : CONFIRMED.marketing,
      })),
    }
  },
}

/**
 * Hook that leaves later messages to people on a channel with a full opt-out, where a flow could not answer; neither a new
 * flow nor an assistant answers an opt-out.
 */
export const leaveToPeople: Hook<'onMessageSent'> = {
  name: 'opted-out',
  concerns: isCustomers,
  run: async (ctx, batch) => {
    const own = ownOptOuts(ctx.settings.values.optOutWords)
    const asking = batch.filter(({ text, chatFlowId }) => chatFlowId === null && isOptOut(text, own))
    const all = await conversationsOf(
      ctx,
      batch.filter(({ channel }) => channel !== undefined && capabilitiesOf(channel).optOut),
    )
    const addresses = all.map(({ address }) => address)
    const states = await statesOf(ctx.db, addresses, 'utility')
    const unwilling = all.filter(({ address }) => states.get(address) === 'revoked')
    await letGo(ctx, unwilling)
    return { attends: new Set([...unwilling, ...asking].map(({ ticketId }) => ticketId)) }
  },
}

type Conversation = Awaited<ReturnType<typeof conversationsOf>>[number]

/** Returns the conversations of messages, one per ticket. */
async function conversationsOf({ db }: Ctx, items: readonly Item[]) {
  if (items.length === 0) return []
  const all = await conversationsOfTickets(db, [...new Set(items.map(({ ticketId }) => ticketId))])
  return all.map((one) => ({
    ...one,
    address: channelAddress(one.channel, one.conversationKey),
    endsAll: capabilitiesOf(one.channel).optOut,
  }))
}

/** Ends a flow that may not send messages; the ticket goes to the connection's queue and agent. */
async function letGo(ctx: Ctx, conversations: readonly Conversation[]): Promise<void> {
  const receivers = new Map(conversations.map(({ ticketId, queueId, userId }) => [ticketId, { queueId, userId }]))
  await moveUnattended(ctx, [...receivers.keys()], (ticket, ticketId) => {
    if (ticket.chatFlowId === null) return { set: {}, logs: [] }
    const wanted = { status: 'pending', ...lookUp(receivers, ticketId), ...NO_FLOW } as const
    const { set, logs } = change(ticket, wanted, { by: null, at: ctx.now.getTime() }, ['queue'])
    return { set, logs: logs.map((log) => ({ ...log, data: { ...log.data, reason: UNWANTED } })) }
  })
}
