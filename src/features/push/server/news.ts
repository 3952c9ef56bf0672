import type { z } from 'zod'
import { previewOf } from '#domain/messages/preview.ts'
import { bucketOf } from '#domain/tickets/bucket.ts'
import { messageEvents } from '#features/ledger/message-events-contract.ts'
import { notificationEvents } from '#features/ledger/notification-events.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { TenantSettings } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import { type Change, deliveredForm, isOf } from '#server/realtime/audience.ts'
import type { Subject } from './queries.ts'

/** What a device shows; `tag` is the conversation's address, which it has once, and `at` the message to open. */
export type NoticeText = { title: string; text: string; at: number | null }

/** What a channel delivers later than this after it was written is history. */
const HISTORY_MS = 10 * 60_000

/** The ticket that a change speaks of; null where it names none. */
export function ticketOf(change: Change): number | null {
  if (change.audience.kind === 'ticket') return change.audience.ticketId
  if (isOf(change, ticketEvents.read)) return change.payload.id
  return isOf(change, notificationEvents.changed) ? change.payload.ticketId : null
}

/**
 * Whether a change may be news to somebody (as `reactionTo` does in an open page): a message of a customer of theirs, a ticket
 * that came to a queue that they see, a mention, a ticket that they were given, what was said in one that they follow and what
 * became of it. What is left of it is judged when it is sent.
 */
export function isNews(
  change: Change,
  { actor, followed }: { actor: Actor; followed: ReadonlySet<number> | undefined },
  settings: TenantSettings,
): boolean {
  const { type, audience } = change
  const form = deliveredForm(change, actor, settings)
  if (form === null || form === 'gone') return false
  if (type === notificationEvents.changed.type) return true
  if (isOf(change, messageEvents.create)) {
    const { message, ticket } = change.payload
    const isPast = message.isLate || Date.parse(message.createdAt) - message.timestamp > HISTORY_MS
    const isTheirs = bucketOf(ticket, actor.id) === 'mine' || followed?.has(ticket.id)
    return !message.fromMe && !message.isNote && !isPast && isTheirs === true
  }
  if (type !== ticketEvents.create.type && type !== ticketEvents.update.type) return false
  if (audience.kind !== 'ticket' || !audience.after) return false
  if (audience.before && audience.before.status !== audience.after.status && followed?.has(audience.ticketId))
    return true
  const bucket = bucketOf(audience.after, actor.id)
  if (bucket === null || bucket === 'mine') return false
  if (audience.before) return bucketOf(audience.before, actor.id) !== bucket
  const { unreadMessages, updatedAt, lastMessageAt } = change.payload as z.output<typeof ticketEvents.create.payload>
  return unreadMessages > 0 && Date.parse(updatedAt) - lastMessageAt <= HISTORY_MS
}

/**
 * What of a ticket somebody has not read and should learn of: what concerns them, a customer's message in a ticket of theirs,
 * one that waits in a queue and that they did not put there themselves, what is new in one that they follow; the latest of it. Nothing when it was read, taken or
 * answered. A restricted person is told that there is something, without a word of it.
 */
export function newsOf(subject: Subject, actor: Actor): NoticeText | null {
  const { concernedAt, storedAt } = subject
  const message = messageNews(subject, actor.id) ?? followedNews(subject)
  const news =
    concernedAt && !(message && storedAt && storedAt > concernedAt) ? concern(subject, subject.mentions > 0) : message
  if (!news) return null
  const { hidden, ...shown } = news
  return actor.restrictedUser ? { ...shown, title: hidden, text: '' } : shown
}

type News = NoticeText & { hidden: string }

function concern({ name, byName, note, noteAt, at }: Subject, isMention: boolean): News {
  const hidden = isMention ? 'Uma nota menciona você' : 'Um atendimento precisa de você'
  const moment = (isMention ? (noteAt ?? at) : at)?.getTime() ?? null
  if (!isMention) return { title: name, text: 'Precisa de você', hidden, at: moment }
  const text = note === null ? name : previewOf({ type: 'note', body: note })
  return { title: byName ? `${byName} mencionou você` : hidden, text, hidden, at: moment }
}

function messageNews(subject: Subject, me: number): News | null {
  const { name, type, body, fileName, unread, isRead, changedBy, lastMessage } = subject
  const bucket = bucketOf(subject, me)
  const at = subject.at?.getTime() ?? null
  if (bucket === null || unread === 0 || isRead || type === null) return null
  if (bucket !== 'mine')
    return changedBy === me ? null : { title: name, text: lastMessage, hidden: 'Atendimento novo', at }
  return { title: name, text: previewOf({ type, body: body ?? '', mediaName: fileName }), hidden: 'Mensagem nova', at }
}

const becameOf = { open: 'Em atendimento', pending: 'Voltou à fila', closed: 'Resolvido' } as const

function followedNews({ followed, name, type, body, fileName, at: sentAt }: Subject): News | null {
  if (followed === null) return null
  const hidden = 'Novidade em um atendimento que você segue'
  const at = sentAt?.getTime() ?? null
  if (followed !== 'message') return { title: name, text: becameOf[followed], hidden, at }
  return { title: name, text: previewOf({ type: type ?? 'text', body: body ?? '', mediaName: fileName }), hidden, at }
}
