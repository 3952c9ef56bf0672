import type { MessageData } from '#domain/messages/data.ts'
import { FORWARDED } from '#domain/messages/types.ts'
import { linesOf } from '#domain/messages/unwanted.ts'
import { visibleName } from '#domain/people/visible-name.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { itemAt } from '#domain/present.ts'
import { type ArrivalSettings, decideArrival, NO_CONVERSATION } from '#domain/tickets/arrival.ts'
import { route } from '#domain/tickets/routing.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Awaited } from '../acts/receive.ts'
import { refuseCalls } from '../calls/refuse.ts'
import { afterMessages, type HookItem, onArrival, runHooks, sendForHooks } from '../hooks/hooks.ts'
import type { TakenEntry } from '../journal/journal-queries.ts'
import { remoteContent } from '../media/remote.ts'
import { announcePlaced } from '../messages/announce.ts'
import { addTrail } from '../messages/queries.ts'
import { contactBook, type KnownContact, type Sender } from '../ports/contact-book.ts'
import { awaitsReply, cancelAnswered } from '../scheduled/queries.ts'
import {
  type IngestConnection,
  knownProviderIds,
  type LedgerTicket,
  lockConversations,
  openTicket,
} from '../ticket/queries.ts'
import { ownersOf } from '../turns/people.ts'
import { type MessageDraft, writeMessages } from '../writing/write.ts'
import { type Groups, groupContent, groupOf } from './apply-groups.ts'
import { beginningLate, isHeard, mayBeUnheard } from './beginnings.ts'
import { replaceUndecrypted } from './replace-undecrypted.ts'

type MessageEvent = Extract<ProviderEvent, { type: 'message' | 'echo' }>
/** Incoming message with its connection; `conversation` is the in-memory key (`conversationOf`). */
type Arrival<C = IngestConnection> = { event: MessageEvent; connection: C; conversation: string }
type Expected = Arrival<Pick<IngestConnection, 'id' | 'type'>>

/** Event about to be taken, with only the data needed for look-ups. */
export type ExpectedEntry = { readonly payload: ProviderEvent; readonly connection_id: number; readonly type: string }

/** Data that arrivals need before decisions are taken; their tickets are locked. */
export type Found = {
  /** Messages (`messageKey`) covered by this lookup. */
  readonly of: ReadonlySet<string>
  readonly known: ReadonlySet<string>
  /** Known messages that could not be decrypted yet. */
  readonly undecrypted: ReadonlySet<string>
  /** Messages for which acts of the contact wait. */
  readonly awaited: ReadonlySet<string>
  readonly contacts: Map<string, KnownContact>
  readonly tickets: readonly LedgerTicket[]
  /** Whether a scheduled message in these conversations is cancelled when the customer writes. */
  readonly isReplyAwaited: boolean
}

/** Returns the in-memory key of a conversation, the same for both spellings of a number. */
export const conversationOf = (connectionId: number, key: string): string =>
  `${connectionId}|${spellingsOf(key).sort()[0]}`

/** Looks up the data for events about to be taken, concurrently with taking them; null if none is needed. */
export async function lookUpExpected(ctx: Ctx, entries: readonly ExpectedEntry[]): Promise<Found | null> {
  const arrivals = entries.flatMap(({ payload, connection_id: id, type }) =>
    isSpoken(payload) ? [toArrival(payload, { id, type })] : [],
  )
  return arrivals.length > 0 ? lookUp(ctx, arrivals) : null
}

/**
 * Applies a batch of journaled messages to contacts, tickets and messages: load → decide → save → publish, in sets. Returns
 * the messages for which acts of the contact wait.
 */
