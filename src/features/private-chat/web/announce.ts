import { isQuiet } from '#domain/calendar/quiet.ts'
import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { isElected } from '#web/alerts/election.ts'
import { showNotice } from '#web/alerts/notices.ts'
import { allPresence, foregroundOf, RECORDING, VISIBLE } from '#web/alerts/presence.ts'
import { play } from '#web/alerts/sounds.ts'
import { readPreferences } from '#web/preferences.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { openPath } from '#web/shell/route.ts'
import type { PrivateMessage } from '../contract.ts'
import { pathOf } from './paths.ts'

/** Maximum age of a message that is announced; older ones are only counted. */
const NEWS_MS = 60_000

/** Plays a sound and shows a notification for a colleague's message, if the user has them enabled and is not looking at it. */
export async function announce(peer: Peer, message: PrivateMessage): Promise<void> {
  if (!isElected() || Date.now() - message.timestamp > NEWS_MS) return
  const preferences = readPreferences()
  const now = new Date()
  if (isQuiet(preferences, { hour: now.getHours(), minute: now.getMinutes() })) return
  const presence = await allPresence()
  if (presence.has(foregroundOf(pathOf(peer)))) return
  if (isSettingOn('notificationSilenced') && preferences.soundMessage && !presence.has(RECORDING))
    void play('message', preferences.volume)
  if (!preferences.notices || presence.has(VISIBLE)) return
  const text = previewOf({ type: message.mediaType, body: plainText(message.text), mediaName: message.mediaName })
  showNotice({ tag: pathOf(peer), title: message.senderName, text }, () => openPath(pathOf(peer)))
}
