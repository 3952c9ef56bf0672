import type { Namespace } from 'socket.io'
import { messageEvents } from '#features/conversations/message-events-contract.ts'
import { ticketEvents } from '#features/conversations/tickets-contract.ts'
import { AppError } from '#kit/errors.ts'
import type { EventSpec, Payload } from '#kit/events.ts'
import { insist } from '#server/db/insist.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import type { Change } from '#server/realtime/audience.ts'
import type { VisitorMessage, VisitorStatus, VisitorTyping } from '../contract.ts'
import { asVisitorSees, report } from './conversation.ts'
import { joinedBy, messagesById, ownLast } from './queries.ts'
import { conversationOfTicket, type Visitor, visitorOf } from './visitors.ts'

type VisitorEvents = {
  message: (message: VisitorMessage, received: (error: Error | null) => void) => void
  status: (status: VisitorStatus) => void
  typing: (typing: VisitorTyping) => void
  closed: () => void
}
type VisitorSockets = Namespace<Record<string, never>, VisitorEvents, Record<string, never>, Visitor>

const ACK_MS = 10_000
/** So long a change waits for messages that cannot be read. */
const TOUCH_MS = 60_000
const tenantRoom = (tenantId: number): string => `t${tenantId}`

const isA = <E extends EventSpec>(change: Change, event: E): change is Change & { payload: Payload<E> } =>
  change.channel === event.channel && change.type === event.type

/**
 * Lets visitors' sockets in and tells them what the changes feed says about their conversation: each process does so for
 * the sockets that it holds, whoever committed. They are let go when the server closes, which would wait for them.
 */
export function openVisitorSockets(platform: Platform, { http, io }: Parts): void {
  const sockets: VisitorSockets = io.of('/webchat')
  sockets.use((socket, next) => {
    const { auth, headers, address } = socket.handshake
    const forwarded = platform.env.TRUST_PROXY && headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim()
    visitorOf(platform, auth['visitorToken'], forwarded || address).then(
      (visitor) => {
        Object.assign(socket.data, visitor)
        next()
      },
      (error) => next(new Error(error instanceof AppError ? error.code : 'ERR_UNIDENTIFIED')),
    )
  })
  sockets.on('connection', (socket) => {
    socket.join([tenantRoom(socket.data.tenantId), socket.data.visitorId])
  })
  const turns = new Map<number, Promise<void>>()
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    if (!sockets.adapter.rooms.has(tenantRoom(tenantId))) return
    const turn = (turns.get(tenantId) ?? Promise.resolve())
      .then(async () => {
        for (const change of changes) await insist(TOUCH_MS, () => publish(platform, sockets, tenantId, change))
      })
      .catch((err) => platform.log.error({ err, tenantId }, 'visitors could not be told'))
      .finally(() => turns.get(tenantId) === turn && turns.delete(tenantId))
    turns.set(tenantId, turn)
  })
  http.addHook('preClose', async () => {
    unsubscribe()
    sockets.disconnectSockets(true)
  })
}

/** The visitor of a ticket, when it is a webchat and the visitor is connected here. */
async function presentVisitor(platform: Platform, sockets: VisitorSockets, tenantId: number, ticketId: number) {
  const conversation = await conversationOfTicket(platform, tenantId, ticketId)
  const isHere = (id: string) => sockets.adapter.rooms.has(id)
  if (!conversation || isHere(conversation.visitorId)) return conversation && { ...conversation, tenantId }
  const visitorId = await platform.db.read(tenantId, (db) => joinedBy(db, conversation.visitorId))
  return visitorId !== null && isHere(visitorId) ? { ...conversation, tenantId, visitorId } : null
}

async function publish(platform: Platform, sockets: VisitorSockets, tenantId: number, change: Change): Promise<void> {
  const present = (ticketId: number) => presentVisitor(platform, sockets, tenantId, ticketId)
  const shown = [messageEvents.create, messageEvents.update, messageEvents.remove].find((event) => isA(change, event))
  if (shown && isA(change, shown)) {
    const { message } = change.payload
    const visitor = await present(message.ticketId)
    if (visitor) await publishMessage(platform, sockets, visitor, message.id)
  } else if (isA(change, messageEvents.ack)) {
    const { id, ticketId, status } = change.payload
    const visitor = await present(ticketId)
    if (visitor && status === 'sent') await publishMessage(platform, sockets, visitor, id)
    if (visitor && status === 'read') sockets.to(visitor.visitorId).emit('status', { ids: [id], status })
  } else if (isA(change, messageEvents.presence)) {
    const { ticketId, state, who } = change.payload
    const visitor = who && (await present(ticketId))
    if (!visitor || state === 'viewing') return
    const isWriting = state === 'composing' || state === 'recording'
    sockets.to(visitor.visitorId).emit('typing', { state: isWriting ? 'composing' : 'paused', author: who.name })
  } else if (isA(change, ticketEvents.delta) || isA(change, ticketEvents.update)) {
    const { id, unreadMessages, status } = change.payload
    const visitor = await present(id)
    if (!visitor) return
    if (unreadMessages === 0) {
      const own = await platform.db.read(tenantId, (db) => ownLast(db, id))
      const upTo = own[0]?.timestamp.getTime()
      sockets
        .to(visitor.visitorId)
        .emit('status', { ids: own.map((one) => one.id), status: 'read', ...(upTo && { upTo }) })
    }
    if (status === 'closed') sockets.to(visitor.visitorId).emit('closed')
  }
}

/** Shows a message on every open page of the visitor; the first that confirms makes it delivered. */
async function publishMessage(
  platform: Platform,
  sockets: VisitorSockets,
  visitor: Visitor,
  id: string,
): Promise<void> {
  const [row] = await platform.db.read(visitor.tenantId, (db) => messagesById(db, [id]))
  if (!row) return
  const message = asVisitorSees(platform, visitor.tenantId, row)
  let isDelivered = !row.fromMe || row.status !== 'sent'
  for (const socketId of sockets.adapter.rooms.get(visitor.visitorId) ?? []) {
    sockets.sockets
      .get(socketId)
      ?.timeout(ACK_MS)
      .emit('message', message, (error) => {
        if (error || isDelivered) return
        isDelivered = true
        report(platform, visitor, 'delivered', [id]).catch((err) => platform.log.warn({ err }, 'receipt not recorded'))
      })
  }
}
