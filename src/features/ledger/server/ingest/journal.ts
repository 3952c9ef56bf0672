import { setImmediate } from 'node:timers/promises'
import { fail } from '#kit/errors.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { endDelay, reportDelay } from '../journal/delays.ts'
import { appendJournal, appendWithin, countWaiting, type JournalRow } from '../journal/journal-queries.ts'
import { withoutKeys } from '../media/remote.ts'
import { processAtOnce, wakeIngest } from './ingest.ts'

/** Maximum number of unprocessed events, above which a provider is asked to retry later (decision B18). */
const MOST_WAITING = 10_000
/** Number of unprocessed events above which the import of earlier messages is postponed, so that live messages do not wait. */
const MANY_WAITING = 5

type Waiting = { rows: JournalRow[]; done: ((error?: unknown) => void)[] }
type Buffer = { next: Waiting | null; busy: boolean; waiting: number; countedAt: number }
const buffers = new WeakMap<Platform, Map<number, Buffer>>()

/**
 * Appends events of a connection to the journal, resolving after the commit; idempotent. Messages are processed in the same
 * transaction if nothing waits before them. Events that arrive during an append are batched into the next. Fails with 503 if
 * too much waits.
 */
export async function receive(
  platform: Platform,
  to: { tenantId: number; connectionId: number },
  events: readonly ProviderEvent[],
): Promise<void> {
  if (events.length === 0) return
  const buffer = bufferOf(platform, to.tenantId)
  if (!(await hasRoom(platform, to.tenantId))) fail('ERR_BUSY', { retryAfter: 5 })
  const rows = rowsOf(platform, to, events)
  await new Promise<void>((resolve, reject) => {
    buffer.next ??= { rows: [], done: [] }
    buffer.next.rows.push(...rows)
    buffer.next.done.push((error) => (error ? reject(error) : resolve()))
    if (!buffer.busy) void drain(platform, to.tenantId, buffer)
  })
  await platform.checkpoint('journal committed')
}

/** Whether a company's journal has room for more events; counted at most once a second. */
export async function hasRoom(platform: Platform, tenantId: number): Promise<boolean> {
  const buffer = bufferOf(platform, tenantId)
  const now = Date.now()
  if (now - buffer.countedAt > 1000) {
    buffer.countedAt = now
    buffer.waiting = await countWaiting(platform.db, tenantId, MOST_WAITING + 1)
  }
  return buffer.waiting <= MOST_WAITING
}

/** Whether so many events of a company wait that the import of earlier messages should be postponed. */
export const isBehind = async (platform: Platform, tenantId: number): Promise<boolean> =>
  (await countWaiting(platform.db, tenantId, MANY_WAITING + 1)) > MANY_WAITING

/**
 * Adds events of a connection to the journal within a unit of work; they are processed once it is committed. Returns the
 * number of new ones.
 */
export async function appendEvents(ctx: Ctx, connectionId: number, events: readonly ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0
  const { platform, tenantId } = ctx
  const appended = await appendWithin(ctx.db, tenantId, rowsOf(platform, { tenantId, connectionId }, events))
  ctx.afterCommit(() => wakeIngest(platform, tenantId))
  return appended
}

const rowsOf = (
  platform: Platform,
  of: { tenantId: number; connectionId: number },
  events: readonly ProviderEvent[],
): JournalRow[] =>
  events.map((event) => ({
    id: uuidv7(),
    connectionId: of.connectionId,
    dedupeKey: sanitizeForPostgres(event.dedupeKey),
    payload: withoutKeys(platform, of, sanitizeForPostgres(event)),
  }))

function bufferOf(platform: Platform, tenantId: number): Buffer {
  const ofPlatform = buffers.get(platform) ?? new Map<number, Buffer>()
  buffers.set(platform, ofPlatform)
  const buffer: Buffer = ofPlatform.get(tenantId) ?? { next: null, busy: false, waiting: 0, countedAt: 0 }
  ofPlatform.set(tenantId, buffer)
  return buffer
}

async function drain(
  platform: Platform,
  tenantId: number,
  buffer: { next: Waiting | null; busy: boolean },
): Promise<void> {
  buffer.busy = true
  // Concurrent events share one append, and one batch after it.
  await setImmediate()
  while (buffer.next) {
    const { rows, done } = buffer.next
    buffer.next = null
    try {
      const isProcessed = await processAtOnce(platform, tenantId, rows)
      if (isProcessed) await platform.checkpoint('processed at once')
      else await appendJournal(platform.db, tenantId, rows, platform.now())
      for (const finish of done) finish()
      endDelay(platform, 'append', tenantId)
      if (!isProcessed) wakeIngest(platform, tenantId, rows)
    } catch (error) {
      if (isInfrastructure(error)) reportDelay(platform, 'append', tenantId, error)
      for (const finish of done) finish(error)
    }
    // Answered senders may send again before the next batch, or they would alternate in two halves.
    await setImmediate()
  }
  buffer.busy = false
}
