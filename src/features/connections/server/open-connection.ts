import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionStatus, secondsToReopen } from '#domain/connections/status.ts'
import { type ChannelAction, type ChannelAdapter, isForPerson, sendFailure } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { makeAdapter, toolsOf } from './adapters.ts'
import { changeStatus, makeLink } from './link.ts'
import { type LeasedConnection, releaseLease, requireLease } from './queries-leases.ts'
import { sendingOf } from './sending.ts'

/** So long a channel may take to say anything once its connection is being opened. */
const OPENING_MS = 60_000
/** So long what is being sent may take to end, and an adapter to close, before both are given up. */
const END_MS = 3000
/** So long all of that takes at most, whatever the database does. */
const MOST_END_MS = 10_000
/** Whoever has been through for so long begins with the shortest pause again. */
const SOUND_MS = 60_000

/** A connection that this process has: open, or about to be opened again. */
export type OpenedConnection = {
  readonly lease: LeasedConnection
  /** Whether it is not tried any more: a person is needed. */
  isDone(): boolean
  /** What it is made of now: where that is something else, it is opened anew. */
  changeTo(lease: LeasedConnection): void
  /** One of its conversations, or any, has something to send. */
  wake(conversationKey?: string): void
  act(action: ChannelAction): Promise<void>
  /** Closes it, within seconds whatever its provider does, and gives it to others. */
  end(how: { isReleased: boolean }): Promise<void>
}

type Outcome = 'changed' | 'person' | 'lost'
type Sending = ReturnType<typeof sendingOf>

