import { type EventSpan, isOver, remoteIdOf, spanProblem } from '#domain/calendar/events.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import type { Attendee } from '#providers/calendars/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { findAccount } from '#server/providers/queries.ts'
import { calendarEvents } from '../contract.ts'
import { KIND } from './accounts.ts'
import { publish } from './failures.ts'
import { discardOurs, overwriteTheirs, pushEvent, TRY_MS } from './push.ts'
import {
  deleteEvent,
  type EventRow,
  findEvent,
  insertEvent,
  listEvents,
  lockEvent,
  updateEvent,
} from './queries-events.ts'
import { findSync } from './queries-syncs.ts'
import { dayStart, spanColumns, spanOf, timeOf } from './spans.ts'
import { enqueuePush } from './sync.ts'

type Shown = Returned<typeof calendarEvents.create>
type Changes = Input<typeof calendarEvents.update>['body']

const AHEAD_DAYS = 366

/** Serializes an event. */
export function shownEvent(row: EventRow): Shown {
  const span = spanOf(row)
  const times = span.isAllDay
    ? { start: span.firstDay, end: span.lastDay }
    : { start: new Date(span.start).toISOString(), end: new Date(span.end).toISOString() }
  return {
    ...{ id: row.id, configId: row.account_id, etag: row.etag, title: row.summary, description: row.description },
    ...{ location: row.location, ...times, isAllDay: span.isAllDay, attendees: [...row.attendees] },
    ...{ reminderMinutes: row.reminder_minutes, hasMeet: row.has_meet, meetUrl: row.meet_url, url: row.url },
    ...{ isRecurring: row.is_recurring, isEditable: row.is_editable, problem: row.problem },
    waiting: row.wanted,
    isConflict: row.theirs !== null,
  }
}

/** Routes of calendar events. */
export const eventRoutes = implement(calendarEvents, {
  list: async (ctx, { query: { configId, from, to, max, cursor } }) => {
    const zone = ctx.settings.timezone
    const begin = from === undefined ? ctx.now : dayStart(zone, from)
    const end = to === undefined ? new Date(begin.getTime() + AHEAD_DAYS * 86_400_000) : dayStart(zone, to, 1)
    const after = cursor === undefined ? null : afterOf(cursor)
    const found = await listEvents(ctx.db, { accountId: configId, from: begin, to: end, after, limit: max + 1 })
    const last = found[max - 1]
    const isMore = found.length > max && last
    return {
      data: found.slice(0, max).map(shownEvent),
      nextCursor: isMore ? encodeCursor([last.starts_at.toISOString(), last.id]) : null,
    }
  },
  create: async (ctx, { body }) => {
    const { platform, tenantId, user } = ctx
    const { id, isNew } = await unit(platform, { tenantId, user }, (within) =>
      createEvent(within, { ...body, userId: user.id }),
    )
    if (isNew) await pushEvent(platform, tenantId, id)
    const made = await readShown(ctx, id)
    ctx.audit({ after: made })
    return made
  },
  update: async (ctx, { params: { id }, body }) => {
    const { platform, tenantId, user } = ctx
    const before = await unit(platform, { tenantId, user }, (within) => change(within, id, body))
    await sendNow(ctx, id)
    const after = await readShown(ctx, id)
    ctx.audit({ before: shownEvent(before), after })
    return after
  },
  reconcile: async (ctx, { params: { id }, body: { use } }) => {
    const row = required(await lockEvent(ctx.db, id), 'ERR_NO_CALENDAR_EVENT_FOUND')
    if (row.theirs === null && (row.wanted === null || row.push_at !== null)) return shownEvent(row)
    if (use === 'ours') await overwriteTheirs(ctx, row)
    else await discardOurs(ctx, row)
    if (use === 'ours') enqueuePush(ctx, id)
    const after = await findEvent(ctx.db, id)
    ctx.audit({ before: shownEvent(row), ...(after ? { after: shownEvent(after) } : {}) })
    return after ? shownEvent(after) : null
  },
  remove: async (ctx, { params: { id } }) => {
    const { platform, tenantId, user } = ctx
    const before = await unit(platform, { tenantId, user }, async (within) => {
      const row = await lockChangeable(within, id)
      // An event never sent is deleted here only; one in progress is removed at the provider too.
      if (row.wanted === 'insert' && row.tries === 0 && row.push_at === null) await deleteEvent(within.db, id)
      else await want(within, row, { wanted: 'remove' })
      publish(within, row.account_id)
      return row
    })
    await sendNow(ctx, id)
    ctx.audit({ before: shownEvent(before) })
    return { message: 'ok' }
  },
})

