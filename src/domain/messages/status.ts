import { keysIn } from '../keys.ts'

/**
 * Rank of each outgoing status: receipts only raise it. `canceled`, `uncertain` and `failed` rank below the receipts that
 * would disprove them.
 */
const RANKS = {
  pending: 0,
  queued: 1,
  canceled: 2,
  uncertain: 3,
  sent: 4,
  failed: 5,
  delivered: 6,
  read: 7,
  played: 8,
} as const

/** Status of an outgoing message. */
export type OutgoingStatus = keyof typeof RANKS

/** Status of any message; messages from the contact are always `received`. */
export type MessageStatus = OutgoingStatus | 'received'

/** Message statuses in the order in which an outgoing message passes through them; `received` last. */
export const MESSAGE_STATUSES = [...keysIn(RANKS), 'received'] as const

/** Returns the higher of two statuses, so that late, repeated and reordered receipts have no effect. */
export function advance(current: MessageStatus, next: MessageStatus): MessageStatus {
  if (current === 'received' || next === 'received') return current
  return RANKS[next] > RANKS[current] ? next : current
}

/** Whether a user may request a message to be sent again: it failed, or may not have been sent. */
export function isRetryable(status: MessageStatus): boolean {
  return status === 'failed' || status === 'uncertain' || status === 'canceled'
}

/** Wire value `ack`: −1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. */
export type Ack = -1 | 0 | 1 | 2 | 3 | 4

/** Returns the `ack` of a status; 0 without a receipt, and for received messages. */
export function ackOf(status: MessageStatus): Ack {
  return ACKS[status]
}

/** Returns the status of a provider's `ack` number; null if undefined. */
export function statusOfAck(ack: number): OutgoingStatus | null {
  return BY_ACK[ack] ?? null
}

/** Parses an external status, `sended` (the legacy spelling of `sent`) included; null for anything else. */
export function parseStatus(text: string): MessageStatus | null {
  if (text === 'sended') return 'sent'
  return MESSAGE_STATUSES.find((status) => status === text) ?? null
}

const ACKS: Readonly<Record<MessageStatus, Ack>> = {
  pending: 0,
  queued: 0,
  canceled: 0,
  uncertain: 0,
  received: 0,
  failed: -1,
  sent: 1,
  delivered: 2,
  read: 3,
  played: 4,
}

const BY_ACK: Readonly<Record<number, OutgoingStatus>> = {
  [-1]: 'failed',
  0: 'pending',
  1: 'sent',
  2: 'delivered',
  3: 'read',
  4: 'played',
}
