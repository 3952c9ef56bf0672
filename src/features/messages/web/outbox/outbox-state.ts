import type { Mention } from '#domain/messages/mentions.ts'
import type { FileWish } from '#domain/messages/outgoing-files.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'

/** A file on its way out. */
export type OutboxFile = {
  blob: Blob
  name: string
  mime: string
  size: number
  durationMs: number | null
  /** Requested conversion of the file; null leaves it as it is. */
  wish: FileWish | null
  /** It may be seen or heard once. */
  once?: boolean
  /** The album to which it belongs, with how many pictures and films that has. */
  album?: { readonly id: string; readonly images: number; readonly videos: number }
  width: number | null
  height: number | null
}

/**
 * A message that the server has not confirmed: written, kept in the browser, and sent with its `idFront` until it is.
 * `waiting`: next in line or without a connection; `sending`: on its way (`progress` 0–1 for files); `refused`: the server
 * said no, with the code; only a person moves it on.
 */
export type OutboxItem = {
  idFront: string
  ticketId: number
  userId: number
  userName: string
  body: string
  isNote: boolean
  /** Sent as from a human agent, outside of the window. */
  isHumanAgent?: boolean
  /** Whom a note mentions, as far as they were picked. */
  named?: readonly Mention[]
  quoted: MessageRow['quotedMsg']
  /** Of a mail: who gets it and what it is about, as the server takes it. */
  mail?: string | null
  file: OutboxFile | null
  createdAt: number
  state: 'waiting' | 'sending' | 'refused'
  progress: number | null
  /** The sentence of the refusal. */
  error: string | null
}

/** The item that may leave next for each conversation: the oldest, unless it is on its way; a refused one steps aside. */
export function nextToSend(items: readonly OutboxItem[]): OutboxItem[] {
  const firsts = new Map<number, OutboxItem>()
  for (const item of items) {
    if (item.state === 'refused') continue
    const known = firsts.get(item.ticketId)
    if (!known || item.createdAt < known.createdAt) firsts.set(item.ticketId, item)
  }
  return [...firsts.values()].filter((item) => item.state === 'waiting')
}

/** Returns the outbox items that the server does not have yet. */
export function withoutSent(items: readonly OutboxItem[], sent: readonly Pick<MessageRow, 'idFront'>[]): OutboxItem[] {
  const known = new Set(sent.map((message) => message.idFront))
  return items.filter((item) => !known.has(item.idFront))
}

/** Items with one changed. */
export function patched(items: readonly OutboxItem[], idFront: string, change: Partial<OutboxItem>): OutboxItem[] {
  return items.map((item) => (item.idFront === idFront ? { ...item, ...change } : item))
}
