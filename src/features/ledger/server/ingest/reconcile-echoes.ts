import { templateOf } from '#domain/message-templates/template.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { itemAt } from '#domain/present.ts'
import type { EchoMessage } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { applyActs } from '../acts/receive.ts'
import type { TakenEntry } from '../journal/journal-queries.ts'
import { applyReceipts } from '../outbox/apply-receipts.ts'
import { enqueueSending } from '../outbox/outbox.ts'
import { eventsAbout } from '../outbox/outbox-queries.ts'
import { recordAll } from '../outbox/record.ts'
import { lockUnanswered, type Unanswered } from './reconcile-queries.ts'

const mayBeOurs = (entry: TakenEntry): entry is TakenEntry & { payload: EchoMessage } =>
  entry.payload.type === 'echo' && entry.payload.mayBeOurs === true

/**
 * Matches echoes with our messages whose response is pending or lost, and records those as sent: by our id, else the only
 * one of the same kind and text to the same person within two minutes. If several match, none is recorded and the echo is
 * hidden, as it is one of them. All of a batch are looked up and locked at once. Returns the unmatched entries.
 */
export async function reconcileEchoes(ctx: Ctx, entries: readonly TakenEntry[]): Promise<readonly TakenEntry[]> {
  const echoes = entries.filter(mayBeOurs)
  if (echoes.length === 0) return entries
  const answers = await lockUnanswered(
    ctx.db,
    echoes.map(({ connection_id: connectionId, payload: { conversationKey, messageId = null, message } }) => ({
      ...{ connectionId, messageId, keys: spellingsOf(conversationKey) },
      ...{ providerId: message.providerId, type: message.type, body: message.body, at: new Date(message.timestamp) },
      template: templateOf(message.data)?.name ?? null,
    })),
  )
  const reconciled = new Set<TakenEntry>()
  const settled = new Map<string, { readonly entry: (typeof echoes)[number]; readonly only: Unanswered }>()
  const names = new Set<string>()
  for (const [n, entry] of echoes.entries()) {
    const { isOurs, found } = itemAt(answers, n)
    const name = `${entry.connection_id}|${entry.payload.message.providerId}`
    // A message settled by an earlier echo is excluded.
    const open = names.has(name) ? [] : found.filter(({ message }) => !settled.has(message.id))
    const named = open.filter(({ isNamed }) => isNamed)
    const alike = named.length > 0 ? named : open.filter(({ isAlike }) => isAlike)
    if (isOurs || alike.length > 0) reconciled.add(entry)
    const [only] = alike
    if (isOurs || !only || alike.length > 1) continue
    settled.set(only.message.id, { entry, only })
    names.add(name)
  }
  if (settled.size > 0) await recordSent(ctx, [...settled.values()])
  return entries.filter((entry) => !reconciled.has(entry))
}

/** Records messages as sent, with the receipts that have arrived meanwhile. */
async function recordSent(
  ctx: Ctx,
  settled: readonly { readonly entry: TakenEntry & { payload: EchoMessage }; readonly only: Unanswered }[],
): Promise<void> {
  const outcomes = settled.map(({ entry, only: { message, ticket } }) => ({
    ...{ message, ticket, next: 'sent' as const },
    about: { step: 'sent', providerId: entry.payload.message.providerId },
  }))
  await recordAll(ctx.platform, ctx, outcomes)
  // Messages waiting behind them are sent.
  for (const { message } of outcomes) enqueueSending(ctx, message)
  const about = settled.map(({ entry: { connection_id: connectionId, payload } }) => ({
    ...{ connectionId, providerId: payload.message.providerId, conversationKey: payload.conversationKey },
  }))
  const events = await eventsAbout(ctx.db, about, ctx.now)
  await applyReceipts(ctx, events)
  await applyActs(ctx, events)
}
