import { messageEvents } from '#features/ledger/message-events-contract.ts'
import { notificationEvents } from '#features/ledger/notification-events.ts'
import type { Actor } from '#server/actors.ts'
import { actorWithin, type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import type { Change } from '#server/realtime/audience.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { isNews, ticketOf } from './news.ts'
import { noticeJob } from './notice.ts'
import { PRIVATE_CHANNEL, recordPrivate } from './private-notice.ts'
import {
  listCompanies,
  listConcerning,
  listFollowedBy,
  listShown,
  listSubscribed,
  lockCursor,
  moveCursor,
  type NoticeKey,
  noteNews,
  removeEnded,
} from './queries.ts'
import { recordTasks, TASK_CHANNEL } from './task-notice.ts'
import { noteViewing } from './viewing.ts'

const BLOCK = 500
const MOST_CONCERNING = 20
/**
 * Delay before a device is notified, in which an active user may read the message; and time in which several messages are
 * combined.
 */
const DELAY_MS = 2000
const GATHER_MS = 200
const RECOVER_MS = 30_000

const CHANNELS: ReadonlySet<string> = new Set([
  ...[messageEvents.create.channel, notificationEvents.changed.channel, PRIVATE_CHANNEL, TASK_CHANNEL],
])

/**
 * Reads the next changes of a company and enqueues a job for each device with news of a ticket or a shown notification of a
 * changed one, in the transaction that moves the cursor, so that each change is handled once. Returns whether there are
 * more.
 */
export function readFeed(platform: Platform, tenantId: number): Promise<boolean> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const cursor = await lockCursor(ctx.db)
    if (!cursor) return false
    await removeEnded(ctx.db, ctx.now)
    const devices = await listSubscribed(ctx.db)
    if (devices.length === 0) {
      await moveCursor(ctx.db, null)
      return false
    }
    const changes = await readChanges(ctx.db, cursor.last_seq, Number.MAX_SAFE_INTEGER, BLOCK)
    const last = changes.at(-1)
    if (!last) return false
    const all = changes.filter(({ channel }) => CHANNELS.has(channel))
    const relevant = all.filter(({ channel }) => channel !== PRIVATE_CHANNEL && channel !== TASK_CHANNEL)
    const due = new Date(ctx.now.getTime() + DELAY_MS)
    recordPrivate(ctx, all, devices, due)
    recordTasks(ctx, all, devices, due)
    await record(ctx, await newsFor(ctx, relevant, devices), relevant)
    await moveCursor(ctx.db, last.seq)
    return changes.length === BLOCK
  })
}

type News = NoticeKey & { seq: number }

async function newsFor(
  ctx: Ctx,
  changes: readonly Change[],
  devices: readonly { sessionId: string; userId: number }[],
): Promise<News[]> {
  const news = new Map<string, News>()
  const people = [...new Set(devices.map((device) => device.userId))]
  const followed = await listFollowedBy(ctx.db, people)
  for (const userId of people) {
    const actor = await actorWithin(ctx, userId)
    if (!actor) continue
    for (const change of changes) {
      if (!isNews(change, { actor, followed: followed.get(userId) }, ctx.settings)) continue
      for (const ticketId of await ticketsOf(ctx, change, actor))
        for (const { sessionId } of devices.filter((device) => device.userId === userId))
          news.set(`${sessionId} ${ticketId}`, { sessionId, ticketId, seq: change.seq! })
    }
  }
  return [...news.values()]
}

/** Returns the tickets of a change; a change of several tickets names none itself. */
async function ticketsOf(ctx: Ctx, change: Change, actor: Actor): Promise<number[]> {
  const id = ticketOf(change)
  return id === null ? listConcerning(ctx.db, actor.id, MOST_CONCERNING) : [id]
}

async function record(ctx: Ctx, news: readonly News[], changes: readonly Change[]): Promise<void> {
  const { db, now, tenantId } = ctx
  const due = new Date(now.getTime() + DELAY_MS)
  const changed = [...new Set(changes.map(ticketOf))].filter((id) => id !== null)
  const shown = changed.length > 0 ? await listShown(db, changed) : []
  const noted = news.length > 0 ? await noteNews(db, news, { now, due }) : []
  const isNoted = new Set(noted.map(({ sessionId, ticketId }) => `${sessionId} ${ticketId}`))
  const looked = shown.filter(({ sessionId, ticketId }) => !isNoted.has(`${sessionId} ${ticketId}`))
  for (const { sessionId, ticketId, dueAt } of [...noted, ...looked.map((key) => ({ ...key, dueAt: due }))]) {
    // One queue per device, so that a "read" never overtakes the notification before it.
    const queue = `push:${tenantId}:${sessionId}`
    ctx.enqueue(noticeJob, { sessionId, ticketId }, { key: `${queue}:${ticketId}`, queue, runAt: dueAt, priority: 1 })
  }
}

/**
 * Reads the changes of companies with subscribed devices as they occur, and missed ones every half minute; returns a
 * function that stops it.
 */
export async function followFeed(platform: Platform): Promise<() => Promise<void>> {
  const companies = new Set<number>()
  const waiting = new Map<number, NodeJS.Timeout>()
  let running = Promise.resolve()
  let isStopping = false
  const read = async (tenantId: number) => {
    while (!isStopping && (await readFeed(platform, tenantId)));
  }
  const wake = (tenantId: number) => {
    if (isStopping || !companies.has(tenantId) || waiting.has(tenantId)) return
    const begin = () => {
      waiting.delete(tenantId)
      running = running
        .then(() => read(tenantId))
        .catch((err: unknown) => platform.log.warn({ err, tenantId }, 'changes were not read for notices'))
    }
    waiting.set(tenantId, setTimeout(begin, GATHER_MS).unref())
  }
  const recover = async () => {
    const rows = await platform.db.askAsPlatform(listCompanies)
    companies.clear()
    for (const { tenantId } of rows) companies.add(tenantId)
    for (const tenantId of companies) wake(tenantId)
  }
  const carefully = () =>
    recover().catch((err: unknown) => platform.log.warn({ err }, 'devices that receive notices were not read'))
  await carefully()
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    noteViewing(platform, tenantId, changes)
    if (changes.some(({ seq, channel }) => seq !== null && CHANNELS.has(channel))) wake(tenantId)
  })
  platform.bus.onStale((what) => {
    const [name, tenantId] = what.split(' ')
    if (name === 'push') companies.add(Number(tenantId))
  })
  const timer = setInterval(carefully, RECOVER_MS)
  return async () => {
    isStopping = true
    unsubscribe()
    clearInterval(timer)
    for (const one of waiting.values()) clearTimeout(one)
    await running
  }
}
