import { isOneOf } from '../keys.ts'
import type { MessageStatus } from '../messages/status.ts'

/** Status of a dispatch: draft, scheduled, sending, paused, canceled, done. */
export const DISPATCH_STATUSES = ['pending', 'scheduled', 'processing', 'paused', 'canceled', 'finished'] as const
export type DispatchStatus = (typeof DISPATCH_STATUSES)[number]

/** Transitions of a dispatch: source states and target (null: unchanged, or deleted). */
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

/** States of a recipient: not written to yet, on its way, and how far the message came. */
export const ITEM_STATES = ['waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'skipped'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** Portuguese names of the recipient states. */
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

/** Counts of a dispatch: recipients by state, and those who answered, opened a link, or opted out since. */
export type DispatchCounts = Readonly<Record<ItemState | 'replied' | 'optedOut' | 'clicked', number>>

/** The state of a recipient by the status of their message. */
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

/** The state of a recipient whose message has a status. */
export const stateOfMessage = (status: MessageStatus): ItemState => STATE_OF[status]
