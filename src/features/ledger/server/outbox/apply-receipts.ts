import { createHash } from 'node:crypto'
import { ownMember } from '#domain/keys.ts'
import { advance, type MessageStatus } from '#domain/messages/status.ts'
import { itemAt, lookUp, partBefore, present } from '#domain/present.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { JournalEntry } from '../journal/journal-queries.ts'
import { announceStatus } from '../messages/announce.ts'
import { addTrail } from '../messages/queries.ts'
import { publishStatuses } from '../ports/statuses.ts'
import { eventsAbout } from './outbox-queries.ts'
import {
  lockReceipted,
  lockUnsettled,
  memberSteps,
  namesBehind,
  type Receipted,
  sentUntil,
  setAliases,
  setLastStatus,
  setStatuses,
  ticketFacts,
} from './receipt-queries.ts'

type Receipt = Extract<ProviderEvent, { type: 'receipt' }>
/** Conversation of a settled message. */
type Settled = { readonly connection_id: number; readonly conversation_key: string }
type Received = { readonly connectionId: number; readonly receipt: Receipt }

/**
 * Applies the receipts of a batch of journaled events. A status only rises (decision B8), so late, repeated and reordered
 * receipts change nothing. A receipt for an unknown message is skipped; one with our own id settles a message whose response
 * was lost. Returns the conversations of those, whose waiting messages continue.
 */
export async function applyReceipts(ctx: Ctx, entries: readonly JournalEntry[]): Promise<readonly Settled[]> {
  const direct = entries.flatMap((entry) =>
    entry.payload.type === 'receipt' ? [{ connectionId: entry.connection_id, receipt: entry.payload }] : [],
  )
  const receipts = await byTheirNames(ctx, [...direct, ...(await markedIn(ctx, entries))])
  if (receipts.length === 0) return []
  const messages = await lockReceipted(
    ctx.db,
    receipts.map(({ connectionId, receipt }) => ({ connectionId, providerId: receipt.providerId })),
  )
  const settled = await unsettledOf(ctx, receipts, messages)
  messages.push(...settled)
  const byKey = new Map(messages.map((message) => [`${message.connection_id}|${message.provider_id}`, message]))
  await applyTicks(ctx, receipts, byKey)
  // Receipts under aliases are applied to the current messages.
  await noteAliases(ctx, receipts, byKey)
  return settled
}

async function applyTicks(
  ctx: Ctx,
  receipts: readonly Received[],
  byKey: ReadonlyMap<string, Receipted>,
): Promise<void> {
  const changed = new Map<
    string,
    {
      id: string
      ticketId: number
      status: MessageStatus
      errorCode: string | null
      isLast: boolean
      providerId: string
      sendType: string
    }
  >()
  const trail: { messageId: string; step: string; detail: object }[] = []
  const inGroups = receipts.some(({ receipt }) => receipt.member)
  const given = inGroups ? await membersTicks(ctx, [...byKey.values()]) : null
  for (const { connectionId, receipt } of receipts) {
    const message = byKey.get(`${connectionId}|${receipt.providerId}`)
    if (!message) continue
    if (receipt.member && !present(given).give(message.id, receipt, trail)) continue
    const status = advance(message.status, receipt.status)
    if (status === message.status) continue
    message.status = status
    const errorCode = status === 'failed' ? 'ERR_SENDING_WAPP_MSG' : null
    const { id, ticket_id: ticketId, is_last: isLast, provider_id: providerId, send_type: sendType } = message
    changed.set(id, { id, ticketId, status, errorCode, isLast, providerId, sendType })
    trail.push({
      messageId: message.id,
      step: status,
      detail: {
        at: new Date(receipt.timestamp).toISOString(),
        ...(receipt.error ? { error: receipt.error } : {}),
        ...(receipt.providerText ? { providerText: receipt.providerText } : {}),
      },
    })
  }
  if (changed.size === 0) return addTrail(ctx.db, trail)
  const changes = [...changed.values()]
  await setStatuses(ctx.db, changes)
  await addTrail(ctx.db, trail)
  const last = changes.filter((change) => change.isLast)
  if (last.length > 0) await setLastStatus(ctx.db, last)
  const facts = await ticketFacts(ctx.db, [...new Set(changes.map((change) => change.ticketId))])
  for (const { providerId: _, sendType: __, ...change } of changes)
    announceStatus(ctx, change, lookUp(facts, change.ticketId))
  await publishStatuses(
    ctx,
    changes.map(({ id: messageId, status, errorCode, sendType }) => ({ messageId, status, errorCode, sendType })),
  )
}

