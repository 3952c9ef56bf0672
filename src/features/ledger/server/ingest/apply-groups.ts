import { changed, known, type Member, type MemberInfo } from '#domain/groups/members.ts'
import type { GroupEvent, GroupPerson } from '#domain/messages/group-event.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { MessageSender } from '#domain/messages/sender.ts'
import { lookUp, present } from '#domain/present.ts'
import { isOn } from '#kit/settings.ts'
import type { GroupMember, GroupUpdate, ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { memberKey, named } from '../groups/names.ts'
import { findMembers, lastTicket, type MemberRow, saveMembers } from '../groups/queries.ts'
import type { TakenEntry } from '../journal/journal-queries.ts'
import { contactBook, type KnownContact, type Sender } from '../ports/contact-book.ts'
import { type GroupNews, publishGroupNews } from '../ports/group-news.ts'
import { lockLedgerTickets } from '../ticket/queries.ts'
import { writeMessages } from '../writing/write.ts'

type MessageEvent = Extract<ProviderEvent, { type: 'message' | 'echo' }>
type About<E> = { readonly event: E; readonly entry: TakenEntry; readonly contact: KnownContact }
/** Group event to show in its conversation. */
type Happened = About<GroupUpdate> & {
  readonly data: Omit<GroupEvent, 'people' | 'by'>
  readonly people: readonly string[]
}

/** Groups of a batch: their contacts, members, and events to show. */
export type Groups = {
  readonly contacts: ReadonlyMap<string, KnownContact>
  readonly members: ReadonlyMap<string, MemberRow>
  readonly happened: readonly Happened[]
}

/** Name of a group before its real one is known. */
const NAMELESS = 'Grupo'

const isUpdate = (event: ProviderEvent): event is GroupUpdate =>
  event.type === 'participants' || event.type === 'profile'
const nameIn = (event: MessageEvent | GroupUpdate): string =>
  ((event.type === 'profile' ? event.name : event.type === 'participants' ? null : event.groupName) ?? '')
    .trim()
    .slice(0, 200)

/** Converts a group into a sender, as groups are contacts. */
export const groupOf = (channel: string, event: MessageEvent | GroupUpdate): Sender => ({
  ...{ channel, identity: event.conversationKey, name: nameIn(event) || NAMELESS, number: null, email: '' },
  isGroup: true,
})

const infoOf = ({ identity, name, number, isAdmin }: GroupMember): MemberInfo => ({
  ...{ identity, name, number: number ?? null, isAdmin: isAdmin ?? null },
})

/** Applies a batch's group events before its messages: names, pictures and members. Null if there are none. */
export async function applyGroups(ctx: Ctx, entries: readonly TakenEntry[]): Promise<Groups | null> {
  const events = entries.flatMap((entry) => {
    const { payload: event } = entry
    const isOfGroup = isUpdate(event) || ((event.type === 'message' || event.type === 'echo') && event.isGroup)
    return isOfGroup && !entry.is_removed ? [{ entry, event: event }] : []
  })
  if (events.length === 0 || isOn(ctx.settings, 'ignoreGroupMsg')) return null
  const asked = new Map(events.map(({ entry, event }) => [keyOf(entry, event), groupOf(entry.type, event)]))
  const contacts = await contactBook().find(ctx.db, [...asked.values()])
  const strangers = [...asked].filter(([key]) => !contacts.has(key)).map(([, group]) => group)
  for (const [key, contact] of await contactBook().meet(ctx, strangers)) contacts.set(key, contact)
  const isNew = new Set(strangers.map(({ channel, identity }) => `${channel}|${identity}`))

  const about = events.map((one) => ({ ...one, contact: lookUp(contacts, keyOf(one.entry, one.event)) }))
  const { members, happened } = await applyMembers(ctx, about)
  for (const one of about) {
    const { event, entry, contact } = one
    const key = keyOf(entry, event)
    const name = nameIn(event)
    const isRenamed = name !== '' && lookUp(contacts, key).name !== name
    const fileId = event.type === 'profile' ? event.fileId : undefined
    if (!isRenamed && fileId === undefined) continue
    await contactBook().describe(ctx, contact.id, {
      ...(isRenamed ? { name } : {}),
      ...(fileId === undefined ? {} : { fileId }),
    })
    contacts.set(key, { ...contact, ...(isRenamed ? { name } : {}) })
    if (event.type !== 'profile' || isNew.has(key)) continue
    if (isRenamed) happened.push({ ...one, event, data: { change: 'subject', subject: name }, people: [] })
    if (fileId !== undefined) happened.push({ ...one, event, data: { change: 'picture' }, people: [] })
  }
  const order = new Map(events.map(({ entry }, index) => [entry, index]))
  // Names and members are decided separately, and shown in order of change.
  happened.sort((one, other) => lookUp(order, one.entry) - lookUp(order, other.entry))
  return { contacts, members, happened }
}

const keyOf = ({ type }: TakenEntry, { conversationKey }: { conversationKey: string }): string =>
  `${type}|${conversationKey}`

// Load, decide in the order of events, save in sets.
async function applyMembers(ctx: Ctx, events: readonly About<MessageEvent | GroupUpdate>[]) {
  const stored = await findMembers(ctx.db, {
    identities: events.flatMap(({ event }) => identitiesIn(event)),
    of: events.map(({ contact }) => contact.id),
    whole: events.flatMap(({ event, contact }) =>
      event.type === 'participants' && event.change === 'all' ? contact.id : [],
    ),
  })
  const before = new Map<string, Member>(stored.map((row) => [memberKey(row.contactId, row.identity), row]))
  const now = new Map(before)
  const happened: Happened[] = []
  for (const one of events) {
    const { event, contact } = one
    const key = (identity: string) => memberKey(contact.id, identity)
    if (event.type === 'message')
      now.set(key(event.sender.identity), known(infoOf(event.sender), now.get(key(event.sender.identity))))
    if (event.type !== 'participants') continue
    const { change, members, timestamp } = event
    const people: string[] = []
    for (const info of members.map(infoOf)) {
      const { member, isChange } = changed(info, now.get(key(info.identity)), change, timestamp)
      now.set(key(info.identity), member)
      if (isChange) people.push(info.identity)
    }
    if (change !== 'all' && people.length > 0) happened.push({ ...one, event, data: { change }, people })
    if (change !== 'all') continue
    const named = new Set(members.map(({ identity }) => key(identity)))
    for (const [other, member] of now)
      if (other.startsWith(`${contact.id}|`) && !named.has(other))
        now.set(other, changed({ ...member, isAdmin: null }, member, 'remove', timestamp).member)
  }
  const fresh = [...now].filter(([key, member]) => JSON.stringify(member) !== JSON.stringify(before.get(key)))
  const ids = new Map(stored.map(({ id, contactId, identity }) => [memberKey(contactId, identity), id]))
  const rows = fresh.map(([key, member]) => ({ ...member, contactId: Number(key.split('|')[0]) }))
  if (rows.length > 0)
    for (const { id, contactId, identity } of await saveMembers(ctx.db, rows, ctx.now))
      ids.set(memberKey(contactId, identity), id)
  const members = new Map(
    [...now].map(([key, member]) => [key, { ...member, id: lookUp(ids, key), contactId: Number(key.split('|')[0]) }]),
  )
  return { members, happened }
}

const identitiesIn = (event: MessageEvent | GroupUpdate): string[] => [
  ...(event.type === 'message' ? [event.sender.identity, ...(event.message.mentions ?? [])] : []),
  ...(event.type === 'participants' ? event.members.map(({ identity }) => identity) : []),
  ...(isUpdate(event) && event.by !== undefined ? [event.by] : []),
]

/** Returns the stored members who wrote in groups; messages that are imported late do not change the membership. */
export async function knownMembers(
  ctx: Ctx,
  messages: readonly { readonly contactId: number; readonly event: MessageEvent }[],
): Promise<Groups | null> {
  if (messages.length === 0) return null
  const identities = messages.flatMap(({ event }) => identitiesIn(event))
  const rows = await findMembers(ctx.db, { identities, of: messages.map(({ contactId }) => contactId), whole: [] })
  const members = new Map(rows.map((row) => [memberKey(row.contactId, row.identity), row]))
  return { contacts: new Map(), members, happened: [] }
}

/** Returns author, mentions and text (with the names filled in) of a group message; outside of groups the text alone. */
export function groupContent(
  groups: Groups | null,
  contactId: number,
  { isGroup, sender, message }: MessageEvent,
): { body: string; sender: MessageSender | null; mentions: MessageMentions | null } {
  const author = isGroup ? groups?.members.get(memberKey(contactId, sender.identity)) : undefined
  if (!author) return { body: message.body, sender: null, mentions: null }
  const { id, identity, name, number } = author
  const text = named(present(groups).members, contactId, message.body, message.mentions ?? [])
  return { ...text, sender: { id, identity, name, number } }
}

/**
 * Writes group events into their conversations, as lines for the team that change nothing of the ticket and open none.
 * Events before the conversation's beginning are dropped.
 */
export async function writeGroupEventRows(
  ctx: Ctx,
  entries: readonly TakenEntry[],
  groups: Groups | null,
): Promise<void> {
  if (!groups || groups.happened.length === 0) return
  const begun: { one: Happened; ticketId: number }[] = []
  for (const one of groups.happened) {
    const { entry, event, contact } = one
    if (contact.blocked) continue
    const { connection_id: connectionId } = entry
    const { conversationKey } = event
    const ticket = await lastTicket(ctx.db, { connectionId, conversationKey })
    const isEarlier = ticket && ticket.created_at < ctx.now
    const isInBatch = entries
      .slice(0, entries.indexOf(entry))
      .some(
        (before) =>
          before.connection_id === connectionId &&
          (before.payload.type === 'message' || before.payload.type === 'echo') &&
          before.payload.conversationKey === conversationKey,
      )
    if (ticket && (isEarlier || isInBatch)) begun.push({ one, ticketId: ticket.id })
  }
  const tickets = new Map(
    (
      await lockLedgerTickets(
        ctx.db,
        begun.map(({ ticketId }) => ticketId),
      )
    ).map((one) => [one.id, one]),
  )
  const person = (contactId: number, identity: string): GroupPerson[] => {
    const member = groups.members.get(memberKey(contactId, identity))
    return member ? [{ id: member.id, name: member.name }] : []
  }
  const drafts = begun.flatMap(({ one: { event, contact, data, people }, ticketId }) => {
    const ticket = tickets.get(ticketId)
    const [by = null] = event.by === undefined ? [] : person(contact.id, event.by)
    const shown: GroupEvent = { ...data, people: people.flatMap((identity) => person(contact.id, identity)), by }
    if (!ticket) return []
    return [
      {
        ...({ ticket, source: 'system', mediaType: 'group_event', body: '', data: shown, isNote: true } as const),
        ...{ timestamp: event.timestamp, sendType: 'group', contactName: contact.name },
      },
    ]
  })
  if (drafts.length > 0) await writeMessages(ctx, drafts)
}

const NEWS: Readonly<Record<string, 'joined' | 'left'>> = { add: 'joined', remove: 'left' }

/** Notifies the group hooks of members who joined, left or wrote, and of other changes. */
export async function publishNewsOfGroups(
  ctx: Ctx,
  entries: readonly TakenEntry[],
  groups: Groups | null,
): Promise<void> {
  if (!groups) return
  const peopleOf = (contactId: number, identities: readonly string[]): GroupNews['people'] =>
    identities.flatMap((identity) => {
      const member = groups.members.get(memberKey(contactId, identity))
      return member ? [{ identity, name: member.name, number: member.number }] : []
    })
  const changes = groups.happened.map(({ entry, event, contact, data, people }): GroupNews => {
    const what = NEWS[data.change] ?? 'changed'
    return {
      ...{ connectionId: entry.connection_id, key: event.conversationKey, contactId: contact.id, what },
      people: what === 'changed' ? [] : peopleOf(contact.id, people),
      ...{ text: '', providerId: '', isAdmin: false },
    }
  })
  const written = entries.flatMap((entry): GroupNews[] => {
    const { payload: event } = entry
    if (event.type !== 'message' || !event.isGroup || entry.is_removed || event.message.body === '') return []
    const contact = groups.contacts.get(keyOf(entry, event))
    if (!contact) return []
    const { identity } = event.sender
    return [
      {
        ...{ connectionId: entry.connection_id, key: event.conversationKey, contactId: contact.id, what: 'wrote' },
        ...{ people: peopleOf(contact.id, [identity]), text: event.message.body, providerId: event.message.providerId },
        isAdmin: groups.members.get(memberKey(contact.id, identity))?.isAdmin ?? false,
      },
    ]
  })
  await publishGroupNews(ctx, [...changes, ...written])
}
