import { flowAtClosing, flowToStart } from '#domain/flow/start.ts'
import { lookUp } from '#domain/present.ts'
import { change, type TicketState } from '#domain/tickets/transitions.ts'
import { setWaiting } from '#features/ledger/server/changes/index.ts'
import type { Hook, HookItem } from '#features/ledger/server/hooks/index.ts'
import { ticketsById } from '#features/ledger/server/sets/index.ts'
import { findSubjects } from '#features/ledger/server/texts/index.ts'
import { type LedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { moveUnattended } from '#features/tickets/server/change/index.ts'
import { isOn } from '#kit/settings.ts'
import type { Ctx } from '#server/context.ts'
import { flowOf } from './documents.ts'
import { answerAfterClosing, beginSessions, goOn, orLetGo } from './live.ts'
import { listStarting } from './queries.ts'
import { findSituations, listLive, type Situation } from './queries-sessions.ts'

type Item = HookItem<'onMessageSent'>

/**
 * Hook that runs chat flows within the message's transaction: starts a flow at a ticket's first message, passes answers to
 * attending flows, and ends a flow when an agent writes.
 */
export const attendByFlow: Hook<'onMessageSent'> = {
  name: 'chat-flow',
  run: async (ctx, batch, { isRepeated }) => {
    if (!isRepeated) return attend(ctx, batch)
    // Isolates the failure of one conversation from the others.
    for (const [ticketId, items] of Map.groupBy(batch, (item) => item.ticketId))
      await orLetGo(ctx, ticketId, (inner) => attend(inner, items))
    return {}
  },
}

async function attend(ctx: Ctx, batch: readonly Item[]): Promise<{ attends: Set<number> }> {
  const relevant = batch.filter((item) => isRelevant(item))
  const starting = relevant.some(isBeginning) ? await listStarting(ctx.db) : []
  const attends = new Set<number>()
  for (const round of roundsOf(relevant)) {
    const begun = starting.length > 0 ? await begin(ctx, round.filter(isBeginning), starting) : []
    const attended = round.filter(({ ticketId, chatFlowId }) => chatFlowId !== null || attends.has(ticketId))
    const answered = await answer(ctx, attended)
    await reopen(
      ctx,
      attended.filter(({ ticketId, fromMe }) => !fromMe && attends.has(ticketId) && !answered.includes(ticketId)),
    )
    for (const ticketId of [...begun, ...answered]) attends.add(ticketId)
  }
  return { attends }
}

/** Splits messages into rounds of at most one per ticket: sequential within a ticket, together across tickets. */
function roundsOf(items: readonly Item[]): Item[][] {
  const rounds: Item[][] = []
  const rounded = new Map<number, number>()
  for (const item of items) {
    const round = rounded.get(item.ticketId) ?? 0
    rounded.set(item.ticketId, round + 1)
    rounds[round] = [...(rounds[round] ?? []), item]
  }
  return rounds
}

const isBeginning = ({ isFirst, fromMe, chatFlowId }: Item): boolean => isFirst && !fromMe && chatFlowId === null

const isRelevant = ({ isNote, isGroup, isClosed, isAutomatic, chatFlowId, fromMe }: Item): boolean =>
  !isNote && !isGroup && !isClosed && !isAutomatic && (chatFlowId !== null || !fromMe)

/** Starts the flows that apply to these conversations; returns the ids of the tickets attended. */
async function begin(
  ctx: Ctx,
  items: readonly Item[],
  starting: Awaited<ReturnType<typeof listStarting>>,
): Promise<number[]> {
  if (items.length === 0) return []
  const ids = items.map(({ ticketId }) => ticketId)
  const [tickets, situations, locked] = await Promise.all([
    lockLedgerTickets(ctx.db, ids),
    findSituations(ctx.db, ids),
    ticketsById(ctx.db, ids, true),
  ])
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const companyFlowId = Number(ctx.settings.values.botTicketActive) || null
  const asksAtClosing = starting.some(({ startsOn }) => startsOn === 'closing')
  const attended: number[] = []
  const begun = new Map<number, number>()
  for (const { ticketId, text, isGroup } of items) {
    const ticket = byId.get(ticketId)
    if (ticket?.status !== 'pending' || ticket.chat_flow_id !== null) continue
    if (isOn(ctx.settings, 'walletExternalInteraction') && ticket.wallets.length > 0) continue
    if (asksAtClosing && (await answerAfterClosing(ctx, ticket, text))) {
      attended.push(ticketId)
      continue
    }
    const situation = lookUp(situations, ticketId)
    const { number, isByAgent, isChatbotBlocked, connectionFlowId, wasAttended } = situation
    if (wasAttended || isDirected(ticket, situation)) continue
    const beginning = { text, isGroup, isByAgent, isChatbotBlocked, number }
    const chatFlowId = flowToStart(beginning, starting, { connectionFlowId, companyFlowId })
    const version = starting.find(({ id }) => id === chatFlowId)?.version
    if (chatFlowId === null || version === undefined || !(await flowOf(ctx, chatFlowId, version))) continue
    begun.set(ticketId, chatFlowId)
  }
  // The connection's queue and user apply only if the flow ends without a destination.
  const undirected = { chatFlowNode: null, botRetries: 0, queueId: null, userId: null }
  const decide = (state: TicketState, ticketId: number) => {
    const wanted = { ...undirected, chatFlowId: lookUp(begun, ticketId) }
    return change(state, wanted, { by: null, at: ctx.now.getTime() }, ['chatBot'])
  }
  const moving = moveUnattended(ctx, [...begun.keys()], decide, locked)
  const wanted = [...begun].map(([ticketId, chatFlowId]) => ({ ticketId, chatFlowId }))
  const versions = new Map(starting.map((flow) => [flow.id, flow]))
  await Promise.all([moving, beginSessions(ctx, wanted, { versions, situations, moving })])
  return [...attended, ...begun.keys()]
}

/** Checks whether a ticket has another queue or user than its connection assigns, set by a rule. */
const isDirected = (ticket: LedgerTicket, { queueId, userId }: Situation): boolean =>
  (ticket.queue_id !== null && ticket.queue_id !== queueId) || (ticket.user_id !== null && ticket.user_id !== userId)

/** Passes messages to the flows of their tickets (at most one each); returns the ids of tickets with a customer's message. */
async function answer(ctx: Ctx, items: readonly Item[]): Promise<number[]> {
  if (items.length === 0) return []
  const ids = items.map(({ ticketId }) => ticketId)
  const [tickets, live, subjects] = await Promise.all([
    lockLedgerTickets(ctx.db, ids),
    listLive(ctx.db, ids),
    findSubjects(ctx.db, ids),
  ])
  const ticketOf = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const sessionOf = new Map(live.map((session) => [session.ticketId, session.state]))
  const at = ctx.now.getTime()
  const happenings = items.flatMap(({ ticketId, fromMe, text }) => {
    const ticket = ticketOf.get(ticketId)
    const session = sessionOf.get(ticketId)
    const event = fromMe ? ({ type: 'person', at } as const) : ({ type: 'answer', at, text } as const)
    return ticket && session ? [{ ticket, session, event }] : []
  })
  await goOn(ctx, happenings, subjects)
  return happenings.flatMap(({ ticket, event }) => (event.type === 'answer' ? [ticket.id] : []))
}

/** Reopens tickets that a flow resolved if further customer messages arrived in the same batch; agents get them. */
async function reopen(ctx: Ctx, unheard: readonly Item[]): Promise<void> {
  if (unheard.length === 0) return
  const ids = unheard.map(({ ticketId }) => ticketId)
  const tickets = await lockLedgerTickets(ctx.db, ids)
  const closed = tickets.flatMap(({ id, status }) => (status === 'closed' ? [id] : []))
  if (closed.length === 0) return
  const situations = await findSituations(ctx.db, closed)
  await setWaiting(ctx.db, closed, ctx.now)
  await moveUnattended(ctx, closed, (state, ticketId) => {
    const { queueId, userId } = lookUp(situations, ticketId)
    const wanted = { status: 'pending', closedAt: null, queueId, userId } as const
    return change(state, wanted, { by: null, at: ctx.now.getTime() }, ['pending'])
  })
}

/** Hook that starts flows for tickets that a person resolved; they stay resolved. */
export const beginAtClosing: Hook<'onClosed'> = {
  name: 'chat-flow-at-closing',
  run: async (ctx, batch) => {
    const resolved = batch.filter(({ how }) => how === 'person' || how === 'rule')
    const starting = resolved.length > 0 ? await listStarting(ctx.db) : []
    if (!starting.some(({ startsOn }) => startsOn === 'closing')) return {}
    const ids = resolved.map(({ ticketId }) => ticketId)
    const [tickets, situations] = await Promise.all([lockLedgerTickets(ctx.db, ids), findSituations(ctx.db, ids)])
    const wanted = tickets.flatMap(({ id, status, is_group: isGroup }) => {
      const { number, isChatbotBlocked } = lookUp(situations, id)
      const chatFlowId = status === 'closed' ? flowAtClosing({ isGroup, isChatbotBlocked, number }, starting) : null
      return chatFlowId === null ? [] : [{ ticketId: id, chatFlowId }]
    })
    await beginSessions(ctx, wanted)
    return {}
  },
}

/** Hook that starts a flow to which a person handed a ticket. */
export const beginByHand: Hook<'onChatFlow'> = {
  name: 'chat-flow-by-hand',
  run: async (ctx, batch) => {
    await beginSessions(ctx, batch)
    return {}
  },
}
