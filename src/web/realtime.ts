import { io, type Socket } from 'socket.io-client'
import type { Envelope, EventSpec, Payload } from '#kit/events.ts'
import { request } from './api.ts'
import { createFeed, type FeedPage } from './feed.ts'
import { endSession, onToken, refreshSession } from './refresh.ts'
import { claims, token, viewer } from './session.ts'

/** State of the line to the server; `given-up` after 20 tries, until somebody or something wakes it. */
export type LineState = 'opening' | 'open' | 'closed' | 'given-up'

type Handler = (payload: unknown, type: string) => void
const tries = 20
const handlers = new Map<string, Set<Handler>>()
const reconnects = new Set<() => void>()
const resyncs = new Set<() => void>()
const stateReaders = new Set<() => void>()
const logKey = 'socketEvents'

let socket: Socket | undefined
let state: LineState = 'closed'

const setState = (next: LineState) => {
  if (next === state) return
  state = next
  note(`socket:${next}`)
  for (const tell of stateReaders) tell()
}

/** The state of the line now. */
export const lineState = (): LineState => state

/** Tells when the state of the line changes. */
export function onLineState(reader: () => void): () => void {
  stateReaders.add(reader)
  return () => stateReaders.delete(reader)
}

type Logged = { timestamp: number; event: string }

/** What the line went through in this browser, oldest first (at most 300 entries, specification §9). */
export function socketLog(): Logged[] {
  try {
    return JSON.parse(localStorage.getItem(logKey) ?? '[]')
  } catch {
    return []
  }
}

/** Empties the log of the line. */
export const clearSocketLog = (): void => localStorage.removeItem(logKey)

function note(event: string): void {
  localStorage.setItem(logKey, JSON.stringify([...socketLog().slice(-299), { timestamp: Date.now(), event }]))
}

/** Hears an event of a contract; the same handler gets it live and when it is healed after an absence. */
export function on<E extends EventSpec>(event: E, handler: (payload: Payload<E>) => void): () => void {
  const key = `${event.channel} ${event.type}`
  const hear: Handler = (payload) => handler(payload as Payload<E>)
  handlers.set(key, (handlers.get(key) ?? new Set()).add(hear))
  return () => handlers.get(key)?.delete(hear)
}

/** Hears every reconnection, after what was missed has been told. */
export function onReconnect(reader: () => void): () => void {
  reconnects.add(reader)
  return () => reconnects.delete(reader)
}

/** Hears that too much was missed to be told one by one: everything on screen has to be read again. */
export function onResync(reader: () => void): () => void {
  resyncs.add(reader)
  return () => resyncs.delete(reader)
}

/** Sends something that needs no answer (typing, presence); dropped while the line is closed. */
export function emit(channel: string, payload?: unknown): void {
  socket?.volatile.emit(`${viewer().tenantId}:${channel}`, payload)
}

const feed = createFeed({
  read: (after) => request<FeedPage>('GET', '/changes', { query: { after: after ?? undefined }, quiet: true }),
  tell({ channel, type, payload }) {
    for (const hear of handlers.get(`${channel} ${type}`) ?? []) hear(payload, type)
  },
  readAgain() {
    for (const tell of resyncs) tell()
  },
})

const receive = (name: string, envelope: Envelope) =>
  feed.live({ ...envelope, channel: name.slice(name.indexOf(':') + 1) })

/**
 * Takes the place in the feed from which this page will be kept up to date. Whatever was read before it is known may be
 * older than that place: `readAgain` has to read it again. Called first thing, so normally nothing was.
 */
export async function takePlace(readAgain: () => void): Promise<void> {
  try {
    const { lastSeq } = await request<FeedPage>('GET', '/changes', { quiet: true })
    feed.startAt(lastSeq)
  } catch {
    // without a place the line reads everything again when it opens
  }
  readAgain()
}

let wasOpen = false

function greet(): void {
  setState('open')
  socket?.emit(`${viewer().tenantId}:setUserActive`)
  const away = wasOpen
  wasOpen = true
  void feed.heal().then(() => {
    if (away) for (const tell of reconnects) tell()
  })
}

/** Opens the line once; calling it again wakes a line that gave up. */
export function openLine(): void {
  if (socket) {
    if (state !== 'open') {
      setState('opening')
      socket.connect()
    }
    return
  }
  setState('opening')
  let offered: string | null = null
  socket = io({
    path: '/socket.io',
    transports: ['polling', 'websocket'],
    timeout: 30_000,
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
    setState('opening')
    if (reason === 'io server disconnect') setTimeout(() => socket?.connect(), 1000)
  })
  socket.on('connect_error', async (error) => {
    note(error.message)
    setState('opening')
    if (error.message !== 'authentication error') return
    socket?.disconnect()
    if (await refreshSession(offered)) socket?.connect()
    else if (!token()) endSession()
    else setState('given-up')
  })
  socket.io.on('reconnect_failed', () => setState('given-up'))
  onToken((next) => socket?.emit('renew', next))
  const wake = () => state === 'given-up' && openLine()
  addEventListener('online', wake)
  addEventListener('focus', wake)
  setInterval(keepFresh, 20_000)
}

// The access token lives 15 minutes and the socket dies 60 s after it: renew while this page is open.
function keepFresh(): void {
  const own = claims()
  if (own && own.exp - Date.now() < 75_000) void refreshSession()
}
