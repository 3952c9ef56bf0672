import { previewOf } from '#domain/messages/preview.ts'
import { FORWARDED, SYNCED } from '#domain/messages/types.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { firstOf, lookUp } from '#domain/present.ts'
import { decideArrival, NO_CONVERSATION } from '#domain/tickets/arrival.ts'
import type { HistoryMessage, ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Awaited } from '../acts/receive.ts'
import { insertTicket } from '../changes/queries-change.ts'
import type { TakenEntry } from '../journal/journal-queries.ts'
import { remoteContent } from '../media/remote.ts'
import { contactBook } from '../ports/contact-book.ts'
import { knownProviderIds, type NewMessage } from '../ticket/queries.ts'
import { writePast } from '../writing/write.ts'
import { groupContent, knownMembers } from './apply-groups.ts'
import { arrivalSettings, conversationOf, senderKey, senderOf, uniqueBy } from './apply-messages.ts'
import { FROM_HISTORY, type PlacedTicket, showNewest, ticketsOfConversations } from './queries-placing.ts'

type MessageEvent = Extract<ProviderEvent, { type: 'message' }>
type Past = {
  event: MessageEvent
  fromMe: boolean
  status: HistoryMessage['status']
  connection: { id: number; type: string }
  conversation: string
}

const timeOf = ({ event }: Past): number => event.message.timestamp

/**
 * Writes imported older messages of a batch, each into the ticket of its time. Reopens and counts nothing, triggers no
 * hooks or events; contacts without a ticket get a closed one. Returns the messages with waiting acts.
 */
export async function applyHistory(ctx: Ctx, entries: readonly TakenEntry[]): Promise<readonly Awaited[]> {
  const settings = arrivalSettings(ctx.settings)
  const all = entries.flatMap(({ payload, is_removed, connection_id: id, type }): Past[] => {
    if (payload.type !== 'history' || is_removed) return []
    const arrival = { by: 'contact', isGroup: payload.isGroup ?? false, number: payload.sender.number ?? null } as const
    if (decideArrival(arrival, NO_CONVERSATION, settings).kind === 'drop') return []
    const { fromMe, status, ...spoken } = payload
    const conversation = conversationOf(id, payload.conversationKey)
    return [{ event: { ...spoken, type: 'message' }, fromMe, status, connection: { id, type }, conversation }]
  })
  if (all.length === 0) return []
  const keyOf = ({ event, connection }: Past) => `${connection.id}|${event.message.providerId}`
  const named = all.map(({ event, connection }) => ({
    connectionId: connection.id,
    providerId: event.message.providerId,
  }))
  const { known, awaited } = await knownProviderIds(ctx.db, named)
  const fresh = uniqueBy(
    all.filter((one) => !known.has(keyOf(one))),
    keyOf,
  ).sort((a, b) => timeOf(a) - timeOf(b))
  const contacts = await contactsOf(ctx, fresh)
  const welcome = fresh.filter((one) => !lookUp(contacts, senderKey(senderOf(one))).blocked)
  if (welcome.length === 0) return []
  const contactOf = (one: Past) => lookUp(contacts, senderKey(senderOf(one))).id
  const tickets = await ticketsFor(ctx, welcome, contactOf)
  const inGroups = welcome.filter(({ event, fromMe }) => event.isGroup && !fromMe)
  const groups = await knownMembers(
    ctx,
    inGroups.map((one) => ({ contactId: contactOf(one), event: one.event })),
  )
  const rows = welcome.map((one) => {
    const inGroup = groupContent(one.fromMe ? null : groups, contactOf(one), one.event)
    return { ...rowOf(ctx, one, ticketAt(lookUp(tickets, one.conversation), timeOf(one))), ...inGroup }
  })
  await writePast(ctx, rows)
  await showNewest(ctx.db, [...newestOf(rows).values()].map(summaryOf))
  return welcome
    .filter((one) => awaited.has(keyOf(one)))
    .map(({ event, connection }) => ({ connectionId: connection.id, providerId: event.message.providerId }))
}

async function contactsOf(ctx: Ctx, past: readonly Past[]) {
  const senders = uniqueBy(past.map(senderOf), senderKey)
  if (senders.length === 0) return new Map<string, never>()
  const contacts = await contactBook().find(ctx.db, senders)
  const strangers = senders.filter((sender) => !contacts.has(senderKey(sender)))
  for (const [key, contact] of await contactBook().meet(ctx, strangers)) contacts.set(key, contact)
  return contacts
}

/** Returns each conversation's tickets, oldest first; creates one where there is none, from its first message on. */
async function ticketsFor(
  ctx: Ctx,
  past: readonly Past[],
  contactOf: (one: Past) => number,
): Promise<Map<string, PlacedTicket[]>> {
  const first = uniqueBy(past, ({ conversation }) => conversation)
  const keys = first.map(({ event, connection }) => ({
    connectionId: connection.id,
    spellings: spellingsOf(event.conversationKey),
  }))
  const found = await ticketsOfConversations(ctx.db, keys)
  const tickets = Map.groupBy(found, (ticket) => conversationOf(ticket.connection_id, ticket.conversation_key))
  for (const one of first) {
    if (tickets.has(one.conversation)) continue
    const conversation = {
      connection_id: one.connection.id,
      contact_id: contactOf(one),
      conversation_key: one.event.conversationKey,
    }
    const begun = new Date(timeOf(one))
    const id = await insertTicket(ctx.db, {
      ...conversation,
      channel: one.connection.type,
      is_group: one.event.isGroup ?? false,
      ...{ status: 'closed', closed_reason: FROM_HISTORY, answered: true, user_id: null, queue_id: null },
      ...{ is_active_demand: false, started_attendance_at: null, now: begun },
    })
    tickets.set(one.conversation, [{ ...conversation, id: id!, created_at: begun }])
  }
  return tickets
}

/** Returns the ticket for an older message: the last one that had begun by then, else the first. */
const ticketAt = (tickets: readonly PlacedTicket[], at: number): PlacedTicket =>
  tickets.findLast(({ created_at }) => created_at.getTime() <= at) ?? firstOf(tickets)

const rowOf = (ctx: Ctx, { event, fromMe, status }: Past, ticket: PlacedTicket): NewMessage => ({
  id: ctx.newId(),
  seq: null,
  ticketId: ticket.id,
  contactId: ticket.contact_id,
  connectionId: ticket.connection_id,
  conversationKey: ticket.conversation_key,
  providerId: event.message.providerId,
  idFront: null,
  fromMe,
  isNote: false,
  userId: null,
  mediaType: event.message.type,
  body: event.message.body,
  fileId: event.message.fileId ?? null,
  ...remoteContent(event.message, 'kept'),
  sender: null,
  mentions: null,
  quotedId: null,
  quotedProviderId: event.message.quotedProviderId ?? null,
  status: fromMe ? (status ?? 'sent') : 'received',
  sendType: event.message.isForwarded ? FORWARDED : SYNCED,
  isLate: false,
  timestamp: event.message.timestamp,
  sendAt: null,
  schedule: null,
  syncTime: ctx.now.getTime(),
})

const newestOf = (rows: readonly NewMessage[]): Map<number, NewMessage> =>
  new Map(rows.map((row) => [row.ticketId, row]))

const summaryOf = ({ ticketId, mediaType, body, fromMe, status, timestamp }: NewMessage) => ({
  ...{ ticketId, fromMe, status, at: timestamp },
  text: previewOf({ type: mediaType as HistoryMessage['message']['type'], body }),
})
