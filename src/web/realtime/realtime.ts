import type { Socket } from 'socket.io-client'
import type { EventAddress } from '#kit/addresses.ts'
import type { Envelope, Payload } from '#kit/events.ts'
import { request } from '../api.ts'
import { endSession, onToken, refreshSession } from '../session/refresh.ts'
import { claims, token, viewer } from '../session/session.ts'
import { clearPreloaded } from '../start/preload.ts'
import { createStore, createTopic, type Topic } from '../store.ts'
import { notify } from '../ui/feedback/notify.tsx'
import { createFeed, type FeedPage } from './feed.ts'
import { note } from './socket-log.ts'

/** State of the socket to the server; `given-up` after 20 tries, until the user or an event such as `online` reopens it. */
export type ConnectionState = 'opening' | 'open' | 'closed' | 'given-up'

type Received = { payload: unknown; missed: boolean }
const tries = 20
const reopenDelayMs = 1000
const timeoutMs = 30_000
const dismissalDelayMs = 2000
const topics = new Map<string, Topic<Received>>()
const reconnects = createTopic()
const resyncs = createTopic()

let socket: Socket | undefined

/** State of the socket; set here only. */
export const connectionState = createStore<ConnectionState>('closed')
const setState = connectionState.set
connectionState.subscribe((state) => note(`socket:${state}`))

/** Subscribes to an event of a contract; the handler receives live events, and those `missed` during an absence. */
export function on<E extends EventAddress>(
  event: E,
  handler: (payload: Payload<E>, missed: boolean) => void,
): () => void {
  const key = `${event.channel} ${event.type}`
  const topic = topics.get(key) ?? createTopic()
  topics.set(key, topic)
  return topic.subscribe(({ payload, missed }) => handler(payload as Payload<E>, missed))
}

/** Reloads everything on screen, as after too long an absence. */
export const resync = (): void => resyncs.publish()

/** Subscribes to every reconnection, after missed events were published. */
export const onReconnect = reconnects.subscribe

/** Subscribes to gaps too large to publish event by event: everything on screen has to be reloaded. */
export const onResync = resyncs.subscribe

/** Sends a packet that needs no answer (typing, presence); dropped while the socket is closed. */
export function emit(channel: string, payload?: unknown): void {
  // Not `volatile`: that also drops packets while a new connection upgrades from polling to a websocket.
  if (socket?.connected) socket.emit(`${viewer().tenantId}:${channel}`, payload)
}

/** Returns the socket, connected or not, for packets of a feature's own; undefined before it was ever opened. */
export const currentSocket = (): Socket | undefined => socket

const feed = createFeed({
  read: (after) => request<FeedPage>('GET', '/changes', { query: { after: after ?? undefined }, quiet: true }),
  publish({ channel, type, payload }, missed) {
    topics.get(`${channel} ${type}`)?.publish({ payload, missed })
  },
  reload: resync,
})

function receive(name: string, envelope: Envelope | { message: string }): void {
  if ('type' in envelope) feed.live({ ...envelope, channel: name.slice(name.indexOf(':') + 1) })
  else if (name.startsWith('sessionInvalidated:') || name.endsWith(':forceLogout')) dismissed(envelope.message)
}

let offered: string | null = null

/**
 * Handles the end of the session by the server: clears everything, shows the reason, and opens the login page (product facts
 * 1.3).
 */
function dismissed(message: string): void {
  note(message)
  if (token() !== null && claims()?.sessionId !== claims(offered)?.sessionId) return // another tab has entered anew
  socket?.disconnect()
  notify({ id: 'session', tone: 'neg', title: message })
  endSession({ title: message }, { delayMs: dismissalDelayMs, forgetAll: true })
}

/**
 * Reads the feed position from which this page is kept up to date. Data that was read earlier may be older: `reload` reads
 * it again. Called first, so normally there is none.
 */
export async function startFeed(reload: () => void): Promise<void> {
  try {
    const { lastSeq } = await request<FeedPage>('GET', '/changes', { quiet: true })
    feed.startAt(lastSeq)
  } catch {
    // without a cursor the socket reads everything again when it opens
  }
  reload()
}

let wasOpen = false

function greet(): void {
  setState('open')
  refreshedFor = false
  socket?.emit(`${viewer().tenantId}:setUserActive`)
  const away = wasOpen
  wasOpen = true
  void feed.heal().then(() => {
    if (away) reconnects.publish()
  })
}

let begun = false

/**
 * Opens the socket once; calling it again reconnects a socket that gave up. Its library is loaded at the first call, after
 * the first screen; if it cannot be loaded, the state is that of a socket that gave up.
 */
export async function openConnection(): Promise<void> {
  if (socket) {
    if (connectionState.get() !== 'open') {
      setState('opening')
      socket.connect()
    }
    return
  }
  if (connectionState.get() === 'opening') return
  setState('opening')
  clearPreloaded()
  if (!begun) begin()
  try {
    const { io } = await import('socket.io-client')
    if (token()) connectBy(io)
    else setState('closed')
  } catch (error) {
    note(String(error))
    setState('given-up')
  }
}

function begin(): void {
  begun = true
  onToken(renew)
  const wake = () => connectionState.get() === 'given-up' && openConnection()
  for (const event of ['online', 'focus', 'click']) addEventListener(event, wake)
  setInterval(watchFreshness, 20_000)
}

function connectBy(io: typeof import('socket.io-client').io): void {
  socket = io({
    path: '/socket.io',
    transports: ['polling', 'websocket'],
    timeout: timeoutMs,
    reconnectionAttempts: tries,
    reconnectionDelay: 1000,
    reconnectionDelayMax: 30_000,
    auth: (give) => {
      offered = token()
      give({ token: offered })
    },
  })
  socket.on('connect', greet)
  socket.onAny(receive)
  socket.on('disconnect', (reason) => {
    note(reason)
    const isOver = reason === 'io server disconnect' || reason === 'io client disconnect'
    setState(isOver ? 'closed' : 'opening')
    if (reason === 'io server disconnect') setTimeout(reopen, reopenDelayMs) // the library leaves these to us
  })
  socket.on('connect_error', (error) => {
    note(error.message)
    if (error.message === 'authentication error') void authenticate()
    else setState('opening')
  })
  socket.io.on('reconnect_failed', () => setState('given-up'))
}

function reopen(): void {
  if (!token() || !socket) return
  setState('opening')
  socket.connect()
}

let refreshedFor = false

/** Renews a refused token once; after a second refusal the socket gives up, or without a token the session ends. */
async function authenticate(): Promise<void> {
  socket?.disconnect()
  setState('closed')
  const isFirst = !refreshedFor
  refreshedFor = true
  if (isFirst && (await refreshSession(offered))) reopen()
  else if (!token()) endSession()
  else setState('given-up')
}

/** Sends a renewed token over the open socket; reconnects if it is not accepted. */
function renew(next: string): void {
  if (!socket?.connected) return
  socket.timeout(timeoutMs).emit('renew', next, (error: Error | null, isTaken?: boolean) => {
    if (error) note('ack timeout')
    if (error || !isTaken) socket?.disconnect().connect()
    else offered = next
  })
}

// The access token lives 15 minutes and the socket dies 60 s after it: renew while this page is open.
function watchFreshness(): void {
  const own = claims()
  if (own && own.exp - Date.now() < 75_000) void refreshSession()
}
