import type { Server, Socket } from 'socket.io'
import type { Actor } from '../actors.ts'
import { actorOf } from '../http/access-token.ts'
import type { Platform } from '../platform.ts'
import { type Change, envelopeFor, hears } from './audience.ts'

type Held = { tenantId: number; userId: number; expiresAt: number }
const userRoom = (tenantId: number, userId: number) => `t${tenantId}:u${userId}`
const tenantRoom = (tenantId: number) => `t${tenantId}`

/** How much may wait for one slow socket before it is dropped and has to ask for what it missed (decision B25). */
const MOST_BUFFERED = 1024 * 1024

/** Lets browsers in, keeps each user in a room of their own, and gives every change to those who may hear it. */
export function startSockets(platform: Platform, io: Server): () => void {
  io.use((socket, next) => {
    admit(platform, socket).then(
      () => next(),
      () => next(new Error('authentication error')),
    )
  })
  io.on('connection', (socket) => {
    const held = socket.data as Held
    socket.join([userRoom(held.tenantId, held.userId), tenantRoom(held.tenantId)])
    // A renewed token prolongs the socket without a reconnect.
    socket.on('renew', (token: unknown, answer?: (ok: boolean) => void) => {
      renew(platform, socket, token).then(
        (ok) => answer?.(ok),
        () => answer?.(false),
      )
    })
    socket.on(`${held.tenantId}:setUserActive`, () => {})
    socket.on(`${held.tenantId}:setUserIdle`, () => {})
  })
  const sweep = setInterval(() => {
    const now = platform.now().getTime()
    for (const socket of io.sockets.sockets.values()) {
      if ((socket.data as Held).expiresAt + 60_000 < now || isStuck(socket)) socket.disconnect(true)
    }
  }, 5000)
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    void deliver(platform, io, tenantId, changes).catch((err) =>
      platform.log.error({ err, tenantId }, 'changes could not be delivered'),
    )
  })
  return () => {
    clearInterval(sweep)
    unsubscribe()
  }
}

async function admit(platform: Platform, socket: Socket): Promise<void> {
  const token = (socket.handshake.auth as { token?: unknown }).token
  const { actor, claims } = await actorOf(platform, typeof token === 'string' ? token : null)
  Object.assign(socket.data, { tenantId: actor.tenantId, userId: actor.id, expiresAt: claims.expiresAt } satisfies Held)
}

async function renew(platform: Platform, socket: Socket, token: unknown): Promise<boolean> {
  const { actor, claims } = await actorOf(platform, typeof token === 'string' ? token : null)
  const held = socket.data as Held
  if (actor.id !== held.userId || actor.tenantId !== held.tenantId) return false
  held.expiresAt = claims.expiresAt
  return true
}

function isStuck(socket: Socket): boolean {
  const { transport } = socket.conn as unknown as { transport?: { socket?: { bufferedAmount?: number } } }
  return (transport?.socket?.bufferedAmount ?? 0) > MOST_BUFFERED
}

const queues = new WeakMap<Server, Map<number, Promise<void>>>()

// One turn per tenant: judging who may hear needs users that may have to be read first, and the order has to hold.
function deliver(platform: Platform, io: Server, tenantId: number, changes: readonly Change[]): Promise<void> {
  const turns = queues.get(io) ?? new Map<number, Promise<void>>()
  queues.set(io, turns)
  const turn = (turns.get(tenantId) ?? Promise.resolve()).then(() => deliverNow(platform, io, tenantId, changes))
  turns.set(
    tenantId,
    turn.catch(() => {}),
  )
  return turn
}

async function deliverNow(platform: Platform, io: Server, tenantId: number, changes: readonly Change[]): Promise<void> {
  const present = new Set<number>()
  for (const id of io.sockets.adapter.rooms.get(tenantRoom(tenantId)) ?? []) {
    const socket = io.sockets.sockets.get(id)
    if (socket) present.add((socket.data as Held).userId)
  }
  if (present.size === 0) return
  const settings = await platform.settings.get(String(tenantId))
  const actors = (await Promise.all([...present].map((id) => platform.actors.get(`${tenantId}:${id}`)))).filter(
    (actor): actor is Actor => actor !== null,
  )
  for (const change of changes) {
    for (const kind of ['event', 'gone'] as const) {
      const rooms = actors
        .filter((actor) => hears(change, actor, settings) === kind)
        .map((actor) => userRoom(tenantId, actor.id))
      if (rooms.length === 0) continue
      const { channel, envelope } = envelopeFor(change, kind)
      const target = kind === 'event' && rooms.length === present.size ? io.to(tenantRoom(tenantId)) : io.to(rooms)
      target.emit(`${tenantId}:${channel}`, envelope)
    }
  }
}
