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

/** Event that may cause a sound or notification. */
export type IncomingEvent = {
  /** True if the event was read after an absence instead of received live. */
  missed: boolean
  /** Bucket of the ticket before the event, as far as this tab knows. */
  before?: Bucket | undefined
} & (
  | { type: 'created' | 'moved' | 'called' | 'followed'; ticket: TicketRow }
  | { type: 'due'; ticket: DueTicket }
  | { type: 'message'; ticket: TicketDelta; message: MessageRow }
)

/** Current context of the tab's user. */
export type Scene = {
  me: { id: number }
  /** Tickets of colleagues that the person follows. */
  followed: Pick<ReadonlySet<number>, 'has'>
  /** Presence published by all tabs. */
  presence: ReadonlySet<string>
  preferences: Preferences
  /** True if the company permits sounds. */
  sounds: boolean
  now: Date
  /** Time of the last sound (epoch ms). */
  lastSound: number
}

/** Reaction to an event: sound, desktop notification, both, or null for none. `kind` classifies the event. */
export type Reaction = { kind: Sound; sound: Sound | null; notice: boolean } | null

/** Reaction to simultaneous events: at most one sound, and the events for one notification. */
export type Together<I> = { sound: Sound | null; noticed: readonly I[] } | null

const MINUTE = 60_000
/** Delay between writing and arrival above which a message counts as history, in ms. */
const historyMs = 10 * MINUTE
/** Age above which missed events affect counters only, in ms. */
const missedMs = MINUTE
/** Minimum time between two sounds, in ms. */
const gapMs = 1500

/**
 * Decides the reaction to an event: a customer's message in an own or followed ticket, a ticket that came to the person or
 * one of their queues, a change of a followed ticket, or a mention. None for the person's own actions, history, the open
 * conversation, or during quiet hours. The sound is omitted while a voice note is being recorded, if company or person
 * disabled it, or shortly after another; the notification while the product is visible.
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

/** Decides the reaction to simultaneous events; null if none causes one. */
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
  // For a ticket unknown to this tab, the update time tells whether it was moved just now.
  return ticket.unreadMessages > 0 && now.getTime() - Date.parse(ticket.updatedAt) < MINUTE ? 'ticket' : null
}

function isPast({ missed, ...incoming }: IncomingEvent, now: Date): boolean {
  const { at, storedAt } =
    incoming.type === 'message'
      ? { at: incoming.message.timestamp, storedAt: Date.parse(incoming.message.createdAt) }
      : { at: incoming.ticket.lastMessageAt, storedAt: Date.parse(incoming.ticket.updatedAt) }
  // SLA clocks run out without any change of the ticket.
  const publishedAt = incoming.type === 'due' ? incoming.ticket.publishedAt : storedAt
  const isArrival = incoming.type === 'created' || incoming.type === 'message'
  return (isArrival && storedAt - at > historyMs) || (missed && now.getTime() - publishedAt > missedMs)
}
