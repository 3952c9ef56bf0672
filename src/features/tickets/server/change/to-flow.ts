import { readFlow } from '#domain/flow/read.ts'
import { lookUp } from '#domain/present.ts'
import { toChatFlow } from '#domain/tickets/commands.ts'
import { liveTickets } from '#features/ledger/server/changes/index.ts'
import { findChatFlow } from '#features/ledger/server/commands/index.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { requireWritable } from '#features/ledger/server/outbox/index.ts'
import { findContacts } from '#features/ledger/server/reached/index.ts'
import { findTicketsForUpdate, type TicketRecord } from '#features/ledger/server/rows/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { commandOf, moveUnattended, stateOf } from './change.ts'

type Flow = NonNullable<Awaited<ReturnType<typeof findChatFlow>>>

/**
 * Hands tickets to published chat flows (`wanted`: flow by ticket), without a user. Returns the tickets that a flow now
 * attends; skips those that `takes` rejects, throws if another cannot be handed over.
 */
export async function handToFlows(
  ctx: Ctx,
  wanted: ReadonlyMap<number, Flow>,
  takes: (row: TicketRecord) => boolean = () => true,
): Promise<number[]> {
  if (wanted.size === 0) return []
  const rows = (await findTicketsForUpdate(ctx.db, [...wanted.keys()])).filter(takes)
  const locked = new Map(rows.map((row) => [row.id, row]))
  const unattended = { ...ctx, user: null }
  const begun: { ticketId: number; chatFlowId: number }[] = []
  const decide = (row: TicketRecord) => {
    const { id, definition } = lookUp(wanted, row.id)
    const flow = { id, firstNode: readFlow(definition).firstNode }
    const state = { ...stateOf(row), isGroup: row.is_group }
    const outcome = toChatFlow(state, { ...commandOf(unattended), flow })
    begun.push({ ticketId: row.id, chatFlowId: id })
    return typeof outcome === 'string' ? fail(outcome) : outcome
  }
  await moveUnattended(unattended, [...locked.keys()], (_, id) => decide(lookUp(locked, id)), locked)
  if (begun.length > 0) await runHooks(unattended, 'onChatFlow', begun)
  return begun.map(({ ticketId }) => ticketId)
}

/**
 * Hands the newest active conversation of a person (`contactIds`) to a chat flow, without a user. Throws if there is none,
 * the contact is blocked or excluded from chat flows, the flow is unpublished, or writing is impossible now.
 */
export async function startFlowFor(ctx: Ctx, contactIds: readonly number[], chatFlowId: number): Promise<void> {
  const flow = required(await findChatFlow(ctx.db, chatFlowId), 'ERR_NO_CHAT_FLOW_FOUND')
  const contacts = [...(await findContacts(ctx.db, contactIds)).values()]
  if (contacts.some(({ blocked }) => blocked)) fail('ERR_CONTACT_BLOCKED')
  if (contacts.some(({ chatbot_blocked }) => chatbot_blocked)) fail('ERR_CONTACT_BOT_BLOCKED')
  const live = [...(await liveTickets(ctx.db, contactIds)).values()]
  const newest = live.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())[0]
  const ticket = required(newest, 'ERR_NO_LIVE_TICKET')
  await requireWritable(ctx, ticket)
  await handToFlows(ctx, new Map([[ticket.id, flow]]))
}
