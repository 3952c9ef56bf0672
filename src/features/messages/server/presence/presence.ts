import { z } from 'zod'
import { messageEvents } from '#features/ledger/message-events-contract.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import { factsOf, findTicket } from '#features/ledger/server/rows/index.ts'
import { findLive, ledgerFacts } from '#features/ledger/server/ticket/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import { reading } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'

type State = 'composing' | 'recording' | 'paused'

/** Publishes that the contact types or records to users who may see the ticket; not stored. */
export async function receivePresence(
  platform: Platform,
  from: { tenantId: number; connectionId: number; conversationKey: string; state: State },
): Promise<void> {
  const ticket = await platform.db.read(from.tenantId, (db) => findLive(db, from.connectionId, from.conversationKey))
  if (!ticket) return
  platform.bus.publish(from.tenantId, {
    channel: messageEvents.presence.channel,
    type: messageEvents.presence.type,
    payload: { ticketId: ticket.id, state: from.state, who: null },
    audience: { kind: 'ticket', ticketId: ticket.id, before: null, after: ledgerFacts(ticket) },
  })
}

/** Publishes that an agent types, records or views to colleagues, and sends typing and recording to the contact's channel. */
export async function showPresence(
  platform: Platform,
  user: Actor,
  ticketId: number,
  state: State | 'viewing' | 'left',
): Promise<void> {
  const { row, facts } = await reading(platform, { tenantId: user.tenantId, user }, async (ctx) => {
    if (state !== 'left') return requireVisible(ctx, ticketId)
    // A user who may no longer see the ticket can still report leaving it.
    const found = required(await findTicket(ctx.db, ticketId), 'ERR_NO_TICKET_FOUND')
    return { row: found, facts: factsOf(found) }
  })
  platform.bus.publish(user.tenantId, {
    channel: messageEvents.presence.channel,
    type: messageEvents.presence.type,
    payload: { ticketId, state, who: { id: user.id, name: user.name } },
    audience: { kind: 'ticket', ticketId, before: null, after: facts },
  })
  if (state === 'viewing' || state === 'left' || row.status !== 'open') return
  if (!capabilitiesOf(row.channel).presence) return
  const to = { tenantId: user.tenantId, connectionId: row.connection_id, conversationKey: row.conversation_key }
  const adapter = await adapterOf(platform, to.tenantId, to.connectionId)
  await adapter.act?.({ ...to, type: 'presence', state })
}

/**
 * Publishes which ticket a browser views; not stored. The returned function takes the next ticket, or null for none; leaving
 * is published only for a ticket whose viewing was.
 */
export function lookerOf(
  platform: Platform,
  { tenantId, userId }: { tenantId: number; userId: number },
): (ticketId: number | null) => void {
  let now: { readonly ticketId: number; readonly isPublished: Promise<boolean> } | null = null
  const publish = async (ticketId: number, state: 'viewing' | 'left') => {
    const user = await platform.actors.get(`${tenantId}:${userId}`)
    if (user) await showPresence(platform, user, ticketId, state)
    return user !== undefined
  }
  return (ticketId) => {
    const before = now
    now = ticketId === null ? null : { ticketId, isPublished: publish(ticketId, 'viewing').catch(() => false) }
    if (before && before.ticketId !== ticketId)
      void before.isPublished.then((isPublished) => isPublished && publish(before.ticketId, 'left')).catch(() => {})
  }
}

/** Enqueues the read receipt for the contact's channel; a job, because it is an external call. */
export const readReceipts: Hook<'onRead'> = {
  name: 'read-receipts',
  run: async (ctx, batch) => {
    for (const { ticketId, ...to } of batch) ctx.enqueue(readJob, to, { key: `read:${ctx.tenantId}:${ticketId}` })
    return {}
  },
}

/** Sends the read receipt of a conversation to the contact's channel; skips channels without read receipts. */
export const readJob = job({
  name: 'messages:read',
  schema: z.object({ connectionId: z.number(), conversationKey: z.string() }),
  async run(platform, to) {
    const adapter = await adapterOf(platform, to.tenantId, to.connectionId)
    await adapter.act?.({ ...to, type: 'read' })
  },
})
