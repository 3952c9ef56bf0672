import type { Namespace } from 'socket.io'
import { messageEvents } from '#features/ledger/message-events-contract.ts'
import { type TicketDelta, ticketEvents } from '#features/ledger/ticket-rows.ts'
import { AppError } from '#kit/errors.ts'
import type { EventSpec, Payload } from '#kit/events.ts'
import { insist } from '#server/db/insist.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import type { Change } from '#server/realtime/audience.ts'
import type { VisitorMessage, VisitorStatus, VisitorTyping } from '../contract.ts'
import { asVisitorSees, report } from './conversation.ts'
import { type Conversation, conversationOf, joinedBy, messagesById, ownLast } from './queries.ts'
import { isWebchat, rememberChannel, TOKEN_NEWS, type Visitor, visitorOf, type Whose } from './visitors.ts'

type VisitorEvents = {
  message: (message: VisitorMessage, received: (error: Error | null) => void) => void
  status: (status: VisitorStatus) => void
  typing: (typing: VisitorTyping) => void
  closed: () => void
}
type VisitorSockets = Namespace<Record<string, never>, VisitorEvents, Record<string, never>, Visitor>

const ACK_MS = 10_000
/** Maximum time for retries of pushing a change while the messages cannot be read. */
const TOUCH_MS = 60_000
const tenantRoom = (tenantId: number): string => `t${tenantId}`

const isA = <E extends EventSpec>(change: Change, event: E): change is Change & { payload: Payload<E> } =>
  change.channel === event.channel && change.type === event.type

/**
 * Accepts visitors' sockets and pushes changes of their conversations from the changes feed; each process serves its own
 * sockets. They are closed with the server, which would otherwise wait for them.
 */
export function openVisitorSockets(platform: Platform, { http, io }: Parts): void {
  const sockets: VisitorSockets = io.of('/webchat')
  sockets.use((socket, next) => {
    const { auth, headers, address } = socket.handshake
    const forwarded = platform.env.TRUST_PROXY && headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim()
    visitorOf(platform, auth['visitorToken'], forwarded || address, true).then(
      (visitor) => {
        Object.assign(socket.data, visitor)
        next()
      },
      (error) => next(new Error(error instanceof AppError ? error.code : 'ERR_UNIDENTIFIED')),
    )
  })
  sockets.on('connection', (socket) => {
    socket.join([tenantRoom(socket.data.tenantId), socket.data.visitorId, `${TOKEN_NEWS}${socket.data.tokenHash}`])
  })
  platform.bus.onStale((what) => {
    if (what.startsWith(TOKEN_NEWS)) sockets.in(what).disconnectSockets(true)
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

/** Returns the visitor of a conversation if connected to this process. */
async function presentVisitor(
  platform: Platform,
  sockets: VisitorSockets,
  { tenantId, connectionId, visitorId }: Whose,
): Promise<Whose | null> {
  const isHere = (id: string) => sockets.adapter.rooms.has(id)
  if (isHere(visitorId)) return { tenantId, connectionId, visitorId }
  const joined = await platform.db.read(tenantId, (db) => joinedBy(db, visitorId))
  return joined !== null && isHere(joined) ? { tenantId, connectionId, visitorId: joined } : null
}

async function publish(platform: Platform, sockets: VisitorSockets, tenantId: number, change: Change): Promise<void> {
  const present = (of: Conversation) => presentVisitor(platform, sockets, { ...of, tenantId })
  const isVisitors = (ticketId: number) => isWebchat(platform, tenantId, ticketId)
  const shown = [messageEvents.create, messageEvents.update, messageEvents.remove].find((event) => isA(change, event))
  if (shown && isA(change, shown)) {
    const { message } = change.payload
    if (await isVisitors(message.ticketId)) await publishMessage(platform, sockets, tenantId, message.id)
  } else if (isA(change, messageEvents.ack)) {
    const { id, ticketId, status } = change.payload
    if ((status !== 'sent' && status !== 'read') || !(await isVisitors(ticketId))) return
    if (status === 'sent') return publishMessage(platform, sockets, tenantId, id)
    const [row] = await platform.db.read(tenantId, (db) => messagesById(db, [id]))
    const visitor = row && (await present(row))
    if (visitor) sockets.to(visitor.visitorId).emit('status', { ids: [id], status })
  } else if (isA(change, messageEvents.presence)) {
    const { ticketId, state, who } = change.payload
    if (!who || state === 'viewing' || !(await isVisitors(ticketId))) return
    const conversation = await platform.db.read(tenantId, (db) => conversationOf(db, ticketId))
    const visitor = conversation && (await present(conversation))
    if (!visitor) return
    const isWriting = state === 'composing' || state === 'recording'
    sockets.to(visitor.visitorId).emit('typing', { state: isWriting ? 'composing' : 'paused', author: who.name })
  } else if (isA(change, ticketEvents.delta) || isA(change, ticketEvents.update)) {
    const { id } = change.payload
    if (isA(change, ticketEvents.update)) rememberChannel(platform, tenantId, id, change.payload.channel)
    if (await isVisitors(id)) await publishTicket(platform, sockets, tenantId, change.payload)
  }
}

/** Publishes to a ticket's visitors what the team has read, and that the ticket is closed. */
async function publishTicket(
  platform: Platform,
  sockets: VisitorSockets,
  tenantId: number,
  { id, unreadMessages, status }: TicketDelta,
): Promise<void> {
  if (unreadMessages !== 0 && status !== 'closed') return
  const { conversation, own } = await platform.db.read(tenantId, async (db) => ({
    conversation: await conversationOf(db, id),
    own: Map.groupBy(await ownLast(db, id), ({ visitorId }) => visitorId),
  }))
  if (!conversation) return
  for (const visitorId of new Set([conversation.visitorId, ...own.keys()])) {
    const visitor = await presentVisitor(platform, sockets, { ...conversation, tenantId, visitorId })
    if (!visitor) continue
    const read = unreadMessages === 0 ? (own.get(visitorId) ?? []) : []
    const upTo = read[0]?.timestamp.getTime()
    if (upTo) sockets.to(visitor.visitorId).emit('status', { ids: read.map((one) => one.id), status: 'read', upTo })
    if (status === 'closed') sockets.to(visitor.visitorId).emit('closed')
  }
}

/** Sends a message to every open page of its visitor; the first confirmation marks it as delivered. */
async function publishMessage(
  platform: Platform,
  sockets: VisitorSockets,
  tenantId: number,
  id: string,
): Promise<void> {
  const [row] = await platform.db.read(tenantId, (db) => messagesById(db, [id]))
  const visitor = row && (await presentVisitor(platform, sockets, { tenantId, ...row }))
  if (!visitor) return
  const message = asVisitorSees(platform, tenantId, row)
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
