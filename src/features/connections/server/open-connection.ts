import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { StopCause } from '#domain/connections/causes.ts'
import { type ConnectionState, secondsToReopen } from '#domain/connections/status.ts'
import { present } from '#domain/present.ts'
import { channelType } from '#providers/channels/configs.ts'
import {
  type ChannelAction,
  type ChannelAdapter,
  needsPerson,
  sendFailure,
  stopCauseOf,
} from '#providers/channels/port.ts'
import { working } from '#server/at-work.ts'
import { unit } from '#server/context.ts'
import { proxyProblemOf } from '#server/outbound-proxy.ts'
import type { Platform } from '#server/platform.ts'
import { doorOf, localServerOf, makeAdapter, proxyOf, settingsFor, toolsOf } from './adapters.ts'
import { answerRequests } from './answer.ts'
import { changeAbandoned, changeStatus, makeLink } from './link.ts'
import { forgetKeys, type LeasedConnection, releaseLease, requireLease } from './queries-leases.ts'
import { sendingOf } from './sending.ts'

/** Time-out of a channel's first sign while its connection opens, in ms. */
const OPENING_MS = 60_000
/** Time-out of pending sends, and of an adapter's close, before both are abandoned, in ms. */
const END_MS = 3000
/** Time-out of unlinking a device, in ms. */
const LOGOUT_MS = 3000
/** Time-out of ending a connection as a whole, whatever the database does, in ms. */
const MOST_END_MS = 12_000
/** Uptime after which the reconnect back-off resets. */
const SOUND_MS = 60_000

/** Connection held by this process: open, or waiting to be reopened. */
export type OpenedConnection = {
  readonly lease: LeasedConnection
  /** Whether it is no longer retried, because a person has to act. */
  isDone(): boolean
  /** Takes its current data; reopens the connection if they differ. */
  changeTo(lease: LeasedConnection): void
  /** Sends what waits in one conversation, or in any. */
  wake(conversationKey?: string, isUrgent?: boolean): void
  act(action: ChannelAction): Promise<void>
  /** Answers requests of other processes. */
  answer(): void
  /** Asks the provider for the current state. */
  look(): void
  /** Reopens the connection if the settings of its provider have changed. */
  followSettings(): Promise<void>
  /**
   * Closes it within seconds, whatever its provider does; releases the lease with `isReleased`, unlinks the device with
   * `forgetsKeys`.
   */
  end(how: { isReleased: boolean; forgetsKeys?: boolean }): Promise<void>
}

type Outcome = 'changed' | 'lost' | 'proxy' | { readonly stop: StopCause }
type Sending = ReturnType<typeof sendingOf>

