import { z } from 'zod'
import { CalendarFailure, type ChangePage, type RemoteEvent } from '#providers/calendars/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { adapterOf, KIND } from './accounts.ts'
import { noteFailure, publish } from './failures.ts'
import { pushJobValue } from './job-values.ts'
import { deleteRemote, deleteUnseen, eventsToPush, type RemoteRow, upsertRemote } from './queries-events.ts'
import { claimSync, dueSyncs, findSync, lockSync, type SyncRow, updateSync } from './queries-syncs.ts'
import { spanColumns } from './spans.ts'

const DAY_MS = 86_400_000
/** Interval at which changes are read. */
const EVERY_MS = 5 * 60_000
/** Interval of a complete reading, which adds events that begin later and drops old ones. */
const FULL_MS = 7 * DAY_MS
const BEHIND_MS = 92 * DAY_MS
const AHEAD_MS = 400 * DAY_MS
const MOST_PAGES = 400
const MOST_DUE = 200
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)

/** Job that reads the changes of an account's calendar. */
export const syncJob = job({
  name: 'calendar:sync',
  schema: z.object({ accountId: z.number() }),
  run: (platform, { tenantId, accountId }) => syncAccount(platform, tenantId, accountId),
})

/** Enqueues the reading of due accounts and the sending of pending changes; several processes may do so concurrently. */
export async function workCalendars(platform: Platform): Promise<void> {
  const now = platform.now()
  for (const { tenantId, accountId } of await platform.db.askAsPlatform((db) => dueSyncs(db, now, MOST_DUE)))
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      if (await claimSync(ctx.db, accountId, ctx.now, new Date(ctx.now.getTime() + EVERY_MS)))
        enqueueSync(ctx, accountId)
    })
  for (const { tenantId, id } of await platform.db.askAsPlatform((db) => eventsToPush(db, now, MOST_DUE)))
    await unit(platform, { tenantId, user: null }, async (ctx) => enqueuePush(ctx, id))
}

/** Enqueues the reading of an account's calendar. */
export const enqueueSync = (ctx: Ctx, accountId: number): void => {
  const key = `calendar:${ctx.tenantId}:${accountId}`
  ctx.enqueue(syncJob, { accountId }, { key, queue: key })
}

/** Enqueues the sending of an event's pending change. */
export const enqueuePush = (ctx: Ctx, eventId: string): void =>
  ctx.enqueue(pushJobValue, { eventId }, { key: `calendar:push:${ctx.tenantId}:${eventId}` })

/** Reads the changes of an account's calendar; after a crash it starts from the same point. */
async function syncAccount(platform: Platform, tenantId: number, accountId: number): Promise<void> {
  const within = <T>(work: (ctx: Ctx) => Promise<T>) => unit(platform, { tenantId, user: null }, work)
  const begun = await within(async (ctx) => {
    const account = await findAccount(ctx.db, KIND, accountId)
    const sync = await lockSync(ctx.db, accountId)
    if (!account?.is_active || !sync || (sync.status !== 'ok' && sync.status !== 'failed')) return null
    const isFull = isFullDue(sync, ctx.now)
    if (isFull) await updateSync(ctx.db, accountId, { round: sync.round + 1 })
    const round = isFull ? sync.round + 1 : sync.round
    return { account, round, cursor: isFull ? null : sync.cursor, at: ctx.now.getTime() }
  })
  if (!begun) return
  const { account, round, at } = begun
  const adapter = adapterOf(platform, tenantId, account)
  const span = { from: at - BEHIND_MS, to: at + AHEAD_MS }
  let changed = 0
  try {
    let next: string | null = null
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page: ChangePage = await adapter.changes({ cursor: begun.cursor, ...span, next })
      await platform.checkpoint('calendar page read')
      changed += await within((ctx) => apply(ctx, { accountId, round }, page))
      next = page.next
      if (next === null) {
        await within((ctx) =>
          finish(ctx, { accountId, round, cursor: page.cursor, isFull: begun.cursor === null, changed }),
        )
        return
      }
    }
    platform.log.warn({ tenantId, accountId }, 'a calendar has more events than are read')
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    await within(async (ctx) => {
      if (await noteFailure(ctx, accountId, error)) return
      // After a lost cursor everything is read again, at once.
      if (error.problem === 'cursor') {
        await updateSync(ctx.db, accountId, { cursor: null })
        enqueueSync(ctx, accountId)
      } else if (error.problem === 'gone')
        await noteFailure(ctx, accountId, new CalendarFailure('setup', 'A agenda não existe nesta conta do Google.'))
      else await updateSync(ctx.db, accountId, { problem: error.message })
    })
  }
}

const isFullDue = ({ cursor, full_at: fullAt }: SyncRow, now: Date): boolean =>
  cursor === null || fullAt === null || now.getTime() - fullAt.getTime() >= FULL_MS

type Round = { readonly accountId: number; readonly round: number }

async function apply(ctx: Ctx, { accountId, round }: Round, { changes }: ChangePage): Promise<number> {
  if (!(await findSync(ctx.db, accountId))) return 0
  // Of an event that occurs twice on a page, the last version counts.
  const last = [...new Map(changes.map((one) => [one.remoteId, one])).values()]
  const rows = last.flatMap(({ event }) => (event ? (remoteRow(ctx, event) ?? []) : []))
  const written = await upsertRemote(ctx.db, { accountId, round, now: ctx.now }, rows)
  const gone = last.flatMap(({ event, remoteId }) => (event ? [] : [remoteId]))
  return written + (gone.length > 0 ? await deleteRemote(ctx.db, accountId, gone) : 0)
}

/** Converts a provider's event to a row; null if outside of the stored period. */
export function remoteRow(ctx: Pick<Ctx, 'newId' | 'settings'>, event: RemoteEvent): RemoteRow | null {
  const span = spanColumns(event.span, ctx.settings.timezone)
  const [from, to] = [span.starts_at.getTime(), span.ends_at.getTime()]
  return from >= EARLIEST && to < LATEST ? { id: ctx.newId(), ...span, event: sanitizeForPostgres(event) } : null
}

async function finish(
  ctx: Ctx,
  of: Round & { readonly cursor: string | null; readonly isFull: boolean; readonly changed: number },
): Promise<void> {
  const { accountId, round, cursor, isFull } = of
  const sync = await lockSync(ctx.db, accountId)
  if (!sync || sync.round !== round) return
  const gone = isFull ? await deleteUnseen(ctx.db, accountId, round) : 0
  const isNews = of.changed + gone > 0 || sync.status !== 'ok' || sync.problem !== ''
  await updateSync(ctx.db, accountId, {
    ...{ cursor, status: 'ok', problem: '', synced_at: ctx.now },
    ...(isFull ? { full_at: ctx.now } : {}),
  })
  if (isNews) publish(ctx, accountId)
}
