import type { FlowDocument } from '#domain/flow/document.ts'
import { readFlow } from '#domain/flow/read.ts'
import { toChatFlow } from '#domain/tickets/commands.ts'
import { liveTickets } from '#features/ledger/server/changes/index.ts'
import { findChatFlow } from '#features/ledger/server/commands/index.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { requireWritable } from '#features/ledger/server/outbox/index.ts'
import { findContacts } from '#features/ledger/server/reached/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { commandOf, moveUnattended } from './change.ts'

/**
 * Hands the newest live conversation of a person, whose contacts are named, to a chat flow, without a user. Fails where there
 * is none, the contact is blocked or left alone by chat flows, the flow is not published, or nothing may be written now.
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
  const { firstNode } = readFlow(flow.definition as FlowDocument)
  const unattended = { ...ctx, user: null }
  await moveUnattended(unattended, [ticket.id], (state) => {
    const group = { isGroup: ticket.is_group }
    const outcome = toChatFlow({ ...state, ...group }, { ...commandOf(unattended), flow: { id: flow.id, firstNode } })
    return typeof outcome === 'string' ? fail(outcome) : outcome
  })
  await runHooks(unattended, 'onChatFlow', [{ ticketId: ticket.id, chatFlowId }])
}
