import { closeNotice } from '#web/alerts/notices.ts'
import { call, queryClient } from '#web/client.ts'
import { on, onReconnect, onResync } from '#web/realtime/realtime.ts'
import { may, onPermissions } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { privateUnread } from '#web/shell/attention.ts'
import { createSoon } from '#web/soon.ts'
import { privateChat, privateChatEvents } from '../addresses.ts'
import { OUTBOX_KEY, pathOf, peerOf } from './paths.ts'

/** Starts the private chat on every screen: unread counts, notifications, and the outbox of an earlier page. */
export function startPrivateChat(): void {
  on(privateChatEvents.create, (message, missed) => {
    countSoon()
    if (!missed && message.senderId !== viewer().userId)
      void import('./announce.ts').then(({ announce }) => announce(peerOf(message), message))
  })
  on(privateChatEvents.update, countSoon)
  on(privateChatEvents.read, ({ userId, people, groupId }) => {
    const me = viewer().userId
    if (userId !== me) return
    const other = people.find((id) => id !== me)
    closeNotice(pathOf(groupId === null ? { id: other!, isGroup: false } : { id: groupId, isGroup: true }))
    countSoon()
  })
  onResync(countSoon)
  onReconnect(countSoon)
  onPermissions(countSoon)
  countSoon()
  if (localStorage.getItem(OUTBOX_KEY)) void import('./outbox.ts').then(({ startOutbox }) => startOutbox())
}

const countSoon = createSoon(() => void count(), 300, 1500)

async function count(): Promise<void> {
  if (!may('private-chat:use')) return privateUnread.set(0)
  void queryClient.invalidateQueries({ queryKey: [privateChat.list.family] })
  try {
    const [one, teams] = await Promise.all([
      call(privateChat.unread, {}, { quiet: true }),
      call(privateChat.unreadOfGroups, {}, { quiet: true }),
    ])
    privateUnread.set(one.count + teams.count.count)
  } catch {
    // The number stays until the next event.
  }
}
