import { useMemo } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDelta } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { pathOf } from '#kit/addresses.ts'
import { call } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { createStore, createTopic } from '#web/store.ts'
import { adoptSent } from '../cache/thread-cache.ts'
import { removeItem, savedItems, saveItem } from './outbox-db.ts'
import { type OutboxItem, patched, withoutSent } from './outbox-state.ts'
import { createSender } from './sender.ts'

const items = createStore<readonly OutboxItem[]>([])
const sent = createTopic<TicketDelta>()

const { pump, wakeOnReconnect } = createSender<OutboxItem>({
  items: items.get,
  conversationOf: ({ ticketId }) => ticketId,
  deliver,
  change(item, next) {
    change(item.idFront, { ...next, progress: next.state === 'sending' && item.file ? 0 : null })
    const refused = next.state === 'refused' && items.get().find(({ idFront }) => idFront === item.idFront)
    if (refused) void saveItem(refused).catch(() => {})
  },
  repeats: [409],
})

/** Returns the unsent messages of a conversation, oldest first. */
export function useOutbox(ticketId: number): readonly OutboxItem[] {
  const all = items.use()
  return useMemo(() => all.filter((item) => item.ticketId === ticketId), [all, ticketId])
}

/** Subscribes to the ticket changes of send responses, which also arrive without a socket. */
export const onSent = sent.subscribe

/** Queues a message: shows it at once, stores it in the browser, and sends it in order. */
export function enqueue(item: OutboxItem): void {
  items.set([...items.get(), item])
  void saveItem(item).catch(() => {}) // a browser without storage still sends, it only forgets on reload
  pump()
}

/** Retries a refused message. */
export function retryItem(idFront: string): void {
  change(idFront, { state: 'waiting', error: null, progress: null })
  pump()
}

/** Discards an unsent message. */
export function discardItem(idFront: string): void {
  items.set(items.get().filter((item) => item.idFront !== idFront))
  void removeItem(idFront).catch(() => {})
  pump()
}

/** Removes messages that the server has, by its response or by an event. */
export function removeSent(known: readonly Pick<MessageRow, 'idFront'>[]): void {
  const before = items.get()
  const left = withoutSent(before, known)
  if (left.length === before.length) return
  for (const item of before) if (!left.includes(item)) void removeItem(item.idFront).catch(() => {})
  items.set(left)
  pump()
}

/** Waits until every message of a conversation is sent; resolves to false if one was refused. */
export function whenSent(ticketId: number): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const own = items.get().filter((item) => item.ticketId === ticketId)
      if (own.some((item) => item.state !== 'refused')) return
      stop()
      resolve(own.length === 0)
    }
    const stop = items.subscribe(look)
    look()
  })
}

function change(idFront: string, next: Partial<OutboxItem>): void {
  items.set(patched(items.get(), idFront, next))
}

/** Loads messages left by an earlier page and sends while there is a connection. */
export function startOutbox(): void {
  void savedItems()
    .then((stored) => {
      const own = stored.filter((item) => item.userId === viewer().userId)
      const known = new Set(items.get().map((item) => item.idFront))
      const older = own.filter((item) => !known.has(item.idFront))
      const left = older.map((item) => ({ ...item, state: stateAfterReload(item), progress: null }))
      items.set([...left, ...items.get()])
      pump()
    })
    .catch(() => {})
  wakeOnReconnect()
}

const stateAfterReload = (item: OutboxItem): OutboxItem['state'] => (item.state === 'refused' ? 'refused' : 'waiting')

async function deliver(item: OutboxItem): Promise<void> {
  const answer = await post(item)
  adoptSent(item.ticketId, answer.messages)
  sent.publish(answer.ticket)
  removeSent([item, ...answer.messages])
}

async function post(item: OutboxItem) {
  const { idFront, ticketId, body, isNote, isHumanAgent, named = [], quoted, mail, file } = item
  const mentioned =
    isNote && body.includes('@')
      ? await (await import('../mentions/mentionable.ts')).mentionedBy(ticketId, body, named)
      : {}
  const fields = {
    idFront,
    body,
    isNote,
    ...(quoted ? { quotedMsgId: quoted.id } : {}),
    ...mentioned,
    ...(mail ? { mail } : {}),
  }
  const way = isHumanAgent ? { isHumanAgent: 'true' } : {}
  if (!file) return call(messages.send, { params: { ticketId }, body: { ...fields, ...way } }, { quiet: true })
  const duration = file.durationMs === null ? {} : { durationMs: String(Math.round(file.durationMs)) }
  const { upload } = await import('./upload.ts')
  return upload(
    pathOf(messages.send.path, { ticketId }),
    { ...fields, ...way, isNote: String(isNote), ...duration },
    file,
    (progress) => change(idFront, { progress }),
  )
}
