import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { call, queryClient } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { notePosition } from './positions.ts'
import {
  adopt,
  applyEvent,
  beginsBehind,
  firstFrom,
  isAround,
  type Moment,
  nearest,
  type ThreadData,
  type ThreadEvent,
  threadOf,
  withPage,
} from './thread-data.ts'

const keyOf = (ticketId: number) => ['thread', ticketId] as const

/** Time after which an opened conversation is read again, in ms; its file links expire after an hour. */
const fresh = 40 * 60_000

// Events that arrive during a page request are applied to its result: the page may be older than they are.
type ThreadChange = { ticketId: number; event: ThreadEvent }
let recent: ThreadChange[] = []
let reading = 0

async function whileReading(ticketId: number, read: () => Promise<ThreadData>): Promise<ThreadData> {
  const from = recent.length
  reading += 1
  try {
    const data = await read()
    return recent
      .slice(from)
      .filter((one) => one.ticketId === ticketId)
      .reduce((next, { event }) => applyEvent(next, event), data)
  } finally {
    reading -= 1
    if (reading === 0) recent = []
  }
}

const read = (ticketId: number, timestamp?: number, signal?: AbortSignal) =>
  call(
    messages.list,
    { params: { ticketId }, query: timestamp === undefined ? {} : { timestamp } },
    { ...(signal && { signal }), quiet: true },
  )

const readNewest = (ticketId: number) => whileReading(ticketId, async () => threadOf(await read(ticketId)))

/**
 * Reads the page to open with: the newest, or the page at the reading position where unread messages begin before the newest
 * page.
 */
const readOpening = (ticketId: number, signal: AbortSignal) =>
  whileReading(ticketId, async () => {
    const page = await read(ticketId, undefined, signal)
    const { readUpTo } = page
    if (readUpTo) notePosition(ticketId, readUpTo)
    const isBehind = readUpTo && page.nextCursor && beginsBehind(page.messages, readUpTo, viewer().userId)
    return threadOf(isBehind ? await read(ticketId, readUpTo.timestamp, signal) : page)
  })

const newest = (ticketId: number) => ({
  queryKey: keyOf(ticketId),
  queryFn: ({ signal }: { signal: AbortSignal }) => readOpening(ticketId, signal),
  staleTime: fresh,
})

/** Returns the loaded part of a conversation and re-renders on change. */
export const useThread = (ticketId: number) => useQuery({ ...newest(ticketId), refetchOnReconnect: false })

/** Prefetches a conversation as soon as its screen renders, before the screen's other requests. */
export const useThreadFirst = (ticketId: number): void => usePrefetchQuery(newest(ticketId))

/** Prefetches a conversation; skips one that is already loaded. */
export const prefetchThread = (ticketId: number): Promise<void> => queryClient.prefetchQuery(newest(ticketId))

/** Returns the loaded part of a conversation, or undefined. */
export const loadedThread = (ticketId: number): ThreadData | undefined => queryClient.getQueryData(keyOf(ticketId))

const put = (ticketId: number, data: ThreadData) => queryClient.setQueryData(keyOf(ticketId), data)

function patch(ticketId: number, change: (data: ThreadData) => ThreadData): void {
  const data = loadedThread(ticketId)
  if (data) put(ticketId, change(data))
}

/** Applies an event to a loaded conversation, and to pages whose request is still running. */
export function applyToThread(ticketId: number, event: ThreadEvent): void {
  if (reading > 0) recent.push({ ticketId, event })
  patch(ticketId, (data) => applyEvent(data, event))
}

/** Adds the messages of a send response to the thread. */
export const adoptSent = (ticketId: number, sent: readonly MessageRow[]): void =>
  patch(ticketId, (data) => adopt(data, sent))

const underway = new Map<string, Promise<void>>()

/** Loads the page before or after the loaded part; concurrent calls share one request. */
export function loadMore(ticketId: number, direction: 'older' | 'newer'): Promise<void> {
  const key = `${ticketId} ${direction}`
  const running = underway.get(key)
  if (running) return running
  const cursor = loadedThread(ticketId)?.[direction]
  if (!cursor) return Promise.resolve()
  const work = whileReading(ticketId, async () => {
    const page = await call(messages.list, { params: { ticketId }, query: { cursor, direction } }, { quiet: true })
    const now = loadedThread(ticketId)
    // The view jumped or reloaded meanwhile: drop the page.
    return now && now[direction] === cursor ? withPage(now, direction, page) : (now ?? threadOf(page))
  })
    .then((data) => void put(ticketId, data))
    .finally(() => underway.delete(key))
  underway.set(key, work)
  return work
}

/** Loads the newest page, for instance before one's own message is added below older ones. */
export async function toNewest(ticketId: number): Promise<void> {
  if (loadedThread(ticketId)?.newer === null) return
  put(ticketId, await readNewest(ticketId))
}

/**
 * Loads the part around a moment (epoch ms). Returns the message nearest to it, or with `isDay` the first one from then on;
 * undefined if there is none.
 */
export async function toMoment(ticketId: number, { timestamp, isDay }: Moment): Promise<MessageRow | undefined> {
  const near = (data: ThreadData | undefined) => (isDay ? firstFrom : nearest)(data?.messages ?? [], timestamp)
  const loaded = loadedThread(ticketId)
  const known = near(loaded)
  if (known?.timestamp === timestamp || (isDay && loaded && isAround(loaded, timestamp))) return known
  const data = await whileReading(ticketId, async () => threadOf(await read(ticketId, timestamp)))
  // Cancels a pending request of the newest page, which would replace the requested one.
  await queryClient.cancelQueries({ queryKey: keyOf(ticketId) })
  put(ticketId, data)
  return near(data)
}

/** Reads the visible conversation again and drops the others from the cache, after too many events were missed. */
export function resyncThreads(): void {
  queryClient.removeQueries({ queryKey: ['thread'], type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey: ['thread'] })
}

/** Drops a conversation that the user may no longer see from the cache. */
export const forgetThread = (ticketId: number): void => queryClient.removeQueries({ queryKey: keyOf(ticketId) })

/** Reads a conversation again, because its file links expired or its ticket changed hands. */
export const refreshThread = (ticketId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(ticketId) })
