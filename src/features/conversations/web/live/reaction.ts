import { mentions } from '#domain/messages/mentions.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import type { Preferences } from '#kit/preferences.ts'
import { changedOf, foregroundOf, RECORDING, VISIBLE } from '#web/alerts/presence.ts'
import { isQuiet } from '#web/alerts/quiet.ts'
import { type Sound, wishes } from '#web/alerts/tones.ts'
import type { TicketDelta, TicketRow } from '../../tickets-contract.ts'
import { type Bucket, bucketOf, pathOf } from '../list/bucket.ts'

/** What was told, as far as somebody might have to hear of it. */
export type IncomingEvent = {
  /** It was read after an absence instead of heard. */
  missed: boolean
  /** Where the ticket stood before, as far as this tab knows. */
  before?: Bucket | undefined
} & (
  | { type: 'created' | 'moved' | 'called'; ticket: TicketRow }
  | { type: 'message'; ticket: TicketDelta; message: MessageRow }
)

/** Whom the tab belongs to, and what counts at the moment. */
export type Scene = {
  me: { id: number; name: string }
  /** What all tabs tell about themselves. */
  signs: ReadonlySet<string>
  preferences: Preferences
  /** Whether the company lets the product sound. */
  sounds: boolean
  now: Date
  /** When the last sound was played (epoch ms). */
  lastSound: number
}

/** What to do about it: a sound, a notice on the desktop, both or nothing. `kind` says what it was. */
export type Reaction = { kind: Sound; sound: Sound | null; notice: boolean } | null

const MINUTE = 60_000
/** What a channel delivers later than this after it was written is history. */
const historyMs = 10 * MINUTE
/** What was missed longer ago than this is told by the counters alone. */
const missedMs = MINUTE
/** A burst of arrivals makes one sound. */
const gapMs = 1500

/**
 * What a person is told of something that happened: a message of the customer in one of their tickets, a ticket that came
 * to them or to a queue that they see, a note with their name. Never of what they did themselves, of history, of the
 * conversation that they are looking at, nor in their quiet hours. A sound is kept back while a voice note is recorded
 * anywhere, where the company or the person wants none, and so soon after another; a notice while the product is in sight.
 */
export function reactionTo(heard: IncomingEvent, scene: Scene): Reaction {
  const kind = kindOf(heard, scene)
  const { signs, preferences, sounds, now, lastSound } = scene
  const path = pathOf(heard.ticket.id)
  if (kind === null || isPast(heard, now) || signs.has(foregroundOf(path)) || isQuiet(preferences, now)) return null
  const isAudible = sounds && preferences[wishes[kind]] && !signs.has(RECORDING) && now.getTime() - lastSound >= gapMs
  return { kind, sound: isAudible ? kind : null, notice: preferences.notices && !signs.has(VISIBLE) }
}

function kindOf(heard: IncomingEvent, { me, signs, now }: Scene): Sound | null {
  const { ticket } = heard
  const place = bucketOf(ticket, me.id)
  if (heard.type === 'message') {
    const { message } = heard
    if (message.isNote) return message.userId !== me.id && mentions(message.body, me.name) ? 'mention' : null
    return message.fromMe || message.isLate || place !== 'mine' ? null : 'message'
  }
  if (heard.type === 'called') return 'ticket'
  if (place === null || signs.has(changedOf(pathOf(ticket.id)))) return null
  if (heard.type === 'created') return ticket.unreadMessages > 0 ? 'ticket' : null
  if (heard.before !== undefined) return heard.before === place ? null : 'ticket'
  // Of a ticket that this tab has never heard of, the order of the list tells whether it was moved just now.
  return ticket.unreadMessages > 0 && now.getTime() - Date.parse(ticket.updatedAt) < MINUTE ? 'ticket' : null
}

function isPast({ missed, ...heard }: IncomingEvent, now: Date): boolean {
  const { at, told } =
    heard.type === 'message'
      ? { at: heard.message.timestamp, told: Date.parse(heard.message.createdAt) }
      : { at: heard.ticket.lastMessageAt, told: Date.parse(heard.ticket.updatedAt) }
  return (
    ((heard.type === 'created' || heard.type === 'message') && told - at > historyMs) ||
    (missed && now.getTime() - told > missedMs)
  )
}