function afterOf(cursor: string): [Date, string] {
  const [at, id] = decodeCursor(cursor, 2)
  const date = new Date(String(at))
  const isRight = Number.isFinite(date.getTime()) && /^[0-9a-f-]{36}$/.test(String(id))
  return isRight ? [date, String(id)] : fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

const readShown = async ({ platform, tenantId }: SlowCtx, id: string): Promise<Shown> =>
  shownEvent(required(await platform.db.read(tenantId, (db) => findEvent(db, id)), 'ERR_NO_CALENDAR_EVENT_FOUND'))

/** Sends an event's pending change during the request; a change that conflicts at the provider is discarded and refused. */
async function sendNow({ platform, tenantId, user }: SlowCtx, id: string): Promise<void> {
  if ((await pushEvent(platform, tenantId, id)) !== 'crossed') return
  await unit(platform, { tenantId, user }, async (ctx) => {
    const row = await lockEvent(ctx.db, id)
    if (row?.theirs) await discardOurs(ctx, row)
  })
  fail('ERR_CALENDAR_CHANGED')
}

/** Parses a span from instants or days. */
export function readSpan(start: string, end: string): EventSpan {
  const isDay = (text: string) => !text.includes('T')
  if (isDay(start) !== isDay(end))
    return fail('ERR_VALIDATION', { end: 'Começo e fim são os dois com horário, ou os dois sem.' })
  if (isDay(start)) return { isAllDay: true, firstDay: start, lastDay: end }
  return { isAllDay: false, start: Date.parse(start), end: Date.parse(end) }
}

function requireSpan(ctx: Ctx, span: EventSpan): void {
  const problem = spanProblem(span, timeOf(ctx))
  if (problem) fail('ERR_VALIDATION', { [problem.field]: problem.text })
}

type NewEvent = Input<typeof calendarEvents.create>['body'] & { readonly userId: number | null }

/** Stores a new event to be sent; idempotent by id. */
export async function createEvent(ctx: Ctx, body: NewEvent): Promise<{ id: string; isNew: boolean }> {
  const { configId, id = ctx.newId() } = body
  const account = required(await findAccount(ctx.db, KIND, configId), 'ERR_NO_CALENDAR_FOUND')
  const sync = await findSync(ctx.db, configId)
  if (!account.is_active || !sync || sync.status === 'new') fail('ERR_CALENDAR_NOT_CONNECTED')
  if (await findEvent(ctx.db, id)) return { id, isNew: false }
  const span = readSpan(body.start, body.end)
  requireSpan(ctx, span)
  const isNew = await insertEvent(ctx.db, {
    ...{ id, account_id: configId, remote_id: remoteIdOf(id), ...spanColumns(span, ctx.settings.timezone) },
    ...{ summary: body.title, description: body.description ?? '', location: body.location ?? '' },
    attendees: attendeesOf(body.attendees ?? [], []),
    reminder_minutes: body.reminderMinutes ?? null,
    ...{ has_meet: body.hasMeet ?? false, notifies: body.notifies ?? false, user_id: body.userId },
    ...{ wanted: 'insert', stamp: 1, push_at: new Date(ctx.now.getTime() + TRY_MS) },
    ...{ created_at: ctx.now, updated_at: ctx.now },
  })
  publish(ctx, configId)
  return { id, isNew }
}

/** Returns the invited attendees, with the known data of earlier ones. */
function attendeesOf(emails: readonly string[], before: readonly Attendee[]): Attendee[] {
  const known = new Map(before.map((one) => [one.email.toLowerCase(), one]))
  const wanted = new Map(emails.map((email) => [email.toLowerCase(), email]))
  return [...wanted].map(([key, email]) => known.get(key) ?? { email, name: '', response: '' })
}

/** Finds an event that may be changed, locked: existing, editable, not over. */
async function lockChangeable(ctx: Ctx, id: string): Promise<EventRow> {
  const row = required(await lockEvent(ctx.db, id), 'ERR_NO_CALENDAR_EVENT_FOUND')
  if (row.wanted === 'remove') fail('ERR_NO_CALENDAR_EVENT_FOUND')
  if (!row.is_editable) fail('ERR_CALENDAR_READ_ONLY')
  if (isOver(spanOf(row), timeOf(ctx))) fail('ERR_CALENDAR_PAST')
  return row
}

async function change(ctx: Ctx, id: string, body: Changes): Promise<EventRow> {
  const row = await lockChangeable(ctx, id)
  if (body.etag !== undefined && body.etag !== row.etag) fail('ERR_CALENDAR_CHANGED')
  const { zone, before } = { zone: ctx.settings.timezone, before: shownEvent(row) }
  const span = readSpan(body.start ?? before.start, body.end ?? before.end)
  const isMoved = JSON.stringify(span) !== JSON.stringify(spanOf(row))
  // A running event may be edited, but its new time must not be in the past.
  if (isMoved) requireSpan(ctx, span)
  await want(ctx, row, {
    wanted: row.wanted === 'insert' ? 'insert' : 'update',
    ...(isMoved ? spanColumns(span, zone) : {}),
    ...(body.title === undefined ? {} : { summary: body.title }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.location === undefined ? {} : { location: body.location }),
    ...(body.attendees === undefined ? {} : { attendees: attendeesOf(body.attendees, row.attendees) }),
    ...(body.reminderMinutes === undefined ? {} : { reminder_minutes: body.reminderMinutes }),
    ...(body.hasMeet === undefined ? {} : { has_meet: body.hasMeet }),
    ...(body.notifies === undefined ? {} : { notifies: body.notifies }),
  })
  publish(ctx, row.account_id)
  return row
}

/** Stores a wanted change of an event and claims its first attempt. */
const want = (ctx: Ctx, row: EventRow, change: Parameters<typeof updateEvent>[2]) =>
  updateEvent(ctx.db, row.id, {
    ...change,
    ...{ stamp: Math.max(row.stamp, row.known_stamp) + 1, tries: 0, problem: '', theirs: null },
    ...{ push_at: new Date(ctx.now.getTime() + TRY_MS), updated_at: ctx.now },
  })
