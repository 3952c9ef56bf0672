import { remoteIdOf, retryAfter } from '#domain/calendar/events.ts'
import { type CalendarAdapter, CalendarFailure, type EventDraft, type RemoteEvent } from '#providers/calendars/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { adapterOf, KIND } from './accounts.ts'
import { noteFailure, publish } from './failures.ts'
import { pushJobValue } from './job-values.ts'
import {
  claimPush,
  columnsOf,
  deleteEvent,
  type EventRow,
  findEvent,
  lockEvent,
  updateEvent,
} from './queries-events.ts'
import { findSync } from './queries-syncs.ts'
import { spanColumns, spanOf } from './spans.ts'

/** Time after which an attempt may be repeated, in ms. */
export const TRY_MS = 60_000

/** Result of an attempt: done, conflicting with a change at the provider, or waiting. */
export type Pushed = 'done' | 'crossed' | 'waits'

/** Job that sends an event's pending change; idempotent. */
export const pushJob = job({
  ...pushJobValue,
  run: async (platform, { tenantId, eventId }) => {
    const isClaimed = await unit(platform, { tenantId, user: null }, (ctx) =>
      claimPush(ctx.db, eventId, ctx.now, new Date(ctx.now.getTime() + TRY_MS)),
    )
    if (isClaimed) await pushEvent(platform, tenantId, eventId)
  },
})

/** Sends an event's pending change, whose attempt the caller has claimed; stores the result. */
export async function pushEvent(platform: Platform, tenantId: number, eventId: string): Promise<Pushed> {
  const begun = await unit(platform, { tenantId, user: null }, async (ctx) => {
    const row = await findEvent(ctx.db, eventId)
    const account = row && (await findAccount(ctx.db, KIND, row.account_id))
    const sync = row && (await findSync(ctx.db, row.account_id))
    if (!row?.wanted || !account?.is_active || sync?.status !== 'ok') return null
    return { row, account, timeZone: ctx.settings.timezone }
  })
  if (!begun) return 'waits'
  const { row, account, timeZone } = begun
  const adapter = adapterOf(platform, tenantId, account)
  try {
    const event = await send(adapter, row, draftOf(row, timeZone))
    await platform.checkpoint('calendar event sent')
    await unit(platform, { tenantId, user: null }, (ctx) => noteDone(ctx, row, event))
    return 'done'
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    const theirs = error.problem === 'changed' || error.problem === 'gone' ? await theirsOf(adapter, row) : undefined
    return unit(platform, { tenantId, user: null }, (ctx) => noteFailed(ctx, row, error, theirs))
  }
}

const theirsOf = (adapter: CalendarAdapter, row: EventRow): Promise<RemoteEvent | null | undefined> =>
  adapter.find(row.remote_id).catch(() => undefined)

function draftOf(row: EventRow, timeZone: string): EventDraft {
  const { summary, description, location, attendees, notifies, stamp } = row
  const meet = row.has_meet === (row.meet_url !== '') ? 'keep' : row.has_meet ? 'add' : 'remove'
  return {
    ...{ summary, description, location, attendees, notifies, stamp, span: spanOf(row), timeZone, meet },
    reminderMinutes: row.reminder_minutes,
  }
}

/** Sends the wanted change to the provider; returns the event there, null if deleted. */
async function send(adapter: CalendarAdapter, row: EventRow, draft: EventDraft): Promise<RemoteEvent | null> {
  if (row.wanted === 'remove') {
    await adapter.remove(row.remote_id, row.etag, row.notifies).catch((error: unknown) => {
      // A missing event is removed already.
      if (!(error instanceof CalendarFailure) || error.problem !== 'gone') throw error
    })
    return null
  }
  if (row.wanted === 'insert') return insert(adapter, row, draft)
  return update(adapter, row, draft)
}

async function insert(adapter: CalendarAdapter, row: EventRow, draft: EventDraft): Promise<RemoteEvent | null> {
  try {
    return await adapter.insert(row.remote_id, draft)
  } catch (error) {
    if (!(error instanceof CalendarFailure) || error.problem !== 'taken') throw error
    // The event exists already, since a response was lost; later local changes are sent afterwards.
    const known = await adapter.find(row.remote_id)
    if (known === null || known.stamp === null || known.stamp >= draft.stamp) return known
    return adapter.update(row.remote_id, known.etag, draft)
  }
}

