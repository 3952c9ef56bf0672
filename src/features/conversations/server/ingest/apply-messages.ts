import { previewOf } from '#domain/messages/preview.ts'
import { linesOf } from '#domain/messages/unwanted.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { type ArrivalSettings, decideArrival, NO_CONVERSATION } from '#domain/tickets/arrival.ts'
import { route } from '#domain/tickets/routing.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { surveyAnswers } from '../hooks.ts'
import { announceMessages, announceNewTickets } from '../messages/announce.ts'
import { answerAbsent } from './absence.ts'
import {
  type IngestConnection,
  type IngestContact,
  insertMessages,
  knownProviderIds,
  type LedgerTicket,
  lockConversations,
  type NewMessage,
  openTicket,
  resolveContacts,
  type Sender,
  type TicketTouch,
  touchTickets,
  walletOwners,
} from './ingest-queries.ts'
import type { TakenEntry } from './journal-queries.ts'

type MessageEvent = Extract<ProviderEvent, { type: 'message' }>
type Arrival = { event: MessageEvent; connection: IngestConnection }

/** A key by which a conversation is known in memory: the same for both spellings of a line. */
export const conversationOf = (connectionId: number, key: string): string =>
  `${connectionId}|${spellingsOf(key).sort()[0]}`

/** Contacts, tickets and messages out of a batch of journaled events: load → decide → save → tell, in sets. */
export async function applyMessages(ctx: Ctx, entries: readonly TakenEntry[]): Promise<void> {
  const events = entries.filter((entry) => entry.payload.type === 'message')
  if (events.length === 0) return
  const settings = arrivalSettings(ctx.settings)
  const arrivals = await withoutKnown(
    ctx,
    events
      .map(({ payload, connection_id: id, type, queue_id, user_id }) => ({
        event: payload as MessageEvent,
        connection: { id, type, queue_id, user_id },
      }))
      .filter((arrival) => decideArrival(toDecide(arrival), NO_CONVERSATION, settings).kind !== 'drop'),
  )
  if (arrivals.length === 0) return

  const contacts = await resolveContacts(
    ctx.db,
    uniqueBy(arrivals.map(senderOf), (s) => `${s.channel}|${s.identity}`),
  )
  const tickets = new Map<string, LedgerTicket>()
  const decide = (arrival: Arrival, survey: LedgerTicket | null) => {
    const known = tickets.get(lineOf(arrival)) ?? null
    const isLive = known !== null && known.status !== 'closed'
    const isBlocked = contactOf(contacts, arrival).blocked
    const state = { live: isLive ? known : null, lastClosed: isLive ? null : known, survey, isBlocked }
    return decideArrival(toDecide(arrival), state, settings)
  }
  const welcome = arrivals.filter((arrival) => decide(arrival, null).kind !== 'drop')
  for (const ticket of await conversationsOf(ctx, welcome))
    tickets.set(conversationOf(ticket.connection_id, ticket.conversation_key), ticket)
  const mayAnswer = welcome.filter((arrival) => !arrival.event.isGroup && decide(arrival, null).kind === 'open')
  const survey = await surveyAnswers(ctx, mayAnswer.map(toWords))
  const answered = new Map([...survey.tickets].map(([{ arrival }, ticket]) => [arrival, ticket]))

  const messages: NewMessage[] = []
  const touches = new Map<number, TicketTouch>()
  const opened: number[] = []
  for (const arrival of welcome) {
    const decision = decide(arrival, answered.get(arrival) ?? null)
    if (decision.kind === 'drop') continue
    const ticket =
      'ticket' in decision ? decision.ticket : await open(ctx, arrival, contactOf(contacts, arrival), opened)
    const isAnswer = decision.kind === 'survey'
    if (!isAnswer) tickets.set(lineOf(arrival), ticket)
    const touch = touches.get(ticket.id) ?? startTouch(ticket)
    messages.push(toMessage(ctx, arrival, ticket, touch))
    touches.set(ticket.id, isAnswer ? afterRating(touch, arrival.event) : afterMessage(touch, arrival.event))
  }
  const stored = await insertMessages(ctx.db, messages)
  const after = await touchTickets(ctx.db, [...touches.values()], ctx.now)
  await announceNewTickets(ctx, opened)
  await announceMessages(
    ctx,
    messages,
    stored,
    after,
    (contactId) => [...contacts.values()].find((contact) => contact.id === contactId)?.name ?? '',
  )
  await survey.answer(after)
  await answerAbsent(
    ctx,
    after.filter(({ status }) => status !== 'closed'),
    messages,
  )
}

const arrivalSettings = (settings: TenantSettings): ArrivalSettings => ({
  ignoreGroups: isOn(settings, 'ignoreGroupMsg'),
  forbidden: linesOf(settings.values.forbiddenNumbers),
})

const toDecide = ({ event: { isGroup = false, sender } }: Arrival) =>
  ({ by: 'contact', isGroup, number: sender.number ?? null }) as const

// The journal knows repeated deliveries; this also knows the same message under another key, and twice in one batch.
async function withoutKnown(ctx: Ctx, arrivals: readonly Arrival[]): Promise<Arrival[]> {
  const keyOf = (arrival: Arrival) => `${arrival.connection.id}|${arrival.event.message.providerId}`
  const known = await knownProviderIds(
    ctx.db,
    arrivals.map(({ event, connection }) => ({ connectionId: connection.id, providerId: event.message.providerId })),
  )
  return uniqueBy(
    arrivals.filter((arrival) => !known.has(keyOf(arrival))),
    keyOf,
  )
}

