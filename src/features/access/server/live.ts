import type { Socket } from 'socket.io'
import { numberPair } from '#domain/text.ts'
import { findLostTickets } from '#features/visibility/server/index.ts'
import { permissionEvents } from '#kit/permission-events.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, accessOf } from '#server/actors.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import { sessionOf, userRoom } from '#server/realtime/sockets.ts'
import { sessionPermissionsOf } from '#server/session-permissions.ts'

/** Maximum number of tickets that one event lists as no longer visible; the browser reloads its lists anyway. */
const MOST_LOST = 500

type Rights = { readonly actor: Actor; readonly settings: TenantSettings }

/**
 * Watches the permissions of users connected to this process. When a cached user or tenant becomes stale, they are notified
 * of changed permissions and of tickets no longer visible (decision B25); users without access are disconnected.
 */
export function watchPermissions(platform: Platform, { io }: Parts): void {
  const present = new Map<string, Rights>()

  const sockets = (key: string) => io.in(roomOf(key))

  async function arrive(socket: Socket): Promise<void> {
    const { tenantId, userId } = sessionOf(socket)
    const key = `${tenantId}:${userId}`
    socket.on('disconnect', () => {
      if (!io.sockets.adapter.rooms.has(roomOf(key))) present.delete(key)
    })
    if (present.has(key)) return
    const rights = await rightsNow(platform, key)
    if (rights && socket.connected && !present.has(key)) present.set(key, rights)
  }

  async function review(key: string): Promise<void> {
    const after = await rightsNow(platform, key)
    const before = present.get(key)
    if (!before) return
    if (!after) {
      present.delete(key)
      sockets(key).disconnectSockets(true)
      return
    }
    present.set(key, after)
    if (signatureOf(before) === signatureOf(after)) return
    const { tenantId } = after.actor
    const publish = (channel: string, type: string, payload: object) =>
      sockets(key).emit(`${tenantId}:${channel}`, { type, payload, seq: null })
    publish(permissionEvents.changed.channel, permissionEvents.changed.type, {})
    const criteria = { before: accessOf(before.actor, before.settings), after: accessOf(after.actor, after.settings) }
    if (JSON.stringify(criteria.before) === JSON.stringify(criteria.after)) return
    const lost = await platform.db.read(tenantId, (db) => findLostTickets(db, criteria, MOST_LOST))
    for (const id of lost) publish('ticketList', 'ticket:gone', { id })
  }

  const reviewSafely = (key: string) =>
    review(key).catch((err) => platform.log.error({ err, user: key }, 'rights not told'))

  io.on('connection', (socket) => void arrive(socket).catch((err) => platform.log.error({ err }, 'rights unread')))
  platform.bus.onStale((what) => {
    const [kind, key = ''] = what.split(' ')
    const concerned =
      kind === 'actors'
        ? [key]
        : kind === 'settings'
          ? [...present.keys()].filter((one) => one.startsWith(`${key}:`))
          : []
    for (const one of concerned) void reviewSafely(one)
  })
  platform.bus.onMissed(async (state) => {
    if (state === 'recovered') for (const one of [...present.keys()]) await reviewSafely(one)
  })
}

async function rightsNow(platform: Platform, key: string): Promise<Rights | null> {
  for (;;) {
    const actor = await platform.actors.get(key)
    if (!actor) return null
    const tenant = String(actor.tenantId)
    const settings = await platform.settings.get(tenant)
    // Entries that became stale during the reading are read again; of two concurrent reviews the later one may end first.
    if (platform.actors.peek(key) !== actor || platform.settings.peek(tenant) !== settings) continue
    return settings.tenantStatus === 'active' ? { actor, settings } : null
  }
}

const roomOf = (key: string): string => {
  const [tenantId, userId] = numberPair(key, ':')
  return userRoom(tenantId, userId)
}

/** Returns a comparable text of the permissions that a browser knows and its lists depend on. */
const signatureOf = ({ actor, settings }: Rights): string =>
  JSON.stringify([
    sessionPermissionsOf({ ...actor, queues: actor.queueIds.map((id) => ({ id, queue: '' })) }, settings),
    actor.connectionIds,
    accessOf(actor, settings),
  ])
