import { messageEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import { notePosition } from '#features/messages/web/cache/positions.ts'
import { applyToThread, forgetThread, resyncThreads } from '#features/messages/web/cache/thread-cache.ts'
import { draftSync } from '#features/messages/web/composer/drafts.ts'
import { removeSent, startOutbox } from '#features/messages/web/outbox/outbox.ts'
import { noteAnswer } from '#features/messages/web/ticket/answers.ts'
import { endTyping, notePresence } from '#features/messages/web/ticket/presence.ts'
import { refreshTicket } from '#features/messages/web/ticket/ticket.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'

let started = false

/** Starts syncing loaded conversations, presence and the outbox with server events; idempotent. */
export function startMessagesLive(): void {
  if (started) return
  started = true
  on(messageEvents.create, (payload) => {
    const { message } = payload
    applyToThread(message.ticketId, { type: 'create', payload })
    removeSent([message])
    noteAnswer(message)
    if (message.scheduleDate) refreshTicket(message.ticketId)
    if (!message.fromMe) endTyping(message.ticketId)
  })
  on(messageEvents.update, (payload) => {
    const { ticketId, scheduleDate } = payload.message
    applyToThread(ticketId, { type: 'update', payload })
    if (scheduleDate) refreshTicket(ticketId)
  })
  on(messageEvents.remove, (payload) => applyToThread(payload.message.ticketId, { type: 'update', payload }))
  on(messageEvents.ack, (payload) => applyToThread(payload.ticketId, { type: 'ack', payload }))
  // The user's own presence, here or on another device, is not shown.
  on(messageEvents.presence, (event) => event.who?.id !== viewer().userId && notePresence(event))
  on(ticketEvents.read, ({ id, ...position }) => notePosition(id, position))
  on(ticketEvents.gone, ({ id }) => forgetThread(id))
  onResync(resyncThreads)
  startOutbox()
  void draftSync().then(({ startDrafts }) => startDrafts())
}