export async function applyMessages(
  ctx: Ctx,
  entries: readonly TakenEntry[],
  expected: Found | null,
  groups: Groups | null = null,
): Promise<readonly Awaited[]> {
  const settings = arrivalSettings(ctx.settings)
  const admitted = entries
    // Events that arrive after the removal of their connection open no ticket.
    .flatMap(({ payload, is_removed, connection_id: id, type, queue_id, user_id }) =>
      isSpoken(payload) && !is_removed ? [toArrival(payload, { id, type, queue_id, user_id })] : [],
    )
    .filter((arrival) => decideArrival(toDecide(arrival), NO_CONVERSATION, settings).kind !== 'drop')
  if (admitted.length === 0) return []
  // A message decrypted meanwhile is stored in its final form at once.
  const read = new Set(admitted.filter((arrival) => !isUndecrypted(arrival)).map(messageKey))
  const all = admitted.filter((arrival) => !isUndecrypted(arrival) || !read.has(messageKey(arrival)))

  const isFound = expected !== null && all.every((arrival) => expected.of.has(messageKey(arrival)))
  const found = isFound ? expected : await lookUp(ctx, all)
  const { known, awaited, contacts, tickets: locked, isReplyAwaited } = found
  const arrivals = uniqueBy(
    all.filter((arrival) => !known.has(messageKey(arrival))),
    messageKey,
  )
  for (const [key, contact] of groups?.contacts ?? []) contacts.set(key, contact)
  const strangers = sendersOf(arrivals).filter((sender) => !contacts.has(senderKey(sender)))
  for (const [key, contact] of await contactBook().meet(ctx, strangers)) contacts.set(key, contact)
  learnAddresses(ctx, arrivals, contacts)
  learnNames(ctx, arrivals, contacts)
  const tickets = new Map(
    locked.map((ticket) => [conversationOf(ticket.connection_id, ticket.conversation_key), ticket]),
  )
  const ofPersons = new Map(
    locked.filter(isOfPerson).map((ticket) => [`${ticket.connection_id}|${ticket.contact_id}`, ticket]),
  )
  // A person may write from another address than their ticket's.
  const ofPerson = ({ event, connection, ...arrival }: Arrival) =>
    event.isGroup || isThread(connection.type)
      ? null
      : ofPersons.get(`${connection.id}|${contactOf(contacts, { event, connection, ...arrival }).id}`)
  const decide = (arrival: Arrival, survey: LedgerTicket | null) => {
    const ticket = tickets.get(arrival.conversation) ?? ofPerson(arrival) ?? null
    const isLive = ticket !== null && ticket.status !== 'closed'
    const isBlocked = contactOf(contacts, arrival).blocked
    const state = { live: isLive ? ticket : null, lastClosed: isLive ? null : ticket, survey, isBlocked }
    return decideArrival(toDecide(arrival), state, settings)
  }
  const welcome = arrivals.filter((arrival) => decide(arrival, null).kind !== 'drop')
  const mayAnswer = welcome.filter(
    (arrival) => !arrival.event.isGroup && !isEcho(arrival) && decide(arrival, null).kind === 'open',
  )
  const asked = new Map(mayAnswer.map((arrival) => [arrival, toHookItem(arrival)]))
  const survey = await onArrival(ctx, [...asked.values()])
  const answered = (arrival: Arrival) => survey.answers.get(asked.get(arrival)!) ?? null

  const seqs = entries.flatMap(({ message_seq }) => message_seq ?? []).sort((a, b) => a - b)
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
    if (!isAnswer && isOfPerson(ticket)) ofPersons.set(`${ticket.connection_id}|${ticket.contact_id}`, ticket)
    drafts.push({ ...toDraft(arrival, ticket, contact, groups, isAnswer), seq: itemAt(seqs, drafts.length) })
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
  if (isReplyAwaited) await cancelOnReply(ctx, drafts, written.tickets)
  await runHooks(
    ctx,
    'onAssigned',
    opened.flatMap(({ id: ticketId, status, user_id: userId }) =>
      status === 'open' && userId !== null ? [{ ticketId, userId, byUserId: null }] : [],
    ),
  )
  await sendForHooks(ctx, survey.messages, written.tickets)
  const received = written.messages.filter(isHeard)
  const late = await beginningLate(ctx, locked.filter(mayBeUnheard), received)
  await afterMessages(ctx, { ...written, messages: received }, [...opened.map(({ id }) => id), ...late])
  refuseCalls(ctx, written.messages)
  const decrypted = all.filter((arrival) => found.undecrypted.has(messageKey(arrival)) && !isUndecrypted(arrival))
  if (decrypted.length > 0)
    await replaceUndecrypted(
      ctx,
      uniqueBy(decrypted, messageKey).map((arrival) => {
        const { event, connection } = arrival
        const contactId = contactOf(contacts, arrival).id
        return {
          connectionId: connection.id,
          event,
          ...groupContent(event.type === 'echo' ? null : groups, contactId, event),
        }
      }),
    )
  return arrivals
    .filter((arrival) => awaited.has(messageKey(arrival)))
    .map(({ connection, event }) => ({ connectionId: connection.id, providerId: event.message.providerId }))
}