// Replaces aliases of messages by their first provider id.
async function byTheirNames(ctx: Ctx, receipts: readonly Received[]): Promise<readonly Received[]> {
  const aliases = receipts.filter(({ receipt }) => receipt.isAlias)
  if (aliases.length === 0) return receipts
  const keys = aliases.map(({ connectionId, receipt }) => ({ connectionId, alias: receipt.providerId }))
  const names = new Map(
    (await namesBehind(ctx.db, keys)).map(({ connectionId, alias, providerId }) => [
      `${connectionId}|${alias}`,
      providerId,
    ]),
  )
  return receipts.map(({ connectionId, receipt }) => {
    const providerId = receipt.isAlias && names.get(`${connectionId}|${receipt.providerId}`)
    return { connectionId, receipt: providerId ? { ...receipt, providerId } : receipt }
  })
}

/** Stores provider aliases of messages, and takes earlier receipts for them. */
async function noteAliases(
  ctx: Ctx,
  receipts: readonly Received[],
  byKey: ReadonlyMap<string, Receipted>,
): Promise<void> {
  const named = receipts.flatMap(({ connectionId, receipt: { alias, providerId } }) => {
    const message = byKey.get(`${connectionId}|${providerId}`)
    return alias && message ? [{ id: message.id, connectionId, alias }] : []
  })
  if (named.length === 0) return
  const fresh = await setAliases(ctx.db, named)
  if (fresh.length === 0) return
  const about = fresh.map(({ connectionId, alias }) => ({ connectionId, providerId: alias, conversationKey: alias }))
  await applyReceipts(ctx, await eventsAbout(ctx.db, about, ctx.now))
}

const BELOW = { delivered: ['sent'], read: ['sent', 'delivered'] } as const

/** Returns watermarks as receipts of the messages sent until then. */
async function markedIn(ctx: Ctx, entries: readonly JournalEntry[]): Promise<Received[]> {
  const marks = entries.flatMap(({ payload, connection_id: connectionId }) =>
    payload.type === 'watermark' ? [{ connectionId, below: BELOW[payload.status], ...payload }] : [],
  )
  if (marks.length === 0) return []
  return (await sentUntil(ctx.db, marks)).map(({ n, providerId }) => {
    const { connectionId, conversationKey, status, timestamp, dedupeKey } = itemAt(marks, n)
    return { connectionId, receipt: { type: 'receipt', dedupeKey, conversationKey, providerId, status, timestamp } }
  })
}

/** Pattern of our message ids, since a provider also returns the ids of other programs on the account. */
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Returns the messages with lost responses that receipts name by our id. */
async function unsettledOf(
  ctx: Ctx,
  receipts: readonly Received[],
  known: readonly Receipted[],
): Promise<(Receipted & Settled)[]> {
  const names = new Set(known.map((message) => `${message.connection_id}|${message.provider_id}`))
  const lost = receipts.flatMap(({ connectionId, receipt: { messageId, providerId } }) =>
    messageId && ID.test(messageId) && !names.has(`${connectionId}|${providerId}`)
      ? [{ connectionId, messageId, providerId }]
      : [],
  )
  return lost.length === 0 ? [] : lockUnsettled(ctx.db, [...new Map(lost.map((one) => [one.messageId, one])).values()])
}

const RANK = { sent: 0, delivered: 1, read: 2, played: 3, failed: 0 } as const

/** Returns which group members have received and read, as hashes. */
async function membersTicks(ctx: Ctx, messages: readonly { readonly id: string }[]) {
  const ranks = new Map<string, Map<string, number>>()
  const ofMessage = (id: string) => ranks.get(id) ?? lookUp(ranks.set(id, new Map()), id)
  const steps = await memberSteps(
    ctx.db,
    messages.map(({ id }) => id),
  )
  for (const { messageId, member, step } of steps) {
    const rank = ownMember(RANK, partBefore(step, ':'))
    if (rank === undefined) continue
    ofMessage(messageId).set(member, Math.max(rank, ofMessage(messageId).get(member) ?? 0))
  }
  return {
    /** Records a member's receipt once; returns whether all others in the group have given it or a higher one. */
    give(
      messageId: string,
      { member, status, timestamp }: Receipt,
      trail: { messageId: string; step: string; detail: object }[],
    ): boolean {
      const { identity, of } = present(member)
      const name = createHash('sha256').update(identity).digest('hex').slice(0, 16)
      const known = ofMessage(messageId)
      if ((known.get(name) ?? -1) < RANK[status]) {
        known.set(name, RANK[status])
        const detail = { at: new Date(timestamp).toISOString(), member: name }
        trail.push({ messageId, step: `${status}:member`, detail })
      }
      return [...known.values()].filter((rank) => rank >= RANK[status]).length >= of
    },
  }
}
