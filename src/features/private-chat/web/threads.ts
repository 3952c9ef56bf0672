import { useEffect } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { withMessages, withPositions } from '#domain/private-chat/thread.ts'
import type { Answer } from '#kit/contract.ts'
import { call } from '#web/client.ts'
import { createKeyedStore } from '#web/store.ts'
import { privateChat } from '../addresses.ts'
import type { PrivateMessage, PrivatePosition } from '../contract.ts'
import { pathOf } from './paths.ts'

type Page = Answer<typeof privateChat.list>

/** Conversation as loaded in this tab; `older` is the cursor of the previous page, null: none. */
export type Thread = {
  readonly messages: readonly PrivateMessage[]
  readonly positions: readonly PrivatePosition[]
  readonly older: string | null
  readonly peer: Page['peer']
}

type Known = { readonly thread: Thread | null; readonly error: unknown }

const threads = createKeyedStore<string, Known>()

const read = ({ id, isGroup }: Peer, cursor?: string) =>
  call(privateChat.list, { params: { contactId: id }, query: { isGroup, cursor } }, { quiet: true })

/** Loads the newest page of a conversation; loaded messages are kept if adjacent. */
export async function readThread(peer: Peer): Promise<void> {
  const key = pathOf(peer)
  try {
    const page = await read(peer)
    const known = threads.get(key)?.thread
    const joins = known && page.messages.some(({ id }) => known.messages.some((one) => one.id === id))
    const before = joins ? known.messages : []
    threads.set(key, {
      error: null,
      thread: {
        messages: withMessages(before, page.messages),
        positions: withPositions(known?.positions ?? [], page.positions),
        older: joins ? known.older : page.nextCursor,
        peer: page.peer,
      },
    })
  } catch (error) {
    threads.set(key, { thread: threads.get(key)?.thread ?? null, error })
  }
}

const loading = new Set<string>()

/** Loads the page before the loaded messages. */
export async function readOlder(peer: Peer): Promise<void> {
  const key = pathOf(peer)
  const cursor = threads.get(key)?.thread?.older
  if (!cursor || loading.has(key)) return
  loading.add(key)
  try {
    const page = await read(peer, cursor)
    patch(peer, (thread) => ({
      ...thread,
      messages: withMessages(thread.messages, page.messages),
      older: page.nextCursor,
    }))
  } catch {
    // The page is requested again on scrolling.
  } finally {
    loading.delete(key)
  }
}

function patch(peer: Peer, change: (thread: Thread) => Thread): void {
  const known = threads.get(pathOf(peer))
  if (known?.thread) threads.set(pathOf(peer), { ...known, thread: change(known.thread) })
}

/** Merges received messages into a conversation. */
export const takeMessages = (peer: Peer, messages: readonly PrivateMessage[]): void =>
  patch(peer, (thread) => ({ ...thread, messages: withMessages(thread.messages, messages) }))

/** Merges a user's reading position into a conversation. */
export const takePosition = (peer: Peer, position: PrivatePosition): void =>
  patch(peer, (thread) => ({ ...thread, positions: withPositions(thread.positions, [position]) }))

/** Reloads all loaded conversations, after too many events were missed. */
export function reloadThreads(): void {
  for (const key of threads.keys()) {
    const peer = threads.get(key)?.thread?.peer
    if (peer) void readThread(peer)
  }
}

/** Returns a conversation, loaded on first use. */
export function useThread(peer: Peer): Known | undefined {
  const key = pathOf(peer)
  const { id, isGroup } = peer
  useEffect(() => void readThread({ id, isGroup }), [id, isGroup])
  return threads.use(key)
}