async function update(adapter: CalendarAdapter, row: EventRow, draft: EventDraft): Promise<RemoteEvent | null> {
  try {
    return await adapter.update(row.remote_id, row.etag, draft)
  } catch (error) {
    if (!(error instanceof CalendarFailure) || error.problem !== 'changed') throw error
    const known = await adapter.find(row.remote_id)
    const stamp = known?.stamp ?? 0
    // The newer version is ours: a response was lost, or an earlier change was still in progress.
    if (known && stamp >= draft.stamp) return known
    if (known && stamp > row.known_stamp) return adapter.update(row.remote_id, known.etag, draft)
    throw error
  }
}

async function noteDone(ctx: Ctx, sent: EventRow, event: RemoteEvent | null): Promise<void> {
  const row = await lockEvent(ctx.db, sent.id)
  if (!row) return
  if (event === null) {
    // A concurrent change by a user is sent by its own job.
    if (row.stamp === sent.stamp) await deleteEvent(ctx.db, row.id)
  } else if (row.stamp === sent.stamp) {
    const { known_stamp: _, ...columns } = columnsOf(sanitizeForPostgres(event))
    const span = spanColumns(event.span, ctx.settings.timezone)
    await updateEvent(ctx.db, row.id, {
      ...columns,
      ...span,
      ...{ known_stamp: sent.stamp, wanted: null, push_at: null, tries: 0, problem: '', theirs: null },
      // A full round that is under way has asked before this event was there: it counts as seen.
      round: (await findSync(ctx.db, row.account_id))?.round ?? row.round,
      updated_at: ctx.now,
    })
  } else {
    const wanted = row.wanted === 'insert' ? 'update' : row.wanted
    const { etag, meetUrl: meet_url, url } = event
    await updateEvent(ctx.db, row.id, {
      etag,
      meet_url,
      url,
      wanted,
      known_stamp: sent.stamp,
      push_at: ctx.now,
      tries: 0,
    })
  }
  publish(ctx, row.account_id)
}

async function noteFailed(
  ctx: Ctx,
  sent: EventRow,
  error: CalendarFailure,
  theirs: RemoteEvent | null | undefined,
): Promise<Pushed> {
  if (await noteFailure(ctx, sent.account_id, error)) {
    await updateEvent(ctx.db, sent.id, { push_at: ctx.now })
    return 'waits'
  }
  const row = await lockEvent(ctx.db, sent.id)
  if (!row || row.stamp !== sent.stamp) return 'waits'
  if (theirs !== undefined) {
    const problem = theirs === null ? 'O evento foi excluído no Google.' : 'O evento mudou no Google.'
    const stored = theirs && sanitizeForPostgres(theirs)
    await updateEvent(ctx.db, row.id, { problem, theirs: { event: stored }, push_at: null })
    publish(ctx, row.account_id)
    return 'crossed'
  }
  const isRefused = error.problem === 'refused'
  const wait = retryAfter(row.tries)
  await updateEvent(ctx.db, row.id, {
    ...{ problem: error.message, tries: row.tries + 1 },
    push_at: isRefused ? null : new Date(ctx.now.getTime() + wait),
  })
  publish(ctx, row.account_id)
  return 'waits'
}

/** Resolves a conflict in favour of the provider's version; the local change is discarded. */
export async function discardOurs(ctx: Ctx, row: EventRow): Promise<void> {
  const event = row.theirs?.event ?? null
  if (event === null) await deleteEvent(ctx.db, row.id)
  else
    await updateEvent(ctx.db, row.id, {
      ...columnsOf(event),
      ...spanColumns(event.span, ctx.settings.timezone),
      ...{ wanted: null, push_at: null, tries: 0, problem: '', theirs: null, updated_at: ctx.now },
    })
  publish(ctx, row.account_id)
}

/** Resolves a conflict in favour of the local version: overwrites the provider's, or creates it again if deleted. */
export async function overwriteTheirs(ctx: Ctx, row: EventRow): Promise<void> {
  const event = row.theirs?.event ?? null
  const stamp = row.stamp + 1
  const anew = { wanted: 'insert', remote_id: remoteIdOf(row.id, stamp), etag: '', meet_url: '', url: '' }
  const over = event ? { etag: event.etag, known_stamp: event.stamp ?? 0, meet_url: event.meetUrl } : {}
  await updateEvent(ctx.db, row.id, {
    ...{ stamp, push_at: ctx.now, tries: 0, problem: '', theirs: null, updated_at: ctx.now },
    ...(row.theirs && event === null ? anew : over),
  })
  publish(ctx, row.account_id)
}
