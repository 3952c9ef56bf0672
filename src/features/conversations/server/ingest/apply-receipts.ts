import { advance, type MessageStatus } from '#domain/messages/status.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { announceStatus } from '../messages/announce.ts'
import { addTrail } from '../messages/queries.ts'
import type { JournalEntry } from './journal-queries.ts'
import { lockReceipted, setLastStatus, setStatuses, ticketFacts } from './receipt-queries.ts'

type Receipt = Extract<ProviderEvent, { type: 'receipt' }>

/**
 * Ticks out of a batch of journaled events. A status only rises (decision B8), so late, repeated and reordered receipts
 * change nothing. A receipt for a message that this system never sent is passed over.
 */
export async function applyReceipts(ctx: Ctx, entries: readonly JournalEntry[]): Promise<void> {
  const receipts = entries.flatMap((entry) =>
    entry.payload.type === 'receipt' ? [{ connectionId: entry.connection_id, receipt: entry.payload as Receipt }] : [],
  )
  if (receipts.length === 0) return
  const messages = await lockReceipted(
    ctx.db,
    receipts.map(({ connectionId, receipt }) => ({ connectionId, providerId: receipt.providerId })),
  )
  const byKey = new Map(messages.map((message) => [`${message.connection_id}|${message.provider_id}`, message]))
  const changed = new Map<
    string,
    { id: string; ticketId: number; status: MessageStatus; errorCode: string | null; isLast: boolean }
  >()
  const trail: { messageId: string; step: string; detail: object }[] = []
  for (const { connectionId, receipt } of receipts) {
    const message = byKey.get(`${connectionId}|${receipt.providerId}`)
    if (!message) continue
    const status = advance(message.status, receipt.status)
    if (status === message.status) continue
    message.status = status
    const errorCode = status === 'failed' ? 'ERR_SENDING_WAPP_MSG' : null
    changed.set(message.id, { id: message.id, ticketId: message.ticket_id, status, errorCode, isLast: message.is_last })
    trail.push({
      messageId: message.id,
      step: status,
      detail: { at: new Date(receipt.timestamp).toISOString(), ...(receipt.error ? { error: receipt.error } : {}) },
    })
  }
  if (changed.size === 0) return
  const changes = [...changed.values()]
  await setStatuses(ctx.db, changes)
  await addTrail(ctx.db, trail)
  const last = changes.filter((change) => change.isLast)
  if (last.length > 0) await setLastStatus(ctx.db, last)
  const facts = await ticketFacts(ctx.db, [...new Set(changes.map((change) => change.ticketId))])
  for (const change of changes) announceStatus(ctx, change, facts.get(change.ticketId)!)
}
