import { linesOf } from '#domain/messages/unwanted.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { type ArrivalSettings, decideArrival, NO_CONVERSATION } from '#domain/tickets/arrival.ts'
import { route } from '#domain/tickets/routing.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { contactBook, type KnownContact, type Sender } from '../contact-book.ts'
import { afterMessages, type HookItem, onArrival, runHooks, sendForHooks } from '../hooks.ts'
import { type MessageDraft, writeMessages } from '../messages/write.ts'
import {
  type IngestConnection,
  knownProviderIds,
  type LedgerTicket,
  lockConversations,
  openTicket,
  walletOwners,
} from './ingest-queries.ts'
import type { TakenEntry } from './journal-queries.ts'

type MessageEvent = Extract<ProviderEvent, { type: 'message' }>
/** `conversation` is its key in memory (`conversationOf`). */
type Arrival = { event: MessageEvent; connection: IngestConnection; conversation: string }

/** A key by which a conversation is known in memory: the same for both spellings of a number. */
export const conversationOf = (connectionId: number, key: string): string =>
  `${connectionId}|${spellingsOf(key).sort()[0]}`

/** Contacts, tickets and messages out of a batch of journaled events: load → decide → save → publish, in sets. */
export async function applyMessages(ctx: Ctx, entries: readonly TakenEntry[]): Promise<void> {
  // What was still on its way when its connection was removed opens nothing any more.
  const events = entries.filter(({ payload, is_removed }) => payload.type === 'message' && !is_removed)
  if (events.length === 0) return
  const settings = arrivalSettings(ctx.settings)
  const all = events
    .map(({ payload, connection_id: id, type, queue_id, user_id }) => {
      const event = payload as MessageEvent
      const connection = { id, type, queue_id, user_id }
      return { event, connection, conversation: conversationOf(id, event.conversationKey) }
    })
    .filter((arrival) => decideArrival(toDecide(arrival), NO_CONVERSATION, settings).kind !== 'drop')
  if (all.length === 0) return

  // Asked at once: one round trip.
  const [known, contacts, blocked] = await Promise.all([
    knownMessages(ctx, all),
    contactBook().find(ctx.db, sendersOf(all)),
    conversationsOf(ctx, all),
  ])
  const arrivals = uniqueBy(
    all.filter((arrival) => !known.has(messageKey(arrival))),
    messageKey,
  )
  const strangers = sendersOf(arrivals).filter((sender) => !contacts.has(senderKey(sender)))
  for (const [key, contact] of await contactBook().meet(ctx.db, strangers)) contacts.set(key, contact)
  const tickets = new Map(
    blocked.map((ticket) => [conversationOf(ticket.connection_id, ticket.conversation_key), ticket]),
  )
  const decide = (arrival: Arrival, survey: LedgerTicket | null) => {
    const ticket = tickets.get(arrival.conversation) ?? null
    const isLive = ticket !== null && ticket.status !== 'closed'
    const isBlocked = contactOf(contacts, arrival).blocked
    const state = { live: isLive ? ticket : null, lastClosed: isLive ? null : ticket, survey, isBlocked }
    return decideArrival(toDecide(arrival), state, settings)
  }
  const welcome = arrivals.filter((arrival) => decide(arrival, null).kind !== 'drop')
  const mayAnswer = welcome.filter((arrival) => !arrival.event.isGroup && decide(arrival, null).kind === 'open')
  const asked = new Map(mayAnswer.map((arrival) => [arrival, toHookItem(arrival)]))
  const survey = await onArrival(ctx, [...asked.values()])
  const answered = (arrival: Arrival) => survey.answers.get(asked.get(arrival)!) ?? null

  const drafts: MessageDraft[] = []
  const opened: LedgerTicket[] = []
  const reused: LedgerTicket[] = []
  for (const arrival of welcome) {
    const decision = decide(arrival, answered(arrival))
    if (decision.kind === 'drop') continue
    const contact = contactOf(contacts, arrival)
    const ticket = 'ticket' in decision ? decision.ticket : await open(ctx, arrival, contact, opened)
    if (decision.kind === 'reuse' && !reused.includes(ticket)) reused.push(ticket)
    const isAnswer = decision.kind === 'survey'
    if (!isAnswer) tickets.set(arrival.conversation, ticket)
    drafts.push(toDraft(arrival, ticket, contact.name, isAnswer))
  }
  const written = await writeMessages(
    ctx,
    drafts,
    opened.map(({ id }) => id),
  )
  await runHooks(ctx, 'onOpened', [
    ...opened.map(({ id: ticketId }) => ({ ticketId, isReopened: false })),
    ...reused.map(({ id: ticketId }) => ({ ticketId, isReopened: true })),
  ])
  await runHooks(
    ctx,
    'onAssigned',
    opened.flatMap(({ id: ticketId, status, user_id: userId }) =>
      status === 'open' && userId !== null ? [{ ticketId, userId, byUserId: null }] : [],
    ),
  )
  await sendForHooks(ctx, survey.messages, written.tickets)
  await afterMessages(ctx, written)
}

