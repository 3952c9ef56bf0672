import type { Server, Socket } from 'socket.io'
import type { Actor } from '../actors.ts'
import { isInfrastructure } from '../db/faults.ts'
import { insist } from '../db/insist.ts'
import { actorOf } from '../http/access-token.ts'
import type { Platform } from '../platform.ts'
import { type Change, deliveredForm, envelopeFor } from './audience.ts'

/** Session data of a browser's socket once it is admitted. */
export type SocketSession = {
  tenantId: number
  userId: number
  sessionId: string
  byMasterKey: boolean
  expiresAt: number
}

/** Returns the session of an admitted socket. */
export const sessionOf = (socket: { readonly data: SocketSession }): SocketSession => socket.data

/** Returns the room of all sockets of one user. */
export const userRoom = (tenantId: number, userId: number): string => `t${tenantId}:u${userId}`

const tenantRoom = (tenantId: number) => `t${tenantId}`
/** Returns the room of those who opened an account with the master key. */
const masterKeyRoom = (tenantId: number) => `t${tenantId}:masterkey`

/** Admits browsers, puts each user's sockets into a room, and delivers every change to those who may receive it. */
export function startSockets(platform: Platform, io: Server): () => void {
  io.use((socket, next) => {
    admit(platform, socket).then(
      () => next(),
      (error: unknown) => {
        // A token that could not be checked is not refused: the socket closes, and the browser reconnects by itself.
        if (isInfrastructure(error)) socket.conn.close()
        next(new Error('authentication error'))
      },
    )
  })
  io.on('connection', (socket) => joinRooms(platform, socket))
  const sweep = setInterval(() => {
    const now = platform.now().getTime()
    for (const socket of io.sockets.sockets.values()) {
      const { tenantId, userId, expiresAt } = sessionOf(socket)
      const isGone = platform.actors.peek(`${tenantId}:${userId}`) === null
      if (isGone || expiresAt + 60_000 < now) socket.disconnect(true)
    }
  }, 5000)
  platform.bus.onStale((what) => {
    const [name, session, farewell] = what.split(' ')
    if (name !== 'revokedSessions') return
    for (const socket of io.sockets.sockets.values()) {
      const { tenantId, sessionId } = sessionOf(socket)
      if (session === `${tenantId}:${sessionId}`) dismiss(socket, farewell)
    }
  })
  platform.bus.onMissed((state) => {
    if (state !== 'recovered') return
    for (const socket of io.sockets.sockets.values()) {
      const { tenantId, sessionId } = sessionOf(socket)
      platform.revokedSessions.get(`${tenantId}:${sessionId}`).then(
        (isRevoked) => isRevoked && dismiss(socket, undefined),
        (err) => platform.log.error({ err }, 'session unread'),
      )
    }
  })
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    void deliver(platform, io, tenantId, changes).catch((err) => {
      platform.log.error({ err, tenantId }, 'changes could not be delivered')
      // A page whose socket is closed reconnects and reads what it missed.
      io.in(tenantRoom(tenantId)).disconnectSockets(true)
    })
  })
  return () => {
    clearInterval(sweep)
    unsubscribe()
  }
}

function joinRooms(platform: Platform, socket: Socket): void {
  const session = sessionOf(socket)
  socket.join([userRoom(session.tenantId, session.userId), tenantRoom(session.tenantId)])
  if (session.byMasterKey) socket.join(masterKeyRoom(session.tenantId))
  // A renewed token extends the session of the socket without a reconnect.
  socket.on('renew', async (token: unknown, answer: unknown) => {
    const ok = await renew(platform, socket, token).catch(() => false)
    if (typeof answer === 'function') answer(ok)
  })
  socket.on(`${session.tenantId}:setUserActive`, () => {})
  socket.on(`${session.tenantId}:setUserIdle`, () => {})
}

/**
 * Notifies a device why its session ended (product facts 1.3) and closes its socket; nothing is sent after a logout.
 */
function dismiss(socket: Socket, farewell: string | undefined): void {
  const { tenantId, userId } = sessionOf(socket)
  if (farewell === 'forced')
    socket.emit(`${tenantId}:forceLogout`, { userId, message: 'Nova sessão iniciada em outro dispositivo' })
  else if (farewell !== 'left')
    socket.emit(`sessionInvalidated:${socket.id}`, { message: 'Sessão inválida. Faça login novamente.' })
  socket.disconnect(true)
}

async function admit(platform: Platform, socket: Socket): Promise<void> {
  Object.assign(socket.data, await read(platform, socket.handshake.auth.token))
}

async function read(platform: Platform, token: unknown): Promise<SocketSession> {
  const { actor, claims } = await actorOf(platform, typeof token === 'string' ? token : null)
  const { sessionId, byMasterKey, expiresAt } = claims
  return { tenantId: actor.tenantId, userId: actor.id, sessionId, byMasterKey, expiresAt }
}

async function renew(platform: Platform, socket: Socket, token: unknown): Promise<boolean> {
  const session = sessionOf(socket)
  const next = await read(platform, token)
  if (next.userId !== session.userId || next.tenantId !== session.tenantId) return false
  Object.assign(session, next)
  return true
}

/** Time, in ms, for which changes wait for users that cannot be read. */
const DELIVER_MS = 60_000
const queues = new WeakMap<Server, Map<number, Promise<void>>>()

// One queue per tenant: judging recipients may need a read of users first, and the order has to be kept.
function deliver(platform: Platform, io: Server, tenantId: number, changes: readonly Change[]): Promise<void> {
  const turns = queues.get(io) ?? new Map<number, Promise<void>>()
  queues.set(io, turns)
  const turn = (turns.get(tenantId) ?? Promise.resolve()).then(() =>
    insist(DELIVER_MS, () => deliverNow(platform, io, tenantId, changes)),
  )
  turns.set(
    tenantId,
    turn.catch(() => {}),
  )
  return turn
}

async function deliverNow(platform: Platform, io: Server, tenantId: number, changes: readonly Change[]): Promise<void> {
  const asked = presentUsers(io, tenantId)
  if (asked.size === 0) return
  const settings = await platform.settings.get(String(tenantId))
  const actors = (await Promise.all([...asked].map((id) => platform.actors.get(`${tenantId}:${id}`)))).filter(
    (actor): actor is Actor => actor !== null,
  )
  // Users who connected during the read are not judged yet: the room of all is used only if everyone in it was judged.
  const present = presentUsers(io, tenantId)
  const isJudged = [...present].every((id) => asked.has(id))
  for (const change of changes) {
    for (const kind of ['event', 'masked', 'gone'] as const) {
      const recipients = actors.filter(
        (actor) => present.has(actor.id) && deliveredForm(change, actor, settings) === kind,
      )
      if (recipients.length === 0) continue
      const { channel, envelope } = envelopeFor(change, kind)
      const isForAll = kind === 'event' && isJudged && recipients.length === present.size
      const target = io.to(isForAll ? tenantRoom(tenantId) : recipients.map((actor) => userRoom(tenantId, actor.id)))
      const isPersonal = change.audience.kind === 'users' && change.audience.isPersonal
      const reached = isPersonal ? target.except(masterKeyRoom(tenantId)) : target
      reached.emit(`${tenantId}:${channel}`, envelope)
    }
  }
}

function presentUsers(io: Server, tenantId: number): Set<number> {
  const present = new Set<number>()
  for (const id of io.sockets.adapter.rooms.get(tenantRoom(tenantId)) ?? []) {
    const socket = io.sockets.sockets.get(id)
    if (socket) present.add(sessionOf(socket).userId)
  }
  return present
}
