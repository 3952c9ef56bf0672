import { isOneOf } from '../keys.ts'
import type { MessageStatus } from '../messages/status.ts'

/** Status of a dispatch: draft, scheduled, sending, paused, canceled, done. */
export const DISPATCH_STATUSES = ['pending', 'scheduled', 'processing', 'paused', 'canceled', 'finished'] as const
export type DispatchStatus = (typeof DISPATCH_STATUSES)[number]

/** Transitions of a dispatch: the states that permit each, and the new state (null: unchanged, or deleted). */
export const DISPATCH_MOVES = {
  start: { from: ['pending', 'canceled'], to: 'scheduled' },
  begin: { from: ['scheduled'], to: 'processing' },
  pause: { from: ['scheduled', 'processing'], to: 'paused' },
  resume: { from: ['paused'], to: 'scheduled' },
  cancel: { from: ['scheduled', 'paused'], to: 'canceled' },
  finish: { from: ['processing', 'paused'], to: 'finished' },
  skip: { from: ['processing', 'paused'], to: null },
  edit: { from: ['pending', 'canceled'], to: null },
  remove: { from: ['pending', 'scheduled', 'canceled'], to: null },
} as const satisfies Record<string, { from: readonly DispatchStatus[]; to: DispatchStatus | null }>
export type DispatchMove = keyof typeof DISPATCH_MOVES

/** Whether a dispatch with this status allows a move. */
export const mayMove = (status: DispatchStatus, move: DispatchMove): boolean =>
  isOneOf(DISPATCH_MOVES[move].from, status)

/** States of a recipient: not sent yet, queued, then the state of the message. */
export const ITEM_STATES = ['waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'skipped'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** Display names of recipient states. */
export const ITEM_STATE_NAMES: Readonly<Record<ItemState, string>> = {
  waiting: 'Na fila',
  queued: 'Enviando',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  failed: 'Falhou',
  uncertain: 'Incerta',
  skipped: 'Não enviada',
}

/** Counts of a dispatch: recipients by state, and those who replied, clicked a link or opted out. */
export type DispatchCounts = Readonly<Record<ItemState | 'replied' | 'optedOut' | 'clicked', number>>

/** Recipient state by message status. */
export const STATE_OF: Readonly<Record<MessageStatus, ItemState>> = {
  pending: 'queued',
  queued: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  received: 'read',
  failed: 'failed',
  canceled: 'failed',
  uncertain: 'uncertain',
}

/** Returns the recipient state for a message status. */
export const stateOfMessage = (status: MessageStatus): ItemState => STATE_OF[status]
