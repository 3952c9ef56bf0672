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

/** Links to files live an hour; a conversation older than this is read again when it is opened. */
const fresh = 40 * 60_000

// What was told while a page was on its way is applied to it afterwards: a page may be older than an event.
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

/** The loaded part of a conversation, live. */
export const useThread = (ticketId: number) => useQuery({ ...newest(ticketId), refetchOnReconnect: false })

/** Asks for a conversation as soon as its screen is drawn, before all that the screen asks for besides. */
export const useThreadFirst = (ticketId: number): void => usePrefetchQuery(newest(ticketId))

/** Reads a conversation before it is opened; what is loaded already is not read again. */
export const prefetchThread = (ticketId: number): Promise<void> => queryClient.prefetchQuery(newest(ticketId))

/** The loaded part now, or undefined. */
export const loadedThread = (ticketId: number): ThreadData | undefined => queryClient.getQueryData(keyOf(ticketId))

const put = (ticketId: number, data: ThreadData) => queryClient.setQueryData(keyOf(ticketId), data)

function patch(ticketId: number, change: (data: ThreadData) => ThreadData): void {
  const data = loadedThread(ticketId)
  if (data) put(ticketId, change(data))
}

/** Takes an event into the conversation where it is loaded, and into a page that is still on its way. */
export function applyToThread(ticketId: number, event: ThreadEvent): void {
  if (reading > 0) recent.push({ ticketId, event })
  patch(ticketId, (data) => applyEvent(data, event))
}

/** Takes in what a send answered. */
export const adoptSent = (ticketId: number, sent: readonly MessageRow[]): void =>
  patch(ticketId, (data) => adopt(data, sent))

const underway = new Map<string, Promise<void>>()

/** Loads the page before or after the loaded part; asking twice is asking once. */
export function loadMore(ticketId: number, direction: 'older' | 'newer'): Promise<void> {
  const key = `${ticketId} ${direction}`
  const running = underway.get(key)
  if (running) return running
  const cursor = loadedThread(ticketId)?.[direction]
  if (!cursor) return Promise.resolve()
  const work = whileReading(ticketId, async () => {
    const page = await call(messages.list, { params: { ticketId }, query: { cursor, direction } }, { quiet: true })
    const now = loadedThread(ticketId)
    // The place was left meanwhile (a jump, a reload): the page belongs to nothing on screen.
    return now && now[direction] === cursor ? withPage(now, direction, page) : (now ?? threadOf(page))
  })
    .then((data) => void put(ticketId, data))
    .finally(() => underway.delete(key))
  underway.set(key, work)
  return work
}

/** Shows the newest page, for instance before an own message is written below old ones. */
export async function toNewest(ticketId: number): Promise<void> {
  if (loadedThread(ticketId)?.newer === null) return
  put(ticketId, await readNewest(ticketId))
}

/**
 * Shows the part around a moment (epoch ms); the message that stands nearest to it, or (`isDay`) the first one from then
 * on, unless nothing is there.
 */
export async function toMoment(ticketId: number, { timestamp, isDay }: Moment): Promise<MessageRow | undefined> {
  const near = (data: ThreadData | undefined) => (isDay ? firstFrom : nearest)(data?.messages ?? [], timestamp)
  const loaded = loadedThread(ticketId)
  const known = near(loaded)
  if (known?.timestamp === timestamp || (isDay && loaded && isAround(loaded, timestamp))) return known
  const data = await whileReading(ticketId, async () => threadOf(await read(ticketId, timestamp)))
  // The newest page may still be on its way: it must not take the place of what was asked for.
  await queryClient.cancelQueries({ queryKey: keyOf(ticketId) })
  put(ticketId, data)
  return near(data)
}

/** Reads the conversation on screen again and forgets the others: too much was missed to tell it one by one. */
export function resyncThreads(): void {
  queryClient.removeQueries({ queryKey: ['thread'], type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey: ['thread'] })
}

/** Forgets a conversation that may no longer be seen. */
export const forgetThread = (ticketId: number): void => queryClient.removeQueries({ queryKey: keyOf(ticketId) })

/** Reads one conversation again, because links in it ran out or its ticket changed hands. */
export const refreshThread = (ticketId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(ticketId) })
