import { messageEvents, ticketEvents } from '#features/conversations/event-addresses.ts'
import { on, onResync } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'
import { noteAnswer } from '../composer/answers.ts'
import { draftSync } from '../composer/drafts.ts'
import { removeSent, startOutbox } from '../composer/outbox.ts'
import { notePosition } from '../thread/positions.ts'
import { applyToThread, forgetThread, resyncThreads } from '../thread/thread-cache.ts'
import { refreshTicket } from '../ticket.ts'
import { endTyping, notePresence } from './presence.ts'

let started = false

/** Keeps loaded conversations, presence and the outbox in step with the server; from the first call on. */
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
  // What one does oneself, here or elsewhere, is news to nobody on this screen.
  on(messageEvents.presence, (event) => event.who?.id !== viewer().userId && notePresence(event))
  on(ticketEvents.read, ({ id, ...position }) => notePosition(id, position))
  on(ticketEvents.gone, ({ id }) => forgetThread(id))
  onResync(resyncThreads)
  startOutbox()
  void draftSync().then(({ startDrafts }) => startDrafts())
}