// Messages to be sent only without a reply; an answer about a closed ticket does not count as one.
async function cancelOnReply(
  ctx: Ctx,
  drafts: readonly MessageDraft[],
  tickets: readonly LedgerTicket[],
): Promise<void> {
  const ticketIds = new Set(
    drafts.filter(({ isAnswer, source }) => !isAnswer && source === 'contact').map(({ ticket }) => ticket.id),
  )
  const canceled = await cancelAnswered(
    ctx.db,
    tickets.filter(({ id }) => ticketIds.has(id)),
    ctx.now,
  )
  const ids = canceled.map(({ id }) => id)
  await addTrail(
    ctx.db,
    ids.map((messageId) => ({ messageId, step: 'answered' })),
  )
  if (ids.length > 0) await announcePlaced(ctx, ids, tickets)
}

/** Merges contacts whose addresses a channel reported as one person's. */
export function applyAddresses(ctx: Ctx, entries: readonly TakenEntry[]): void {
  for (const { payload, type: channel, is_removed } of entries)
    if (payload.type === 'addresses' && !is_removed)
      contactBook().learn(ctx, { channel, name: '', email: '', ...payload.sender })
}

/** Returns the company's settings on which arrivals to ignore. */
export const arrivalSettings = (settings: TenantSettings): ArrivalSettings => ({
  ignoreGroups: isOn(settings, 'ignoreGroupMsg'),
  ignoreStories: isOn(settings, 'ignoreIgStories'),
  forbidden: linesOf(settings.values.forbiddenNumbers),
})

const toArrival = <C extends { id: number }>(event: MessageEvent, connection: C): Arrival<C> => ({
  event,
  connection,
  conversation: conversationOf(connection.id, event.conversationKey),
})

/** Whether each subject on the channel is a separate conversation. */
const isThread = (channel: string): boolean => capabilitiesOf(channel).threads

/** Whether a ticket is the only one that its contact has on its connection. */
const isOfPerson = ({ is_group, channel }: LedgerTicket): boolean => !is_group && !isThread(channel)

const isSpoken = (event: ProviderEvent): event is MessageEvent => event.type === 'message' || event.type === 'echo'
const UNDECRYPTED = 'undecrypted'
const isUndecrypted = ({ event }: Expected): boolean => event.message.type === UNDECRYPTED
const isEcho = ({ event }: Expected): boolean => event.type === 'echo'

const toDecide = (arrival: Arrival) => {
  const { isGroup = false, isStory = false, sender } = arrival.event
  return { by: isEcho(arrival) ? 'phone' : 'contact', isGroup, isStory, number: sender.number ?? null } as const
}

const messageKey = ({ connection, event }: Expected) => `${connection.id}|${event.message.providerId}`

// Concurrent queries: one round trip.
async function lookUp(ctx: Ctx, arrivals: readonly Expected[]): Promise<Found> {
  const book = contactBook()
  const addresses = addressesOf(arrivals)
  const keys = arrivals.map(({ event, connection }) => ({ connectionId: connection.id, key: event.conversationKey }))
  const [ids, contacts, tickets, isReplyAwaited] = await Promise.all([
    knownMessages(ctx, arrivals),
    book.find(ctx.db, addresses),
    conversationsOf(ctx, arrivals),
    awaitsReply(ctx.db, keys),
  ])
  return { of: new Set(arrivals.map(messageKey)), ...ids, contacts, tickets, isReplyAwaited }
}

// The journal knows repeated deliveries; this also knows the same message under another key.
const knownMessages = async (ctx: Ctx, arrivals: readonly Expected[]): ReturnType<typeof knownProviderIds> =>
  knownProviderIds(
    ctx.db,
    arrivals.map(({ event, connection }) => ({ connectionId: connection.id, providerId: event.message.providerId })),
  )

