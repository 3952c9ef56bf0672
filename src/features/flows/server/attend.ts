import { flowAtClosing, flowToStart } from '#domain/flow/start.ts'
import { change } from '#domain/tickets/transitions.ts'
import { type Hook, type HookItem, lockLedgerTicket, moveUnattended } from '#features/conversations/server/index.ts'
import { isOn } from '#kit/settings.ts'
import type { Ctx } from '#server/context.ts'
import { flowOf } from './documents.ts'
import { answerAfterClosing, beginSession, goOn } from './live.ts'
import { listStarting } from './queries.ts'
import { findLive, findSituation } from './queries-sessions.ts'

type Item = HookItem<'onMessageSent'>

/**
 * Attends conversations: begins a flow with the word that begins a ticket, answers in those that a flow attends, and ends
 * where a person writes. In the transaction that takes the word.
 */
export const attendByFlow: Hook<'onMessageSent'> = {
  name: 'chat-flow',
  run: async (ctx, batch) => {
    const relevant = batch.filter((item) => isRelevant(item))
    const starting = relevant.some(isBeginning) ? await listStarting(ctx.db) : []
    const attends = new Set<number>()
    for (const item of relevant) {
      const isBegun = isBeginning(item) && starting.length > 0 && (await begin(ctx, item, starting))
      if (isBegun || (await answer(ctx, item, attends))) attends.add(item.ticketId)
    }
    return { attends }
  },
}

const isBeginning = ({ isFirst, fromMe, chatFlowId }: Item): boolean => isFirst && !fromMe && chatFlowId === null

const isRelevant = ({ isNote, isGroup, isClosed, chatFlowId, fromMe }: Item): boolean =>
  !isNote && !isGroup && !isClosed && (chatFlowId !== null || !fromMe)

/** Begins the flow that this conversation is for; whether there is one. */
async function begin(
  ctx: Ctx,
  { ticketId, text, isGroup }: Item,
  starting: Awaited<ReturnType<typeof listStarting>>,
): Promise<boolean> {
  const ticket = await lockLedgerTicket(ctx.db, ticketId)
  if (ticket?.status !== 'pending' || ticket.chat_flow_id !== null) return false
  if (isOn(ctx.settings, 'walletExternalInteraction') && ticket.wallets.length > 0) return false
  if (starting.some(({ startsOn }) => startsOn === 'closing') && (await answerAfterClosing(ctx, ticket, text)))
    return true
  const { number, isByAgent, isChatbotBlocked, connectionFlowId } = await findSituation(ctx.db, ticketId)
  const companyFlowId = Number(ctx.settings.values.botTicketActive) || null
  const beginning = { text, isGroup, isByAgent, isChatbotBlocked, number }
  const chatFlowId = flowToStart(beginning, starting, { connectionFlowId, companyFlowId })
  const version = starting.find(({ id }) => id === chatFlowId)?.version
  if (chatFlowId === null || version === undefined || !(await flowOf(ctx, chatFlowId, version))) return false
  // The connection's queue and user count only where the flow ends without a direction.
  const wanted = { chatFlowId, chatFlowNode: null, botRetries: 0, queueId: null, userId: null }
  await moveUnattended(ctx, ticketId, (state) =>
    change(state, wanted, { by: null, at: ctx.now.getTime() }, ['chatBot']),
  )
  await beginSession(ctx, ticketId, chatFlowId)
  return true
}

/** What somebody wrote in a ticket that a flow attends, or has just begun to; whether it does. */
async function answer(ctx: Ctx, item: Item, begun: ReadonlySet<number>): Promise<boolean> {
  if (item.chatFlowId === null && !begun.has(item.ticketId)) return false
  // Asked at once, and answered in this order.
  const [ticket, live] = await Promise.all([lockLedgerTicket(ctx.db, item.ticketId), findLive(ctx.db, item.ticketId)])
  if (!ticket || !live) return false
  const at = ctx.now.getTime()
  const event = item.fromMe ? ({ type: 'person', at } as const) : ({ type: 'answer', at, text: item.text } as const)
  await goOn(ctx, ticket, live.state, event)
  return !item.fromMe
}

/** Says what is said to the customer of a ticket that a person resolved; the ticket stays resolved. */
export const beginAtClosing: Hook<'onClosed'> = {
  name: 'chat-flow-at-closing',
  run: async (ctx, batch) => {
    const resolved = batch.filter(({ how }) => how === 'person' || how === 'rule')
    const starting = resolved.length > 0 ? await listStarting(ctx.db) : []
    if (!starting.some(({ startsOn }) => startsOn === 'closing')) return {}
    for (const { ticketId } of resolved) {
      const ticket = await lockLedgerTicket(ctx.db, ticketId)
      if (ticket?.status !== 'closed') continue
      const { number, isChatbotBlocked } = await findSituation(ctx.db, ticketId)
      const chatFlowId = flowAtClosing({ isGroup: ticket.is_group, isChatbotBlocked, number }, starting)
      if (chatFlowId !== null) await beginSession(ctx, ticketId, chatFlowId)
    }
    return {}
  },
}

/** A person hands a ticket to a flow: it says its first words. */
export const beginByHand: Hook<'onChatFlow'> = {
  name: 'chat-flow-by-hand',
  run: async (ctx, batch) => {
    for (const { ticketId, chatFlowId } of batch) await beginSession(ctx, ticketId, chatFlowId)
    return {}
  },
}
