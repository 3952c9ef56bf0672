import { spellingsOf } from '#domain/phone/brazil.ts'
import type { EchoMessage } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { applyActs } from '../acts/receive.ts'
import { enqueueSending } from '../outbox/outbox.ts'
import { eventsAbout } from '../outbox/outbox-queries.ts'
import { recordLocked } from '../outbox/record.ts'
import { applyReceipts } from './apply-receipts.ts'
import type { TakenEntry } from './journal-queries.ts'
import { lockUnanswered } from './reconcile-queries.ts'

const mayBeOurs = (entry: TakenEntry): entry is TakenEntry & { payload: EchoMessage } =>
  entry.payload.type === 'echo' && entry.payload.mayBeOurs === true

/**
 * Of what a provider says left by our number, finds the message that waits for its answer, or whose answer was lost, and records
 * that it left: by our id where that came back, else the only one of the same kind that says the same to the same person within
 * two minutes. Where several may be meant none is, and nothing is shown either: one of them it was. Answers the entries that
 * are left.
 */
export async function reconcileEchoes(ctx: Ctx, entries: readonly TakenEntry[]): Promise<readonly TakenEntry[]> {
  const echoes = entries.filter(mayBeOurs)
  if (echoes.length === 0) return entries
  const reconciled = new Set<TakenEntry>()
  for (const entry of echoes) {
    const { connection_id: connectionId, payload } = entry
    const { providerId, type, body, timestamp } = payload.message
    const found = await lockUnanswered(ctx.db, {
      ...{ connectionId, providerId, type, body, at: new Date(timestamp) },
      keys: spellingsOf(payload.conversationKey),
      messageId: payload.messageId ?? null,
    })
    const named = found.filter(({ isNamed }) => isNamed)
    const alike = named.length > 0 ? named : found.filter(({ isAlike }) => isAlike)
    if (alike.length > 0) reconciled.add(entry)
    const [only] = alike
    if (!only || alike.length > 1) continue
    await recordLocked(ctx.platform, ctx, only, 'sent', { step: 'sent', providerId })
    // What waits behind it goes on.
    enqueueSending(ctx, only.message)
    const { conversationKey } = payload
    const events = await eventsAbout(ctx.db, [{ connectionId, providerId, conversationKey }], ctx.now)
    await applyReceipts(ctx, events)
    await applyActs(ctx, events)
  }
  return entries.filter((entry) => !reconciled.has(entry))
}