const arrivalSettings = (settings: TenantSettings): ArrivalSettings => ({
  ignoreGroups: isOn(settings, 'ignoreGroupMsg'),
  forbidden: linesOf(settings.values.forbiddenNumbers),
})

const toDecide = ({ event: { isGroup = false, sender } }: Arrival) =>
  ({ by: 'contact', isGroup, number: sender.number ?? null }) as const

const messageKey = ({ connection, event }: Arrival) => `${connection.id}|${event.message.providerId}`

// The journal knows repeated deliveries; this also knows the same message under another key.
const knownMessages = (ctx: Ctx, arrivals: readonly Arrival[]): Promise<Set<string>> =>
  knownProviderIds(
    ctx.db,
    arrivals.map(({ event, connection }) => ({ connectionId: connection.id, providerId: event.message.providerId })),
  )

/** The tickets, held, that these conversations may go on in: live ones, and the last one of a group. */
function conversationsOf(ctx: Ctx, arrivals: readonly Arrival[]): Promise<LedgerTicket[]> {
  const keys = uniqueBy(arrivals, ({ conversation }) => conversation).map(({ connection, event }) => ({
    connectionId: connection.id,
    conversationKey: event.conversationKey,
    isGroup: event.isGroup ?? false,
  }))
  return lockConversations(ctx.db, keys)
}

const toHookItem = (arrival: Arrival): HookItem<'onArrival'> => ({
  conversation: arrival.conversation,
  connectionId: arrival.connection.id,
  spellings: spellingsOf(arrival.event.conversationKey),
  text: arrival.event.message.type === 'text' ? arrival.event.message.body : null,
  at: arrival.event.message.timestamp,
})

/** Opens the ticket of a conversation that has none, and notes that it is new. */
async function open(
  ctx: Ctx,
  { connection, event }: Arrival,
  contact: KnownContact,
  opened: LedgerTicket[],
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
    opened.push(ticket)
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

const senderKey = ({ channel, identity }: Sender) => `${channel}|${identity}`

const sendersOf = (arrivals: readonly Arrival[]): Sender[] => uniqueBy(arrivals.map(senderOf), senderKey)

const contactOf = (contacts: ReadonlyMap<string, KnownContact>, { event, connection }: Arrival): KnownContact =>
  contacts.get(`${connection.type}|${event.sender.identity}`)!

const toDraft = (
  { event: { message } }: Arrival,
  ticket: LedgerTicket,
  contactName: string,
  isAnswer: boolean,
): MessageDraft => ({
  ticket,
  source: 'contact',
  isAnswer,
  mediaType: message.type,
  body: message.body,
  timestamp: message.timestamp,
  providerId: message.providerId,
  fileId: message.fileId ?? null,
  data: message.data ?? null,
  quotedProviderId: message.quotedProviderId ?? null,
  contactName,
})

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item] as const).reverse()).values()].reverse()
}
