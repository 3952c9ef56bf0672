import { randomUUID } from 'node:crypto'
import { EVERYBODY } from '#features/ledger/server/journal/index.ts'
import { persistentTypes } from '#providers/channels/configs.ts'
import type { ChannelAction } from '#providers/channels/port.ts'
import { isOwner, lockOwner } from '#server/db/ownership.ts'
import type { OpenConnection } from '#server/db/persistent-connection.ts'
import type { Platform } from '#server/platform.ts'
import { ACTION_CHANNEL, PROVIDER_CHANGED, PROXY_CHANGED, STATE_NEWS } from './adapters.ts'
import { ASKED } from './ask.ts'
import { startHosts } from './hosts.ts'
import { type OpenedConnection, openConnection } from './open-connection.ts'
import { takeLeases } from './queries-leases.ts'

/** Poll interval for connections without a holder, in ms; most are notified. */
const LOOK_MS = 2000
/** Reasons to check for changes: a connection, a company or a proxy has changed. */
const REASONS = new Set(['connection', 'settings', PROXY_CHANGED])
/**
 * Topic that hands sending to the connection's holder: `sends <tenant>:<connection> <key>`, with `now` if waiting
 * retries go at once.
 */
const SENDS = 'sends'

const keyOf = ({ tenantId, connectionId }: { tenantId: number; connectionId: number }) => `${tenantId}:${connectionId}`

/** Returns the bus topic for a conversation with something to send. */
export const sendsOf = (
  tenantId: number,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
  isUrgent: boolean,
) => `${SENDS} ${tenantId}:${connectionId} ${encodeURIComponent(conversationKey)}${isUrgent ? ' now' : ''}`

/**
 * Opens the connections assigned to this process (decision 0027), or starts separate processes for them where it can;
 * returns a function that stops and releases them at once. The connections of a process depend on a database session lock:
 * if that is lost, all are closed.
 */
export async function startHost(platform: Platform): Promise<() => Promise<void>> {
  const types = persistentTypes()
  if (types.length === 0) return async () => {}
  if (platform.startHost) return startHosts(platform, types, platform.startHost)
  let session: Session | null = null
  let ended: Promise<unknown> = Promise.resolve()
  const end = (isReleased: boolean) => {
    const over = session
    session = null
    if (over) ended = Promise.all([ended, over.end({ isReleased })])
  }
  const close = await platform.db.persistent('guiche channels', {
    async open(connection) {
      const holder = randomUUID()
      await lockOwner(connection, holder)
      const next = startSession(platform, types, holder, connection)
      session = next
      // Connections held before are closed before new ones are taken.
      void ended.then(() => next.start())
      platform.health.recover('channels')
    },
    lost(code) {
      platform.health.fail('channels', code)
      end(false)
    },
  })
  const unsubscribe = followNews(platform, () => session)
  return async () => {
    unsubscribe()
    end(true)
    await ended
    await close()
    // Ends a session that was being opened meanwhile.
    end(true)
    await ended
  }
}

/**
 * Notifies the connections of this process of relevant changes; `current`: connections held now. Returns a function that
 * stops it.
 */
function followNews(platform: Platform, current: () => Session | null): () => void {
  const followSettings = (isOf: (tenantId: number) => boolean) => {
    for (const one of current()?.opened.values() ?? [])
      if (isOf(one.lease.tenantId))
        one.followSettings().catch((err) => platform.log.warn({ err }, 'what is set for a provider could not be read'))
  }
  platform.bus.onStale((what) => {
    const [kind, key, rest, haste] = what.split(' ')
    const session = current()
    if (kind === SENDS && key && rest) session?.opened.get(key)?.wake(decodeURIComponent(rest), haste === 'now')
    else if (kind === ASKED && key) session?.opened.get(key)?.answer()
    else if (kind === STATE_NEWS && key) session?.opened.get(key)?.look()
    else if (kind === PROVIDER_CHANGED && key) followSettings((tenantId) => String(tenantId) === key)
    else if (kind === 'installation') followSettings(() => true)
    else if (kind && REASONS.has(kind)) session?.look()
  })
  platform.bus.onMissed((state) => {
    if (state !== 'recovered') return
    for (const one of current()?.opened.values() ?? []) {
      one.wake()
      one.answer()
    }
    followSettings(() => true)
  })
  return platform.bus.subscribe((tenantId, changes) => {
    if (tenantId !== EVERYBODY) return
    for (const { channel, payload } of changes) {
      if (channel !== ACTION_CHANNEL) continue
      const action = payload as ChannelAction
      current()
        ?.opened.get(keyOf(action))
        ?.act(action)
        .catch((err) => platform.log.warn({ err, tenantId: action.tenantId }, 'an action on a channel failed'))
    }
  })
}

type Session = ReturnType<typeof startSession>

/** Starts the session of one lock: the connections that this process holds by it. */
function startSession(platform: Platform, types: readonly string[], holder: string, connection: OpenConnection) {
  const opened = new Map<string, OpenedConnection>()
  const ending = new Map<string, Promise<void>>()
  let isOver = false
  let isStarted = false
  let isAsked = false
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  const requireOwnership = () => {
    if (isOver || !isOwner(connection)) throw new Error('this process no longer has its connections')
  }

  function close(key: string, how: Parameters<OpenedConnection['end']>[0]) {
    const ended = opened.get(key)?.end(how)
    opened.delete(key)
    if (ended)
      ending.set(
        key,
        ended.finally(() => ending.delete(key)),
      )
  }

  async function lookOnce() {
    // Resumed after a freeze: its claims would be invalid.
    if (!isOwner(connection)) return
    const most = platform.env.CONNECTIONS_PER_PROCESS
    const found = await platform.db.asPlatform((db) => takeLeases(db, { holder, types, most }))
    if (isOver) return
    const byKey = new Map(found.map((lease) => [keyOf(lease), lease]))
    for (const [key, one] of opened) {
      const lease = byKey.get(key)
      if (!lease || lease.epoch !== one.lease.epoch) close(key, { isReleased: false })
      else if (!lease.isDue) close(key, { isReleased: true, forgetsKeys: lease.forgetsKeys })
      else if (one.isDone()) opened.delete(key)
      else one.changeTo(lease)
    }
    for (const [key, lease] of byKey)
      if (lease.isDue && !opened.has(key) && !ending.has(key))
        opened.set(key, openConnection(platform, lease, { requireOwnership }))
  }

  /** Checks which connections to open or close: now, and once more if requested meanwhile. */
  function look() {
    isAsked = true
    if (!isStarted || isOver) return
    looking ??= (async () => {
      while (isAsked && !isOver) {
        isAsked = false
        await lookOnce().catch((err) => platform.log.warn({ err }, 'connections could not be looked for'))
      }
    })().finally(() => {
      looking = null
      if (isAsked) look()
    })
  }
  return {
    opened,
    look,
    start() {
      if (isOver) return
      isStarted = true
      timer = setInterval(look, LOOK_MS)
      look()
    },
    async end(how: { isReleased: boolean }) {
      isOver = true
      clearInterval(timer)
      await looking
      for (const key of opened.keys()) close(key, how)
      await Promise.all(ending.values())
    },
  }
}
