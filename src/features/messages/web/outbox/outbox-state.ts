import type { Mention } from '#domain/messages/mentions.ts'
import type { FileWish } from '#domain/messages/outgoing-files.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'

/** File of an outbox item. */
export type OutboxFile = {
  blob: Blob
  name: string
  mime: string
  size: number
  durationMs: number | null
  /** Requested conversion of the file; null leaves it as it is. */
  wish: FileWish | null
  /** Sent as view once. */
  once?: boolean
  /** Album of the file, with its numbers of pictures and films. */
  album?: { readonly id: string; readonly images: number; readonly videos: number }
  width: number | null
  height: number | null
}

/**
 * Outbox item: message that the server has not confirmed, stored in the browser and sent with its `idFront` until it is.
 * `waiting`: queued or offline; `sending`: in transit (`progress` 0–1 for files); `refused`: rejected with a code, until a
 * person retries or discards it.
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
  /** Mentions of a note that were picked from the list. */
  named?: readonly Mention[]
  quoted: MessageRow['quotedMsg']
  /** Serialised subject and recipients of a mail, as the server takes them. */
  mail?: string | null
  file: OutboxFile | null
  createdAt: number
  state: 'waiting' | 'sending' | 'refused'
  progress: number | null
  /** Text of the refusal. */
  error: string | null
}

/** Returns the outbox items that the server does not have yet. */
export function withoutSent(items: readonly OutboxItem[], sent: readonly Pick<MessageRow, 'idFront'>[]): OutboxItem[] {
  const known = new Set(sent.map((message) => message.idFront))
  return items.filter((item) => !known.has(item.idFront))
}

/** Returns the items with one of them changed. */
export function patched(items: readonly OutboxItem[], idFront: string, change: Partial<OutboxItem>): OutboxItem[] {
  return items.map((item) => (item.idFront === idFront ? { ...item, ...change } : item))
}
