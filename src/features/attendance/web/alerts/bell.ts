import { notificationEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import { notifications } from '#features/messages/notifications-addresses.ts'
import { mentionCounts } from '#features/tickets/web/followed/counts.ts'
import { followed } from '#features/tickets/web/followed/followed.ts'
import { call, queryClient } from '#web/client.ts'
import { on, onReconnect } from '#web/realtime/realtime.ts'
import { may, onPermissions } from '#web/session/permissions.ts'
import { bellCount } from '#web/shell/attention.ts'
import { createSoon } from '#web/soon.ts'

/** Refetches the notification count, debounced, after an event that may change it. */
export const bellSoon = createSoon(() => void read(), 400, 2000)

/** Starts syncing the notification count, and the open list, with server events. */
export function startBell(): void {
  on(notificationEvents.changed, bellSoon)
  on(ticketEvents.gone, bellSoon)
  onReconnect(bellSoon)
  onPermissions(bellSoon)
  void read()
}

async function read(): Promise<void> {
  if (!may('tickets:read')) return
  try {
    const { count, mentions, hasMentions, followed: those } = await call(notifications.unread, {}, { quiet: true })
    bellCount.set(count)
    followed.set(new Map(those.map(({ id, status }) => [id, status])))
    mentionCounts.set({ unseen: mentions, any: hasMentions })
    void queryClient.invalidateQueries({ queryKey: [notifications.list.family] })
  } catch {
    // The count stays as it is until the next event.
  }
}
