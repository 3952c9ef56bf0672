import { bucketOf } from '#domain/tickets/bucket.ts'
import { messageEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import type { TicketDelta } from '#features/ledger/ticket-rows.ts'
import { pathOf } from '#features/tickets/web/choices/bucket.ts'
import { previewText } from '#features/tickets/web/choices/names.ts'
import { followed, noteStatus } from '#features/tickets/web/followed/followed.ts'
import { showAppBadge, showDot } from '#web/alerts/badge.ts'
import { isElected, onElected, stand } from '#web/alerts/election.ts'
import { watchForeground } from '#web/alerts/foreground.ts'
import { closeNotice, closeNotices, showNotice } from '#web/alerts/notices.ts'
import { allPresence } from '#web/alerts/presence.ts'
import { readPreferences } from '#web/preferences.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { isSettingOn, onPermissions } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { onUnread, privateUnread, unreadCount } from '#web/shell/attention.ts'
import { openPath } from '#web/shell/route.ts'
import { createSoon } from '#web/soon.ts'
import { t } from '#web/t.ts'
import { bellSoon, startBell } from './bell.ts'
import type { Notice } from './due.ts'
import { type IncomingEvent, reactionToAll, type Scene } from './reaction.ts'
import { isUnread, noteGone, noteTicket, readUnread } from './unread.ts'

const becameOf = {
  open: t('Aberto'),
  pending: t('Pendente'),
  closed: t('Resolvido'),
} as const

// Debounce of due SLA clocks in ms, so that simultaneous ones give one notification.
const restMs = 500
const mostMs = 3000

/**
 * Shows the unread count in title, icon and badge of every tab; the elected tab (decision B24) plays sounds and shows
 * notifications. A tab that the person has touched takes over, because only such a tab may play sounds.
 */
export function startAlerts(): void {
  stand()
  watchForeground(closeNotice)
  onUnread(count)
  privateUnread.subscribe(count)
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
    due.push({ type: 'due', ticket, missed, before: note(ticket) })
    reactToDue()
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
  const unread = unreadCount() + privateUnread.get()
  showDot(unread > 0)
  if (isElected()) showAppBadge(unread)
}

function leave(): void {
  closeNotices()
  if (isElected()) showAppBadge(0) // the next tab to be elected sets it again
}

function note(ticket: TicketDelta) {
  const before = noteTicket(ticket)
  // The bell counts replies on the person's own tickets.
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

const react = (incoming: IncomingEvent, text: Omit<Notice, 'path'>): Promise<void> =>
  reactTo([incoming], () => ({ ...text, path: pathOf(incoming.ticket.id) }))

type Due = Extract<IncomingEvent, { type: 'due' }>
const due: Due[] = []
const reactToDue = createSoon(
  () => {
    void reactTo(due.splice(0), async (noticed) => {
      const { noticeOfDue } = await import('./due.ts')
      return noticeOfDue(noticed.map(({ ticket }) => ticket))
    })
  },
  restMs,
  mostMs,
)

async function reactTo<I extends IncomingEvent>(
  all: readonly I[],
  noticeOf: (noticed: readonly I[]) => Notice | Promise<Notice>,
): Promise<void> {
  // Other tabs can only suppress a reaction: if there is none, skip asking them.
  if (!isElected() || !reactionToAll(all, sceneWith(new Set()))) return
  const reaction = reactionToAll(all, sceneWith(await allPresence()))
  if (!reaction) return
  const { sound, noticed } = reaction
  if (sound) {
    lastSound = Date.now()
    void import('#web/alerts/sounds.ts').then(({ play }) => play(sound, readPreferences().volume))
  }
  if (noticed.length === 0) return
  const { path, ...text } = await noticeOf(noticed)
  showNotice({ tag: path, ...text }, () => openPath(path))
}
