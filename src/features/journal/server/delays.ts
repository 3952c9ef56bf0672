import type { Server, Socket } from 'socket.io'
import { journalEvents } from '#features/ledger/journal-events.ts'
import { type Delay, EVERYBODY, listDelays, onDelays } from '#features/ledger/server/journal/index.ts'
import type { Payload } from '#kit/events.ts'
import { may } from '#server/actors.ts'
import type { Platform } from '#server/platform.ts'

type Shown = Payload<typeof journalEvents.delay>
type DelaySession = { tenantId: number; userId: number; delay?: string }

const NONE = 'null'

/** Publishes to every open browser, while it lasts, that incoming messages are delayed. */
export function publishDelays(platform: Platform, io: Server): void {
  const publish = (socket: Socket) =>
    publishDelay(platform, socket).catch((err) => platform.log.warn({ err }, 'a delay was not told'))
  io.on('connection', (socket) => void publish(socket))
  onDelays(platform, () => {
    for (const socket of io.sockets.sockets.values()) void publish(socket)
  })
}

async function publishDelay(platform: Platform, socket: Socket): Promise<void> {
  const session: DelaySession = socket.data
  const delays = listDelays(platform)
  const payload = delays.length === 0 ? null : await shownTo(platform, session, delays)
  const serialized = JSON.stringify(payload)
  if ((session.delay ?? NONE) === serialized) return
  session.delay = serialized
  const { channel, type } = journalEvents.delay
  socket.emit(`${session.tenantId}:${channel}`, { type, payload, seq: null })
}

async function shownTo(
  platform: Platform,
  { tenantId, userId }: DelaySession,
  delays: readonly Delay[],
): Promise<Shown> {
  const actor = await platform.actors.get(`${tenantId}:${userId}`)
  const settings = await platform.settings.get(String(tenantId))
  if (!actor) return null
  const runsInstallation = may(actor, settings, 'platform:read')
  const isOfAll = delays.some((delay) => delay.tenantId === EVERYBODY)
  const own = delays.find((delay) => delay.tenantId === tenantId || delay.tenantId === EVERYBODY)
  const delay = own ?? (runsInstallation ? delays[0] : undefined)
  if (!delay) return null
  return {
    since: new Date(delay.since).toISOString(),
    cause: may(actor, settings, 'journal:write') ? causeOf(delay.code) : null,
    companies: runsInstallation && !isOfAll ? new Set(delays.map((one) => one.tenantId)).size : null,
  }
}

const causeOf = (code: string): NonNullable<Shown>['cause'] => {
  if (/^(53100|58030|ENOSPC|EDQUOT|EIO|EROFS)$/.test(code)) return 'disk'
  return /^(08|57|25)|^(53300|LOST)$|^E[A-Z]+$/.test(code) ? 'database' : 'other'
}
