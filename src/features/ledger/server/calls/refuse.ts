import { z } from 'zod'
import { callOf, callText, RINGS_MS } from '#domain/messages/calls.ts'
import { isOn } from '#kit/settings.ts'
import { isSendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { sendForHooks } from '../hooks/hooks.ts'
import { announceWaiting } from '../messages/announce.ts'
import { findMessages, lockMessage, updateMessage } from '../messages/queries.ts'
import { adapterOf } from '../ports/channels.ts'
import { ledgerFacts, lockLedgerTicket, type NewMessage } from '../ticket/queries.ts'

/** Enqueues the refusal of ringing calls, if the company accepts none. */
export function refuseCalls(ctx: Ctx, messages: readonly NewMessage[]): void {
  if (!isOn(ctx.settings, 'rejectCalls')) return
  for (const { id: messageId, mediaType, timestamp } of messages)
    if (mediaType === 'call' && ctx.now.getTime() - timestamp < RINGS_MS) ctx.enqueue(refuseJob, { messageId })
}

/** Job that refuses a ringing call; then marks its message and sends the text to the caller, once. */
export const refuseJob = job({
  name: 'conversations:refuse-call',
  schema: z.object({ messageId: z.uuid() }),
  async run(platform, { tenantId, messageId }) {
    const [call] = await platform.db.read(tenantId, (db) => findMessages(db, [messageId]))
    if (!call?.provider_id || platform.now().getTime() - call.timestamp.getTime() > RINGS_MS) return
    const adapter = await adapterOf(platform, tenantId, call.connection_id)
    const isRefused = await adapter.ask?.('refuseCall', { callId: call.provider_id }).catch((error: unknown) => {
      if (isSendFailure(error)) return false
      throw error
    })
    if (!isRefused) return
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      const ticket = await lockLedgerTicket(ctx.db, call.ticket_id)
      await lockMessage(ctx.db, messageId)
      const [known] = await findMessages(ctx.db, [messageId])
      const before = callOf(known?.data)
      if (!ticket || !before || before.isRefused) return
      const data = { ...before, isRefused: true }
      await updateMessage(ctx.db, messageId, { data: JSON.stringify({ call: data }), body: callText(data) })
      const [row] = await findMessages(ctx.db, [messageId])
      if (row) announceWaiting(ctx, row, ledgerFacts(ticket))
      const text = String(ctx.settings.values.callRejectMessage).trim()
      if (text) await sendForHooks(ctx, [{ ticketId: ticket.id, text, sendType: 'call' }], [ticket])
    })
  },
})
