import { previewOf } from '#domain/messages/preview.ts'
import { bucketOf } from '#domain/tickets/bucket.ts'
import { messageEvents } from '#features/ledger/message-events-contract.ts'
import { notificationEvents } from '#features/ledger/notification-events.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { TenantSettings } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import { type Change, deliveredForm, isOf } from '#server/realtime/audience.ts'
import type { Subject } from './queries.ts'

/** Content of a device notification; `at` is the message to open. */
export type NoticeText = { title: string; text: string; at: number | null }

/** Delay of delivery above which a message counts as history. */
const HISTORY_MS = 10 * 60_000

/** Returns the ticket of a change; null if none. */
export function ticketOf(change: Change): number | null {
  if (change.audience.kind === 'ticket') return change.audience.ticketId
  if (isOf(change, ticketEvents.read)) return change.payload.id
  return isOf(change, notificationEvents.changed) ? change.payload.ticketId : null
}

/**
 * Whether a change may concern a user (like `reactionTo` in an open page): a message of their customer, a ticket in a
 * visible queue, a mention, an assignment, or news in a followed ticket. It is evaluated again before sending.
 */
export function isNews(
  change: Change,
  { actor, followed }: { actor: Actor; followed: ReadonlySet<number> | undefined },
  settings: TenantSettings,
): boolean {
  const { audience } = change
  const form = deliveredForm(change, actor, settings)
  if (form === null || form === 'gone') return false
  if (isOf(change, notificationEvents.changed)) return true
  if (isOf(change, messageEvents.create)) {
    const { message, ticket } = change.payload
    const isPast = message.isLate || Date.parse(message.createdAt) - message.timestamp > HISTORY_MS
    const isTheirs = bucketOf(ticket, actor.id) === 'mine' || followed?.has(ticket.id)
    return !message.fromMe && !message.isNote && !isPast && isTheirs === true
  }
  if (!isOf(change, ticketEvents.create) && !isOf(change, ticketEvents.update)) return false
  if (audience.kind !== 'ticket' || !audience.after) return false
  if (audience.before && audience.before.status !== audience.after.status && followed?.has(audience.ticketId))
    return true
  const bucket = bucketOf(audience.after, actor.id)
  if (bucket === null || bucket === 'mine') return false
  if (audience.before) return bucketOf(audience.before, actor.id) !== bucket
  const { unreadMessages, updatedAt, lastMessageAt } = change.payload
  return unreadMessages > 0 && Date.parse(updatedAt) - lastMessageAt <= HISTORY_MS
}

/**
 * Returns the latest unread news of a ticket for a user: mentions and assignments, a customer's message in their ticket, a
 * queued ticket that they did not put there, news in a followed one. Null if read, taken or answered. Restricted users get
 * no text.
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
