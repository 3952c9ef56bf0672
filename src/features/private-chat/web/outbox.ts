import type { Peer } from '#domain/private-chat/conversation.ts'
import type { Part } from '#features/messages/web/outbox/attachments.ts'
import type { OutboxFile } from '#features/messages/web/outbox/outbox-state.ts'
import { createSender, type Unsent as UnsentMessage } from '#features/messages/web/outbox/sender.ts'
import type { Answer } from '#kit/contract.ts'
import { uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { createStore } from '#web/store.ts'
import { privateChat } from '../addresses.ts'
import { OUTBOX_KEY, pathOf } from './paths.ts'
import { takeMessages } from './threads.ts'

/** Message of the private chat that the server has not confirmed. */
export type Unsent = UnsentMessage & {
  readonly id: string
  readonly peer: Peer
  readonly text: string
  readonly quotedId: string | null
  readonly file: OutboxFile | null
}

const items = createStore<readonly Unsent[]>([])
let isStarted = false

const { pump, wakeOnReconnect } = createSender<Unsent>({
  items: items.get,
  conversationOf: ({ peer }) => pathOf(peer),
  deliver,
  change: ({ id }, next) => patch(id, next),
})

/** Returns the unsent messages of a conversation, oldest first. */
export const useUnsent = (peer: Peer): readonly Unsent[] =>
  items.use().filter((item) => pathOf(item.peer) === pathOf(peer))

type Saved = Unsent & { readonly userId: number }

const stored = (): Saved[] => {
  try {
    return JSON.parse(localStorage.getItem(OUTBOX_KEY) ?? '[]') as Saved[]
  } catch {
    return []
  }
}

// Texts outlive the page; files do not, so that the page is not left unasked while they are on their way.
function save(next: readonly Unsent[]): void {
  items.set(next)
  const { userId } = viewer()
  const own = next.filter(({ file }) => file === null).map((item) => ({ ...item, userId }))
  const all = [...stored().filter((item) => item.userId !== userId), ...own]
  if (all.length === 0) localStorage.removeItem(OUTBOX_KEY)
  else localStorage.setItem(OUTBOX_KEY, JSON.stringify(all))
}

const patch = (id: string, change: Partial<Unsent>) =>
  save(items.get().map((item) => (item.id === id ? { ...item, ...change } : item)))

/** Adds a message to the outbox; messages are sent in order. */
export function enqueue(peer: Peer, parts: readonly Part[], quotedId: string | null): void {
  const added = parts.map(
    ({ body, file }, index): Unsent => ({
      ...{ id: uuid(), peer, text: body, file, createdAt: Date.now() + index },
      ...{ quotedId: index === 0 ? quotedId : null, state: 'waiting', error: null },
    }),
  )
  save([...items.get(), ...added])
  pump()
}

/** Sends a refused message again. */
export function retry(id: string): void {
  patch(id, { state: 'waiting', error: null })
  pump()
}

/** Discards a refused message. */
export const discard = (id: string): void => save(items.get().filter((item) => item.id !== id))

/** Sends messages left by an earlier page, and waiting ones on reconnection. */
export function startOutbox(): void {
  if (isStarted) return
  isStarted = true
  const left = stored().filter(({ userId }) => userId === viewer().userId)
  items.set([...left.map(({ userId: _, ...item }) => ({ ...item, state: 'waiting' as const })), ...items.get()])
  wakeOnReconnect()
  pump()
}

async function deliver(item: Unsent): Promise<void> {
  const { mensagens } = await post(item)
  takeMessages(item.peer, mensagens)
  discard(item.id)
}

async function post({ id, text, peer, quotedId, file }: Unsent): Promise<Answer<typeof privateChat.send>> {
  const to = peer.isGroup ? { groupId: peer.id } : { receiverId: peer.id }
  const quoting = quotedId ? { quotedId } : {}
  const fields = { id, text, ...to, ...quoting }
  if (!file) return call(privateChat.send, { body: { ...fields, isGroup: peer.isGroup } }, { quiet: true })
  const duration = file.durationMs === null ? {} : { durationMs: String(Math.round(file.durationMs)) }
  const given = Object.fromEntries(
    Object.entries({ ...fields, isGroup: peer.isGroup }).map(([key, value]) => [key, String(value)]),
  )
  const { upload } = await import('#features/messages/web/outbox/upload.ts')
  const { album: _, ...plain } = file
  return upload<Answer<typeof privateChat.send>>(
    privateChat.send.path,
    { ...given, ...duration },
    { ...plain, wish: null },
    () => {},
  )
}
