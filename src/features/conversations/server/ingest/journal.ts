import { setImmediate } from 'node:timers/promises'
import { fail } from '#kit/errors.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { endDelay, reportDelay } from './delays.ts'
import { wakeIngest } from './ingest.ts'
import { appendJournal, appendWithin, countWaiting, type JournalRow } from './journal-queries.ts'

/** Beyond this many unprocessed events a provider is asked to come back later (decision B18). */
const MOST_WAITING = 10_000

type Waiting = { rows: JournalRow[]; done: ((error?: unknown) => void)[] }
type Line = { next: Waiting | null; busy: boolean; waiting: number; countedAt: number }
const lines = new WeakMap<Platform, Map<number, Line>>()

/**
 * Takes events of a connection into the journal and answers once they are committed; repeated ones change nothing.
 * What arrives while one append is being written goes together into the next. 503 when too much waits already.
 */
export async function receive(
  platform: Platform,
  to: { tenantId: number; connectionId: number },
  events: readonly ProviderEvent[],
): Promise<void> {
  if (events.length === 0) return
  const line = lineOf(platform, to.tenantId)
  if (!(await hasRoom(platform, to.tenantId))) fail('ERR_BUSY', { retryAfter: 5 })
  const rows = rowsOf(to, events)
  await new Promise<void>((resolve, reject) => {
    line.next ??= { rows: [], done: [] }
    line.next.rows.push(...rows)
    line.next.done.push((error) => (error ? reject(error) : resolve()))
    if (!line.busy) void drain(platform, to.tenantId, line)
  })
  await platform.checkpoint('journal committed')
}

/** Whether a company's journal takes more; counted once a second. */
export async function hasRoom(platform: Platform, tenantId: number): Promise<boolean> {
  const line = lineOf(platform, tenantId)
  const now = Date.now()
  if (now - line.countedAt > 1000) {
    line.countedAt = now
    line.waiting = await countWaiting(platform.db, tenantId, MOST_WAITING + 1)
  }
  return line.waiting <= MOST_WAITING
}

/** Takes events of a connection into the journal as a part of a unit of work; they are worked on once it is committed. */
export async function appendEvents(ctx: Ctx, connectionId: number, events: readonly ProviderEvent[]): Promise<void> {
  if (events.length === 0) return
  const { platform, tenantId } = ctx
  await appendWithin(ctx.db, tenantId, rowsOf({ connectionId }, events))
  ctx.afterCommit(() => wakeIngest(platform, tenantId))
}

const rowsOf = ({ connectionId }: { connectionId: number }, events: readonly ProviderEvent[]): JournalRow[] =>
  events.map((event) => ({
    id: uuidv7(),
    connectionId,
    dedupeKey: sanitizeForPostgres(event.dedupeKey),
    payload: sanitizeForPostgres(event),
  }))

function lineOf(platform: Platform, tenantId: number): Line {
  const ofPlatform = lines.get(platform) ?? new Map<number, Line>()
  lines.set(platform, ofPlatform)
  const line: Line = ofPlatform.get(tenantId) ?? { next: null, busy: false, waiting: 0, countedAt: 0 }
  ofPlatform.set(tenantId, line)
  return line
}

async function drain(
  platform: Platform,
  tenantId: number,
  line: { next: Waiting | null; busy: boolean },
): Promise<void> {
  line.busy = true
  // What arrives at the same moment is one append, and one batch after it.
  await setImmediate()
  while (line.next) {
    const { rows, done } = line.next
    line.next = null
    try {
      await appendJournal(platform.db, tenantId, rows, platform.now())
      for (const tell of done) tell()
      endDelay(platform, 'append', tenantId)
      wakeIngest(platform, tenantId, rows)
    } catch (error) {
      if (isInfrastructure(error)) reportDelay(platform, 'append', tenantId, error)
      for (const tell of done) tell(error)
    }
  }
  line.busy = false
}
