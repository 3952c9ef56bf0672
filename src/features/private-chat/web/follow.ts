import type { Peer } from '#domain/private-chat/conversation.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'
import { createKeyedStore } from '#web/store.ts'
import { privateChatEvents } from '../addresses.ts'
import { startOutbox } from './outbox.ts'
import { pathOf, peerOf } from './paths.ts'
import { reloadThreads, takeMessages, takePosition } from './threads.ts'

/** Time after which a typing state expires without repetition. */
const TYPING_MS = 8000

const typing = createKeyedStore<string, readonly string[]>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const none: readonly string[] = []

/** Returns the names of users who are typing or recording in a conversation. */
export const useTypists = (peer: Peer): readonly string[] => typing.use(pathOf(peer)) ?? none

function note(key: string, name: string, isTyping: boolean): void {
  const others = (typing.get(key) ?? []).filter((one) => one !== name)
  typing.set(key, isTyping ? [...others, name] : others.length > 0 ? others : undefined)
  clearTimeout(timers.get(`${key} ${name}`))
  if (!isTyping) return
  const fade = setTimeout(() => note(key, name, false), TYPING_MS)
  timers.set(`${key} ${name}`, fade)
}

/** Synchronizes loaded conversations with the server while the chat is visible; returns a function that stops it. */
export function followThreads(): () => void {
  startOutbox()
  const offs = [
    on(privateChatEvents.create, (message) => {
      const peer = peerOf(message)
      takeMessages(peer, [message])
      note(pathOf(peer), message.senderName, false)
    }),
    on(privateChatEvents.update, (message) => takeMessages(peerOf(message), [message])),
    on(privateChatEvents.read, ({ people, groupId, ...position }) => {
      const other = people.find((id) => id !== viewer().userId)
      takePosition(groupId === null ? { id: other!, isGroup: false } : { id: groupId, isGroup: true }, position)
    }),
    on(privateChatEvents.typing, ({ userId, name, groupId, state }) => {
      const peer = groupId === null ? { id: userId, isGroup: false } : { id: groupId, isGroup: true }
      note(pathOf(peer), name, state !== 'paused')
    }),
    onResync(reloadThreads),
  ]
  return () => {
    for (const off of offs) off()
  }
}
