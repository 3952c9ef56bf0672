import { isQuiet } from '#domain/calendar/quiet.ts'
import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { isElected } from '#web/alerts/election.ts'
import { closeNotice, showNotice } from '#web/alerts/notices.ts'
import { allPresence, foregroundOf, RECORDING, VISIBLE } from '#web/alerts/presence.ts'
import { call, queryClient } from '#web/client.ts'
import { readPreferences } from '#web/preferences.ts'
import { on, onReconnect, onResync } from '#web/realtime/realtime.ts'
import { isSettingOn, may, onPermissions } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { privateUnread } from '#web/shell/attention.ts'
import { openPath } from '#web/shell/route.ts'
import { createSoon } from '#web/soon.ts'
import { createKeyedStore } from '#web/store.ts'
import { privateChat, privateChatEvents } from '../addresses.ts'
import type { PrivateMessage } from '../contract.ts'
import { startPrivateOutbox } from './outbox.ts'
import { pathOf, peerOf, readAgain, takeMessages, takePosition } from './threads.ts'

/** What is missed for longer than this is told by the counters alone. */
const NEWS_MS = 60_000
/** How long somebody is shown as writing without a repeat. */
const TYPING_MS = 8000

const typing = createKeyedStore<string, readonly string[]>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Who writes or records in a conversation, by name. */
export const useTypists = (peer: Peer): readonly string[] => typing.use(pathOf(peer)) ?? []

function note(key: string, name: string, isTyping: boolean): void {
  const others = (typing.get(key) ?? []).filter((one) => one !== name)
  typing.set(key, isTyping ? [...others, name] : others.length > 0 ? others : undefined)
  clearTimeout(timers.get(`${key} ${name}`))
  if (isTyping)
    timers.set(
      `${key} ${name}`,
      setTimeout(() => note(key, name, false), TYPING_MS),
    )
}

/** Keeps counter, lists and conversations in step with the server, and tells of what comes. */
export function startPrivateChat(): void {
  startPrivateOutbox()
  on(privateChatEvents.create, (message, missed) => {
    const peer = peerOf(message)
    takeMessages(peer, [message])
    note(pathOf(peer), message.senderName, false)
    changedSoon()
    if (!missed && message.senderId !== viewer().userId) void announce(peer, message)
  })
  on(privateChatEvents.update, (message) => {
    takeMessages(peerOf(message), [message])
    changedSoon()
  })
  on(privateChatEvents.read, ({ people, groupId, ...position }) => {
    const me = viewer().userId
    const other = people.find((id) => id !== me)
    const peer = groupId === null ? { id: other!, isGroup: false } : { id: groupId, isGroup: true }
    takePosition(peer, position)
    if (position.userId !== me) return
    closeNotice(pathOf(peer))
    changedSoon()
  })
  on(privateChatEvents.typing, ({ userId, name, groupId, state }) =>
    note(
      pathOf(groupId === null ? { id: userId, isGroup: false } : { id: groupId, isGroup: true }),
      name,
      state !== 'paused',
    ),
  )
  onResync(readAgain)
  onResync(changedSoon)
  onReconnect(changedSoon)
  onPermissions(changedSoon)
  changedSoon()
}

const changedSoon = createSoon(() => void count(), 300, 1500)

async function count(): Promise<void> {
  if (!may('private-chat:use')) return privateUnread.set(0)
  void queryClient.invalidateQueries({ queryKey: [privateChat.list.family] })
  try {
    const options = { quiet: true }
    const [one, teams] = await Promise.all([
      call(privateChat.unread, {}, options),
      call(privateChat.unreadOfGroups, {}, options),
    ])
    privateUnread.set(one.count + teams.count.count)
  } catch {
    // The number stays until something is told again.
  }
}

/** A sound and a notice of what a colleague wrote, where the person wants them and does not look at it. */
async function announce(peer: Peer, message: PrivateMessage): Promise<void> {
  if (!isElected() || Date.now() - message.timestamp > NEWS_MS) return
  const preferences = readPreferences()
  const now = new Date()
  if (isQuiet(preferences, { hour: now.getHours(), minute: now.getMinutes() })) return
  const presence = await allPresence()
  if (presence.has(foregroundOf(pathOf(peer)))) return
  if (isSettingOn('notificationSilenced') && preferences.soundMessage && !presence.has(RECORDING))
    void import('#web/alerts/sounds.ts').then(({ play }) => play('message', preferences.volume))
  if (!preferences.notices || presence.has(VISIBLE)) return
  const text = previewOf({ type: message.mediaType, body: plainText(message.text), mediaName: message.mediaName })
  showNotice({ tag: pathOf(peer), title: message.senderName, text }, () => openPath(pathOf(peer)))
}