/** Keeps a connection open until it is ended: a lost one is reopened after 1 to 60 s, unless a person has to act. */
export function openConnection(
  platform: Platform,
  first: LeasedConnection,
  host: { requireOwnership(): void },
): OpenedConnection {
  const { tenantId, connectionId } = first
  const stop = new AbortController()
  let made = first
  let changed = new AbortController()
  let current: { adapter: ChannelAdapter; sending: Sending; isThrough: boolean; over: Promise<never> } | null = null
  /** Ends the opening, which is then repeated: for unhandled rejections in it. */
  let lose: (error: unknown) => void = () => {}
  let isUnlinked = false
  /** Settings of its provider at the last opening. */
  let settingsNow = '{}'
  const readSettings = () => settingsFor(platform, tenantId, present(channelType(made.type)).config)

  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch((err) =>
      platform.log.warn({ err, tenantId, connectionId }, 'a connection’s status was not written'),
    )
  }

  async function live() {
    let failures = 0
    // If its former holder has died, this counts as an outage, however short.
    await attempt(() => changeAbandoned(platform, made))
    await attempt(() => changeStatus(platform, made, 'open'))
    while (!stop.signal.aborted) {
      changed = new AbortController()
      const { outcome, soundMs } = await once()
      if (stop.signal.aborted) return
      if (typeof outcome === 'object')
        return attempt(() => changeStatus(platform, made, 'end', { cause: outcome.stop }))
      if (outcome === 'changed') {
        failures = 0
        await attempt(() => changeStatus(platform, made, 'open'))
        continue
      }
      failures = soundMs > SOUND_MS ? 1 : failures + 1
      const cause = outcome === 'proxy' ? 'proxy' : 'network'
      await attempt(() => changeStatus(platform, made, 'lost', { cause }))
      const ms = 1000 * secondsToReopen(failures) * (0.8 + Math.random() * 0.2)
      await pause(ms, undefined, { signal: AbortSignal.any([stop.signal, changed.signal]) }).catch(() => {})
    }
  }

  /** Runs one opening, from a new adapter until everything of it is closed. */
  async function once(): Promise<{ outcome: Outcome; soundMs: number }> {
    const { tools, cut, isStoppedByProxy } = trackedTools(platform, made, host)
    const over = Promise.withResolvers<never>()
    over.promise.catch(() => {})
    lose = over.reject
    let soundSince = Number.POSITIVE_INFINITY
    let silence: NodeJS.Timeout | undefined
    let expiry: NodeJS.Timeout | undefined
    let sending: Sending | null = null
    const stopWhereUnread = (state: ConnectionState | null) => {
      if (state?.status === 'DISCONNECTED') over.reject(needsPerson('nobody read the codes', 'unread'))
    }
    const { link, end } = makeLink(platform, made, {
      requireOwnership: host.requireOwnership,
      onBroken: over.reject,
      onStatus(state, seconds) {
        clearTimeout(silence)
        clearTimeout(expiry)
        stopWhereUnread(state)
        if (seconds !== null)
          expiry = setTimeout(
            () => void changeStatus(platform, made, 'expired').then(stopWhereUnread, over.reject),
            seconds * 1000 + 10,
          )
        if (state.status !== 'CONNECTED' || soundSince < Number.POSITIVE_INFINITY) return
        soundSince = performance.now()
        void sending?.wakeAll(true).catch(over.reject)
        if (current) current.isThrough = true
        answer()
      },
    })
    let adapter: ChannelAdapter | null = null
    let outcome: Outcome = 'lost'
    try {
      await unit(platform, { tenantId, user: null }, (ctx) => forgetKeys(ctx.db, made))
      isUnlinked = false
      const settings = await readSettings()
      settingsNow = JSON.stringify(settings)
      const served = await localServerOf(platform, made.config)?.serve(made)
      adapter = makeAdapter(platform, { tenantId, id: connectionId }, made, {
        ...{ ...tools, settings, door: doorOf(platform, { tenantId, id: connectionId }, made.webhook) },
        ...(served ? { environment: served } : {}),
      })
      if (!adapter?.open) throw new Error('this channel keeps no connection open')
      const opened = adapter
      sending = sendingOf(platform, made, senderOf(opened, over.promise))
      current = { adapter: opened, sending, isThrough: false, over: over.promise }
      silence = setTimeout(() => over.reject(new Error('the channel said nothing while it was opened')), OPENING_MS)
      const stopped = new Promise<void>((resolve) => {
        for (const { signal } of [stop, changed]) {
          if (signal.aborted) resolve()
          signal.addEventListener('abort', () => resolve())
        }
      })
      await Promise.race([adapter.open(link), over.promise, stopped])
    } catch (err) {
      const stopped = stopCauseOf(err)
      if (stopped) outcome = { stop: stopped }
      if (!stop.signal.aborted) platform.log.warn({ err, tenantId, connectionId, outcome }, 'a connection was lost')
    }
    const soundMs = performance.now() - soundSince
    clearTimeout(silence)
    clearTimeout(expiry)
    current = null
    const isOrdered = stop.signal.aborted || changed.signal.aborted
    // Pending sends may finish while the channel still responds; afterwards, or at once if not, all is cut.
    const sent = sending?.end()
    if (isOrdered && sent) await within(END_MS, sent)
    if (isUnlinked) await within(LOGOUT_MS, (async () => adapter?.logout?.())())
    over.reject(sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED'))
    const written = end()
    written.catch(() => {})
    await within(END_MS, (async () => adapter?.close?.())())
    cut()
    if (sent) await within(END_MS, sent)
    // The next opening starts from the stored state.
    await written
    // Settings changed while the old key was being refused have not been noticed yet.
    if (typeof outcome === 'object') await followSettings().catch(() => {})
    const isProxy = outcome === 'lost' && isStoppedByProxy()
    return { outcome: changed.signal.aborted ? 'changed' : isProxy ? 'proxy' : outcome, soundMs }
  }

  async function followSettings(): Promise<void> {
    if (JSON.stringify(await readSettings()) !== settingsNow) changed.abort()
  }

  const senderOf = (adapter: ChannelAdapter, over: Promise<never>) => {
    // Requests unanswered at the end of the connection will not be answered.
    const lost = over.catch(() => {
      throw sendFailure('unknown', 'a conexão caiu durante o envio')
    })
    lost.catch(() => {})
    return {
      adapter: {
        send: (message: Parameters<ChannelAdapter['send']>[0]) => Promise.race([adapter.send(message), lost]),
        ...(adapter.act ? { act: (action: ChannelAction) => Promise.race([adapter.act!(action), lost]) } : {}),
        ...(adapter.ask ? { ask: adapter.ask.bind(adapter) } : {}),
      },
      requireOwnership: host.requireOwnership,
      requireLease: (db: Parameters<typeof requireLease>[0]) => requireLease(db, first),
    }
  }

  const answer = () => {
    if (current?.isThrough)
      answerRequests(platform, first, current).catch((err) =>
        platform.log.warn({ err, tenantId, connectionId }, 'what was asked of a connection was not answered'),
      )
  }

  let isDone = false
  const lost = (error: unknown) => lose(error)
  const living = working(`connection ${tenantId}:${connectionId}`, lost, live).finally(() => {
    isDone = true
  })
  return {
    lease: first,
    isDone: () => isDone,
    changeTo(next) {
      if (valuesOf(next) === valuesOf(made)) return
      isUnlinked = next.forgetsKeys
      made = next
      changed.abort()
    },
    wake(conversationKey, isUrgent) {
      if (conversationKey !== undefined) current?.sending.wake(conversationKey, isUrgent)
      else
        current?.sending
          .wakeAll()
          .catch((err) => platform.log.warn({ err, tenantId, connectionId }, 'nothing was sent'))
    },
    act: async (action) => current?.adapter.act?.(action),
    answer,
    look: () => current?.adapter.look?.(),
    followSettings,
    async end({ isReleased, forgetsKeys = false }) {
      isUnlinked = forgetsKeys
      stop.abort()
      await within(MOST_END_MS, living)
      if (forgetsKeys) await attempt(() => unit(platform, { tenantId, user: null }, (ctx) => forgetKeys(ctx.db, first)))
      if (isReleased) await attempt(() => release(platform, first))
    },
  }
}

