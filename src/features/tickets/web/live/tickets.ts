import { advance, parseStatus } from '#domain/messages/status.ts'
import { contactEvents, messageEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import type { TicketDelta, TicketRow } from '#features/ledger/ticket-rows.ts'
import { onSent } from '#features/messages/web/outbox/outbox.ts'
import { applyDelta, applyRow, changeRow, removeRow, ticketRow } from '#features/messages/web/ticket/store.ts'
import { forgetTicket, refreshContact, refreshLogs, refreshTicket } from '#features/messages/web/ticket/ticket.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { reconcile, refreshSoon, resyncLists } from '../lists/lists.ts'
import { startMessagesLive } from './messages.ts'

let started = false

/** Starts syncing lists, tickets and conversations with server events; idempotent. */
export function startLive(): void {
  if (started) return
  started = true
  startMessagesLive()
  on(ticketEvents.create, receiveRow)
  on(ticketEvents.update, receiveRow)
  on(ticketEvents.delta, receiveDelta)
  on(messageEvents.create, ({ ticket }) => receiveDelta(ticket))
  on(messageEvents.ack, ({ ticketId, status, isLast }) => {
    const row = ticketRow(ticketId)
    const known = row && parseStatus(row.lastMessageStatus)
    if (isLast && known && row.lastMessageFromMe) changeRow(ticketId, { lastMessageStatus: advance(known, status) })
  })
  on(contactEvents.update, ({ id }) => refreshContact(id))
  on(ticketEvents.rated, ({ id }) => refreshTicket(id))
  on(ticketEvents.detail, ({ id }) => {
    refreshTicket(id)
    refreshLogs(id)
  })
  on(ticketEvents.gone, ({ id }) => {
    removeRow(id)
    reconcile(id)
    forgetTicket(id)
    refreshSoon()
  })
  onSent(receiveDelta)
  onResync(resyncLists)
}

/** Stores a complete ticket row of an event or response. */
export function receiveRow(row: TicketRow): void {
  const before = ticketRow(row.id)
  applyRow(row)
  reconcile(row.id)
  if (!before || hasMoved(before, row)) refreshSoon()
  refreshLogs(row.id)
}

function receiveDelta(delta: TicketDelta): void {
  const before = ticketRow(delta.id)
  const isWhole = applyDelta(delta)
  reconcile(delta.id)
  if (!isWhole || !before || hasMoved(before, delta)) refreshSoon()
}

/** Checks whether a change affects a tab's counter: status, owner, or waiting customer. */
const hasMoved = (before: TicketDelta, after: TicketDelta): boolean =>
  before.status !== after.status ||
  before.userId !== after.userId ||
  before.queueId !== after.queueId ||
  before.snoozedUntil !== after.snoozedUntil ||
  (before.waitingSince === null) !== (after.waitingSince === null)