/** Keeps a connection open until it is ended: what is lost is opened anew after 1 to 60 s, unless only a person can help. */
export function openConnection(
  platform: Platform,
  first: LeasedConnection,
  host: { requireOwnership(): void },
): OpenedConnection {
  const { tenantId, connectionId } = first
  const stop = new AbortController()
  let made = first
  let changed = new AbortController()
  let current: { adapter: ChannelAdapter; sending: Sending } | null = null

  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch((err) =>
      platform.log.warn({ err, tenantId, connectionId }, 'a connection’s status was not written'),
    )
  }

  async function live() {
    let failures = 0
    await attempt(() => changeStatus(platform, made, 'open'))
    while (!stop.signal.aborted) {
      changed = new AbortController()
      const { outcome, soundMs } = await once()
      if (stop.signal.aborted) return
      if (outcome === 'person') return attempt(() => changeStatus(platform, made, 'end'))
      if (outcome === 'changed') {
        failures = 0
        await attempt(() => changeStatus(platform, made, 'open'))
        continue
      }
      failures = soundMs > SOUND_MS ? 1 : failures + 1
      await attempt(() => changeStatus(platform, made, 'lost'))
      const ms = 1000 * secondsToReopen(failures) * (0.8 + Math.random() * 0.2)
      await pause(ms, undefined, { signal: AbortSignal.any([stop.signal, changed.signal]) }).catch(() => {})
    }
  }

  /** One opening, from a new adapter until everything of it is closed. */
  async function once(): Promise<{ outcome: Outcome; soundMs: number }> {
    const { tools, cut } = trackedTools(platform, made.type)
    const over = Promise.withResolvers<never>()
    over.promise.catch(() => {})
    let soundSince = Number.POSITIVE_INFINITY
    let silence: NodeJS.Timeout | undefined
    let sending: Sending | null = null
    const { link, end } = makeLink(platform, made, {
      requireOwnership: host.requireOwnership,
      onBroken: over.reject,
      onStatus(status: ConnectionStatus) {
        clearTimeout(silence)
        if (status !== 'CONNECTED' || soundSince < Number.POSITIVE_INFINITY) return
        soundSince = performance.now()
        void sending?.wakeAll().catch(over.reject)
      },
    })
    let adapter: ChannelAdapter | null = null
    let outcome: Outcome = 'lost'
    try {
      adapter = makeAdapter(platform, { tenantId, id: connectionId }, made, tools)
      if (!adapter?.open) throw new Error('this channel keeps no connection open')
      const opened = adapter
      sending = sendingOf(platform, made, senderOf(opened, over.promise))
      current = { adapter: opened, sending }
      silence = setTimeout(() => over.reject(new Error('the channel said nothing while it was opened')), OPENING_MS)
      const stopped = new Promise<void>((resolve) => {
        for (const { signal } of [stop, changed]) {
          if (signal.aborted) resolve()
          signal.addEventListener('abort', () => resolve())
        }
      })
      await Promise.race([adapter.open(link), over.promise, stopped])
    } catch (err) {
      if (isForPerson(err)) outcome = 'person'
      if (!stop.signal.aborted) platform.log.warn({ err, tenantId, connectionId, outcome }, 'a connection was lost')
    }
    const soundMs = performance.now() - soundSince
    clearTimeout(silence)
    current = null
    const isOrdered = stop.signal.aborted || changed.signal.aborted
    // What is being sent may end while the channel still answers; then, or at once if it does not, nothing passes any more.
    const sent = sending?.end()
    if (isOrdered && sent) await within(END_MS, sent)
    over.reject(sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED'))
    const written = end()
    await within(END_MS, (async () => adapter?.close?.())())
    cut()
    if (sent) await within(END_MS, sent)
    // The next opening begins from what is stored.
    await written
    return { outcome: changed.signal.aborted ? 'changed' : outcome, soundMs }
  }

  const senderOf = (adapter: ChannelAdapter, over: Promise<never>) => {
    // What the channel has not answered when its connection ends is not answered any more.
    const lost = over.catch(() => {
      throw sendFailure('unknown', 'a conexão caiu durante o envio')
    })
    lost.catch(() => {})
    return {
      adapter: {
        send: (message: Parameters<ChannelAdapter['send']>[0]) => Promise.race([adapter.send(message), lost]),
      },
      requireOwnership: host.requireOwnership,
      requireLease: (db: Parameters<typeof requireLease>[0]) => requireLease(db, first),
    }
  }

  let isDone = false
  const living = live().finally(() => {
    isDone = true
  })
  return {
    lease: first,
    isDone: () => isDone,
    changeTo(next) {
      if (valuesOf(next) === valuesOf(made)) return
      made = next
      changed.abort()
    },
    wake(conversationKey) {
      if (conversationKey !== undefined) current?.sending.wake(conversationKey)
      else
        current?.sending
          .wakeAll()
          .catch((err) => platform.log.warn({ err, tenantId, connectionId }, 'nothing was sent'))
    },
    act: async (action) => current?.adapter.act?.(action),
    async end({ isReleased }) {
      stop.abort()
      await within(MOST_END_MS, living)
      if (isReleased) await attempt(() => release(platform, first))
    },
  }
}

const valuesOf = ({ config, secrets }: LeasedConnection) => JSON.stringify([config, secrets])

/** Gives a connection up: whoever may keep it open looks at once. */
async function release(platform: Platform, lease: LeasedConnection): Promise<void> {
  const { tenantId, connectionId } = lease
  await changeStatus(platform, lease, 'open')
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    if (await releaseLease(ctx.db, lease)) ctx.stale(`connection ${tenantId}:${connectionId}`)
  })
}

/** An adapter's tools; `cut` ends whatever it has opened by them and did not close. */
function trackedTools(platform: Platform, type: string) {
  const opened = new Set<Duplex>()
  let isCut = false
  const tools = toolsOf(platform, type)
  return {
    tools: {
      ...tools,
      connect: async (to: Parameters<typeof tools.connect>[0]) => {
        const socket = await tools.connect(to)
        if (isCut) socket.destroy()
        opened.add(socket)
        socket.once('close', () => opened.delete(socket))
        return socket
      },
    },
    cut() {
      isCut = true
      for (const socket of opened) socket.destroy()
    },
  }
}

/** Waits for something, but not longer, and not for how it ends. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController()
  await Promise.race([work.catch(() => {}), pause(ms, undefined, { signal: limit.signal }).catch(() => {})])
  limit.abort()
}
