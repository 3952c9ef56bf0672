import { bucketOf } from '#domain/tickets/bucket.ts'
import { messageEvents, ticketEvents } from '#features/conversations/addresses.ts'
import { showAppBadge, showDot } from '#web/alerts/badge.ts'
import { isElected, onElected, stand } from '#web/alerts/election.ts'
import { watchForeground } from '#web/alerts/foreground.ts'
import { closeNotice, closeNotices, showNotice } from '#web/alerts/notices.ts'
import { allPresence } from '#web/alerts/presence.ts'
import { readPreferences } from '#web/preferences.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { isSettingOn, onPermissions } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { onUnread, unreadCount } from '#web/shell/attention.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import type { TicketDelta } from '../../tickets-contract.ts'
import { followed, noteStatus } from '../followed/followed.ts'
import { pathOf } from '../list/bucket.ts'
import { clockNames, previewText } from '../names.ts'
import { bellSoon, startBell } from './bell.ts'
import { type IncomingEvent, reactionTo, type Scene } from './reaction.ts'
import { isUnread, noteGone, noteTicket, readUnread } from './unread.ts'

const becameOf = {
  open: t('Aberto'),
  pending: t('Pendente'),
  closed: t('Resolvido'),
} as const

/** What a notice of the desktop says. */
type NoticeText = { title: string; text: string }

/**
 * Counts what is unread in title, icon and badge of every tab, and has the elected one (decision B24) sound and notify;
 * a tab that the person has touched takes the role, because only such a tab may sound.
 */
export function startAlerts(): void {
  stand()
  watchForeground(closeNotice)
  onUnread(count)
  startBell()
  onElected(count)
  addEventListener('pagehide', leave)
  on(ticketEvents.create, (ticket, missed) => {
    const text = { title: ticket.name, text: previewText(ticket) }
    react({ type: 'created', ticket, missed, before: note(ticket) }, text)
  })
  on(ticketEvents.update, (ticket, missed) => {
    const text = { title: ticket.name, text: previewText(ticket) }
    react({ type: 'moved', ticket, missed, before: note(ticket) }, text)
    const status = noteStatus(ticket)
    if (status === null) return
    bellSoon()
    react({ type: 'followed', ticket, missed }, { title: ticket.name, text: becameOf[status] })
  })
  on(ticketEvents.notify, (ticket, missed) => {
    react({ type: 'called', ticket, missed, before: note(ticket) }, { title: ticket.name, text: t('Precisa de você') })
  })
  on(ticketEvents.due, (ticket, missed) => {
    const text = ticket.isMissed
      ? t('Prazo estourado: {what}', { what: clockNames[ticket.clock] })
      : t('Prazo em risco: {what}', { what: clockNames[ticket.clock] })
    react({ type: 'due', ticket, missed, before: note(ticket) }, { title: ticket.name, text })
  })
  on(ticketEvents.delta, note)
  on(messageEvents.create, ({ ticket, message, contactName }, missed) => {
    const text = message.isNote
      ? { title: t('{name} mencionou você', { name: message.userName ?? '' }), text: message.body.replace(/\s+/g, ' ') }
      : { title: contactName, text: previewText(ticket) }
    react({ type: 'message', ticket, message, missed, before: note(ticket) }, text)
  })
  on(ticketEvents.gone, ({ id }) => {
    noteGone(id)
    closeNotice(pathOf(id))
  })
  const recount = () => void readUnread().catch(() => {}) // the counter stays as it was
  onResync(recount)
  onPermissions(recount)
  recount()
}

function count(): void {
  showDot(unreadCount() > 0)
  if (isElected()) showAppBadge(unreadCount())
}

function leave(): void {
  closeNotices()
  if (isElected()) showAppBadge(0) // the next tab to be elected sets it again
}

function note(ticket: TicketDelta) {
  const before = noteTicket(ticket)
  // Answers on the person's own tickets stand behind the bell.
  if (before === 'mine' || bucketOf(ticket, viewer().userId) === 'mine' || followed.get().has(ticket.id)) bellSoon()
  if (!isUnread(ticket.id)) closeNotice(pathOf(ticket.id))
  return before
}

let lastSound = 0

function sceneWith(presence: ReadonlySet<string>): Scene {
  const { userId: id } = viewer()
  const sounds = isSettingOn('notificationSilenced')
  return {
    me: { id },
    followed: followed.get(),
    presence,
    preferences: readPreferences(),
    sounds,
    now: new Date(),
    lastSound,
  }
}

async function react(incoming: IncomingEvent, text: NoticeText): Promise<void> {
  // Presence of other tabs only keep something back: most of what is told needs no asking.
  if (!isElected() || !reactionTo(incoming, sceneWith(new Set()))) return
  const presence = await allPresence()
  const reaction = reactionTo(incoming, sceneWith(presence))
  if (!reaction) return
  const path = pathOf(incoming.ticket.id)
  if (reaction.sound) {
    lastSound = Date.now()
    const { sound } = reaction
    void import('#web/alerts/sounds.ts').then(({ play }) => play(sound, readPreferences().volume))
  }
  if (reaction.notice) showNotice({ tag: path, ...text }, () => openPath(path))
}