const valuesOf = ({ config, secrets, opening, proxy }: LeasedConnection) =>
  JSON.stringify([config, secrets, opening, proxy])

/** Releases the lease of a connection and wakes other processes. */
async function release(platform: Platform, lease: LeasedConnection): Promise<void> {
  const { tenantId, connectionId } = lease
  await changeStatus(platform, lease, 'open')
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    if (await releaseLease(ctx.db, lease)) ctx.stale(`connection ${tenantId}:${connectionId}`)
  })
}

/**
 * Returns an adapter's tools; `cut` closes all that it opened with them. Writes fail once another process may hold the
 * connection: a process frozen during login would push out the new holder.
 */
export function trackedTools(
  platform: Platform,
  { tenantId, type, proxy, config }: Pick<LeasedConnection, 'tenantId' | 'type' | 'proxy' | 'config'>,
  host: { requireOwnership(): void },
) {
  const opened = new Set<Duplex>()
  let isCut = false
  let isStopped = false
  const tools = toolsOf(platform, type, {
    proxy: proxy && proxyOf(platform, tenantId, proxy),
    server: localServerOf(platform, config),
  })
  return {
    tools: {
      ...tools,
      connect: async (to: Parameters<typeof tools.connect>[0]) => {
        const socket = await tools.connect(to).catch((error) => {
          isStopped = proxyProblemOf(error) !== null
          throw error
        })
        isStopped = false
        if (isCut) socket.destroy()
        opened.add(socket)
        const write = socket.write.bind(socket) as (...data: unknown[]) => boolean
        socket.write = (...data: unknown[]) => {
          try {
            host.requireOwnership()
          } catch {
            socket.destroy()
            return false
          }
          return write(...data)
        }
        socket.once('close', () => opened.delete(socket))
        return socket
      },
    },
    /** Whether the proxy refused to connect in its last check. */
    isStoppedByProxy: () => isStopped,
    cut() {
      isCut = true
      for (const socket of opened) socket.destroy()
    },
  }
}

/** Waits for work up to a time limit, whatever its result. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController()
  await Promise.race([work.catch(() => {}), pause(ms, undefined, { signal: limit.signal }).catch(() => {})])
  limit.abort()
}