const lineOf = ({ connection, event }: Arrival): string => conversationOf(connection.id, event.conversationKey)

/** The tickets, held, that these conversations may go on in: live ones, and the last one of a group. */
function conversationsOf(ctx: Ctx, arrivals: readonly Arrival[]): Promise<LedgerTicket[]> {
  const keys = uniqueBy(arrivals, lineOf).map(({ connection, event }) => ({
    connectionId: connection.id,
    conversationKey: event.conversationKey,
    isGroup: event.isGroup ?? false,
  }))
  return lockConversations(ctx.db, keys)
}

const toWords = (arrival: Arrival) => ({
  arrival,
  line: lineOf(arrival),
  connectionId: arrival.connection.id,
  spellings: spellingsOf(arrival.event.conversationKey),
  text: arrival.event.message.type === 'text' ? arrival.event.message.body : null,
  at: arrival.event.message.timestamp,
})

/** Opens the ticket of a conversation that has none, and notes that it is new. */
async function open(
  ctx: Ctx,
  { connection, event }: Arrival,
  contact: IngestContact,
  opened: number[],
): Promise<LedgerTicket> {
  const isGroup = event.isGroup ?? false
  const begin = route(
    { isGroup },
    { queueId: connection.queue_id, userId: connection.user_id },
    isOn(ctx.settings, 'DirectTicketsToWallets') ? await walletOwners(ctx.db, contact.id) : [],
    {
      directTicketsToWallets: isOn(ctx.settings, 'DirectTicketsToWallets'),
      serviceTransfer: isOn(ctx.settings, 'serviceTransfer'),
    },
  )
  const ticket = await openTicket(ctx.db, {
    ...begin,
    connectionId: connection.id,
    contactId: contact.id,
    conversationKey: event.conversationKey,
    channel: connection.type,
    isGroup,
    now: ctx.now,
  })
  if (ticket) {
    opened.push(ticket.id)
    return ticket
  }
  // An agent opened one at the same moment: it is committed by now, or the unique index would still wait for it.
  const [theirs] = await lockConversations(ctx.db, [
    { connectionId: connection.id, conversationKey: event.conversationKey, isGroup: false },
  ])
  if (!theirs) throw new Error('the conversation was opened and closed at once')
  return theirs
}

const senderOf = ({ event, connection }: Arrival): Sender => ({
  channel: connection.type,
  identity: event.sender.identity,
  // Decision A7: never an empty name.
  name: event.sender.name.trim() || event.sender.number || event.sender.identity,
  number: event.sender.number ?? null,
  email: event.sender.email ?? '',
})

const contactOf = (contacts: ReadonlyMap<string, IngestContact>, { event, connection }: Arrival): IngestContact =>
  contacts.get(`${connection.type}|${event.sender.identity}`)!

function toMessage(ctx: Ctx, { event, connection }: Arrival, ticket: LedgerTicket, touch: TicketTouch): NewMessage {
  const { message } = event
  return {
    id: ctx.newId(),
    ticketId: ticket.id,
    contactId: ticket.contact_id,
    connectionId: connection.id,
    conversationKey: ticket.conversation_key,
    providerId: message.providerId,
    idFront: null,
    fromMe: false,
    isNote: false,
    userId: null,
    mediaType: message.type,
    body: message.body,
    fileId: message.fileId ?? null,
    data: message.data ?? null,
    quotedId: null,
    quotedProviderId: message.quotedProviderId ?? null,
    status: 'received',
    sendType: 'chat',
    isLate: message.timestamp < touch.lastMessageAt,
    timestamp: message.timestamp,
  }
}

const startTouch = (ticket: LedgerTicket): TicketTouch => ({
  id: ticket.id,
  unread: ticket.unread_messages,
  answered: ticket.answered,
  lastMessage: ticket.last_message,
  lastMessageFromMe: ticket.last_message_from_me,
  lastMessageStatus: ticket.last_message_status,
  lastMessageAt: ticket.last_message_at.getTime(),
  lastMessageReceivedAt: ticket.last_message_received_at?.getTime() ?? null,
  waitingSince: ticket.waiting_since?.getTime() ?? null,
  // Only a group's ticket can be a closed one here: it is used again.
  status: ticket.status === 'closed' ? 'pending' : ticket.status,
  closedAt: null,
})

function afterMessage(touch: TicketTouch, { message }: MessageEvent): TicketTouch {
  const isNewest = message.timestamp >= touch.lastMessageAt
  return {
    ...touch,
    unread: touch.unread + 1,
    answered: false,
    waitingSince: touch.waitingSince ?? message.timestamp,
    lastMessageReceivedAt: Math.max(touch.lastMessageReceivedAt ?? 0, message.timestamp),
    ...(isNewest
      ? {
          lastMessage: previewOf({ type: message.type, body: message.body }),
          lastMessageFromMe: false,
          lastMessageStatus: 'received',
          lastMessageAt: message.timestamp,
        }
      : {}),
  }
}

/** The customer has rated: the ticket stays closed and nobody has anything to read. */
const afterRating = (touch: TicketTouch, event: MessageEvent): TicketTouch => {
  const { unread, answered, waitingSince } = touch
  return { ...afterMessage(touch, event), unread, answered, waitingSince, status: 'closed' }
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item] as const).reverse()).values()].reverse()
}