/** Returns and locks the tickets in which conversations may continue: live ones, and the latest one of a group. */
async function conversationsOf(ctx: Ctx, arrivals: readonly Expected[]): Promise<LedgerTicket[]> {
  const keys = uniqueBy(arrivals, ({ conversation }) => conversation).map(({ connection, event }) => ({
    connectionId: connection.id,
    channel: connection.type,
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

/** Opens a ticket for a conversation without one, and records it as new. */
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
    isOn(ctx.settings, 'DirectTicketsToWallets') ? await ownersOf(ctx, contact.id) : [],
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
  // An agent opened one concurrently: it is committed by now, as the unique index has waited for it.
  const [theirs] = await lockConversations(ctx.db, [
    { connectionId: connection.id, channel: connection.type, conversationKey: event.conversationKey, isGroup: false },
  ])
  if (!theirs) throw new Error('the conversation was opened and closed at once')
  return theirs
}

/** Returns the sender for the contact book: the contact, or the group. */
export const senderOf = ({ event, connection }: Expected): Sender =>
  event.isGroup ? groupOf(connection.type, event) : personOf(event, connection)

const personOf = (event: MessageEvent, connection: Expected['connection']): Sender => ({
  channel: connection.type,
  identity: event.sender.identity,
  // Decision A7: never an empty name.
  name: visibleName(event.sender.name) || event.sender.number || event.sender.identity,
  number: event.sender.number ?? null,
  email: event.sender.email ?? '',
  ...(event.sender.alias === undefined ? {} : { alias: event.sender.alias }),
})

// Learns a person's addresses from a channel; those with the same contact already are skipped.
function learnAddresses(ctx: Ctx, arrivals: readonly Arrival[], contacts: ReadonlyMap<string, KnownContact>): void {
  for (const sender of uniqueBy(arrivals.map(senderOf), senderKey)) {
    const known = contacts.get(senderKey(sender))!
    const other = sender.alias === undefined ? known : contacts.get(`${sender.channel}|${sender.alias}`)
    const isNamed = sender.number === null || known.number !== null
    if (!sender.isGroup && (other?.id !== known.id || !isNamed)) contactBook().learn(ctx, sender)
  }
}

// The last name that each contact wrote under, not the one given by the phone's owner.
function learnNames(ctx: Ctx, arrivals: readonly Arrival[], contacts: ReadonlyMap<string, KnownContact>): void {
  const names = new Map<number, string>()
  for (const arrival of arrivals) {
    const { id, pushname } = contactOf(contacts, arrival)
    const name = visibleName(arrival.event.sender.name)
    if (arrival.event.isGroup || isEcho(arrival) || name === '' || pushname == null) continue
    if (pushname === name) names.delete(id)
    else names.set(id, name)
  }
  for (const [id, name] of names) contactBook().called(ctx, id, name)
}

/** Returns the key of a sender in the contact book. */
export const senderKey = ({ channel, identity }: Sender) => `${channel}|${identity}`

const sendersOf = (arrivals: readonly Expected[]): Sender[] => uniqueBy(arrivals.map(senderOf), senderKey)

// Includes aliases, whose contacts are read in the same query.
const addressesOf = (arrivals: readonly Expected[]): Sender[] =>
  sendersOf(arrivals).flatMap((sender) => (sender.alias ? [sender, { ...sender, identity: sender.alias }] : [sender]))

const contactOf = (contacts: ReadonlyMap<string, KnownContact>, arrival: Arrival): KnownContact =>
  contacts.get(senderKey(senderOf(arrival)))!

const toDraft = (
  { event }: Arrival,
  ticket: LedgerTicket,
  contact: KnownContact,
  groups: Groups | null,
  isAnswer: boolean,
): MessageDraft => ({
  ticket,
  ...addressIn(ticket, event),
  source: event.type === 'echo' ? 'phone' : 'contact',
  isAnswer,
  ...groupContent(event.type === 'echo' ? null : groups, contact.id, event),
  mediaType: event.message.type,
  timestamp: event.message.timestamp,
  providerId: event.message.providerId,
  fileId: event.message.fileId ?? null,
  html: event.message.html ?? null,
  ...withAd(event.message, remoteContent(event.message, 'coming')),
  album: event.message.album === undefined ? null : { id: event.message.album },
  quotedProviderId: event.message.quotedProviderId ?? null,
  ...(event.message.isForwarded ? { sendType: FORWARDED } : {}),
  contactName: contact.name,
})

const withAd = <C extends { data: MessageData | null }>({ ad }: MessageEvent['message'], content: C): C =>
  ad ? { ...content, data: { ...content.data, ad } } : content

const addressIn = (ticket: LedgerTicket, { conversationKey: address }: MessageEvent): { address?: string } =>
  spellingsOf(ticket.conversation_key).includes(address) ? {} : { address }

/** Returns the first item of each key. */
export function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item] as const).reverse()).values()].reverse()
}
