import { isQuiet } from '#domain/calendar/quiet.ts'
import { mentionsOf } from '#domain/messages/mentions.ts'
import { type Bucket, bucketOf } from '#domain/tickets/bucket.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDelta, TicketRow } from '#features/ledger/ticket-rows.ts'
import { pathOf } from '#features/tickets/web/choices/bucket.ts'
import type { Preferences } from '#kit/preferences.ts'
import { changedOf, foregroundOf, RECORDING, VISIBLE } from '#web/alerts/presence.ts'
import type { Sound } from '#web/alerts/tones.ts'
import { wishes } from '#web/preferences.ts'
import type { DueTicket } from './due.ts'

/** What was told, as far as somebody might have to learn of it. */
export type IncomingEvent = {
  /** It was read after an absence instead of received live. */
  missed: boolean
  /** Where the ticket stood before, as far as this tab knows. */
  before?: Bucket | undefined
} & (
  | { type: 'created' | 'moved' | 'called' | 'followed'; ticket: TicketRow }
  | { type: 'due'; ticket: DueTicket }
  | { type: 'message'; ticket: TicketDelta; message: MessageRow }
)

/** Whom the tab belongs to, and what counts at the moment. */
export type Scene = {
  me: { id: number }
  /** The tickets of colleagues that the person follows. */
  followed: Pick<ReadonlySet<number>, 'has'>
  /** What all tabs tell about themselves. */
  presence: ReadonlySet<string>
  preferences: Preferences
  /** Whether the company lets the product sound. */
  sounds: boolean
  now: Date
  /** When the last sound was played (epoch ms). */
  lastSound: number
}

/** What to do about it: a sound, a notice on the desktop, both or nothing. `kind` says what it was. */
export type Reaction = { kind: Sound; sound: Sound | null; notice: boolean } | null

/** What to do about what happened together: at most one sound, and at most one notice, of those that are worth one. */
export type Together<I> = { sound: Sound | null; noticed: readonly I[] } | null

const MINUTE = 60_000
/** What a channel delivers later than this after it was written is history. */
const historyMs = 10 * MINUTE
/** What was missed longer ago than this is told by the counters alone. */
const missedMs = MINUTE
/** A burst of arrivals makes one sound. */
const gapMs = 1500

/**
 * What a person is told of something that happened: a message of the customer in one of their tickets or in one that they
 * follow, a ticket that came to them or to a queue that they see, what became of one that they follow, a note that mentions
 * them. Never of what they did themselves, of history, of the
 * conversation that they are looking at, nor in their quiet hours. A sound is kept back while a voice note is recorded
 * anywhere, where the company or the person wants none, and so soon after another; a notice while the product is in sight.
 */
export function reactionTo(incoming: IncomingEvent, scene: Scene): Reaction {
  const kind = kindOf(incoming, scene)
  const { presence, preferences, sounds, now, lastSound } = scene
  const path = pathOf(incoming.ticket.id)
  const clock = { hour: now.getHours(), minute: now.getMinutes() }
  if (kind === null || isPast(incoming, now) || presence.has(foregroundOf(path)) || isQuiet(preferences, clock))
    return null
  const isAudible =
    sounds && preferences[wishes[kind]] && !presence.has(RECORDING) && now.getTime() - lastSound >= gapMs
  return { kind, sound: isAudible ? kind : null, notice: preferences.notices && !presence.has(VISIBLE) }
}

/** The reaction to what happened together; null where none of it is told. */
export function reactionToAll<I extends IncomingEvent>(all: readonly I[], scene: Scene): Together<I> {
  const reactions = all.flatMap((incoming) => {
    const reaction = reactionTo(incoming, scene)
    return reaction ? [{ incoming, reaction }] : []
  })
  if (reactions.length === 0) return null
  return {
    sound: reactions.find(({ reaction }) => reaction.sound)?.reaction.sound ?? null,
    noticed: reactions.flatMap(({ incoming, reaction }) => (reaction.notice ? [incoming] : [])),
  }
}

function kindOf(incoming: IncomingEvent, { me, followed, presence, now }: Scene): Sound | null {
  const { ticket } = incoming
  const bucket = bucketOf(ticket, me.id)
  if (incoming.type === 'message') {
    const { message } = incoming
    if (message.isNote)
      return message.userId !== me.id && mentionsOf(message.data).userIds.includes(me.id) ? 'mention' : null
    const isTheirs = bucket === 'mine' || followed.has(ticket.id)
    return message.fromMe || message.isLate || !isTheirs ? null : 'message'
  }
  if (incoming.type === 'called' || incoming.type === 'due') return 'ticket'
  if (incoming.type === 'followed') return presence.has(changedOf(pathOf(ticket.id))) ? null : 'ticket'
  if (bucket === null || presence.has(changedOf(pathOf(ticket.id)))) return null
  if (incoming.type === 'created') return ticket.unreadMessages > 0 ? 'ticket' : null
  if (incoming.before !== undefined) return incoming.before === bucket ? null : 'ticket'
  // Of a ticket that this tab has never known of, the order of the list tells whether it was moved just now.
  return ticket.unreadMessages > 0 && now.getTime() - Date.parse(ticket.updatedAt) < MINUTE ? 'ticket' : null
}

function isPast({ missed, ...incoming }: IncomingEvent, now: Date): boolean {
  const { at, storedAt } =
    incoming.type === 'message'
      ? { at: incoming.message.timestamp, storedAt: Date.parse(incoming.message.createdAt) }
      : { at: incoming.ticket.lastMessageAt, storedAt: Date.parse(incoming.ticket.updatedAt) }
  // A clock runs out while its ticket stands still.
  const publishedAt = incoming.type === 'due' ? incoming.ticket.publishedAt : storedAt
  const isArrival = incoming.type === 'created' || incoming.type === 'message'
  return (isArrival && storedAt - at > historyMs) || (missed && now.getTime() - publishedAt > missedMs)
}
