import { isTooLate } from '#domain/messages/schedule.ts'
import { lookUp } from '#domain/present.ts'
import { nextOccurrence } from '#domain/recurrence/recurrence.ts'
import { afterMessages } from '#features/ledger/server/hooks/index.ts'
import { addTrail, announcePlaced } from '#features/ledger/server/messages/index.ts'
import { notifyLate } from '#features/ledger/server/notices/index.ts'
import { enqueueSending } from '#features/ledger/server/outbox/index.ts'
import {
  BEHIND_LIVE,
  type DueMessage,
  due,
  enqueueDue,
  enqueueNextDue,
  lockWaiting,
  releaseRows,
  tenantsWithDue,
  ticketsWithDue,
} from '#features/ledger/server/scheduled/index.ts'
import {
  asTouched,
  type LedgerTicket,
  lockLedgerTickets,
  type TicketTouch,
  touchTickets,
} from '#features/ledger/server/ticket/index.ts'
import { touched, untouched, writeMessages } from '#features/ledger/server/writing/index.ts'
import { isTooLong } from '#features/messages/server/send/index.ts'
import { errorText } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { fillScheduled } from './fill-in.ts'

/** Maximum number of messages released in one transaction. */
const BLOCK = 50
/** Maximum number of released messages per connection that are not sent yet; further ones wait. */
const MOST_UNSENT = 16
const LATEST_MS = 3_600_000

/** Job that releases due messages: one per tenant and second. */
export const dueJob = job({
  ...due,
  async run(platform, { tenantId, at }) {
    await releaseDue(platform, tenantId)
    // The job queue's clock may be ahead of the clock that decides what is due.
    const aheadMs = at - platform.now().getTime()
    if (aheadMs > 0) await unit(platform, { tenantId, user: null }, async (ctx) => enqueueDue(ctx, [at], aheadMs))
  },
})

/** Releases a company's due messages in blocks; several processes may run it concurrently. */
export async function releaseDue(platform: Platform, tenantId: number): Promise<void> {
  while ((await releaseBlock(platform, tenantId)) === BLOCK);
}

/** Enqueues releases for messages overdue for some seconds, which waited for their channel or whose job was dropped. */
export async function recoverDue(platform: Platform, overdueMs: number): Promise<void> {
  const until = new Date(platform.now().getTime() - overdueMs)
  for (const tenantId of await platform.db.asPlatform((db) => tenantsWithDue(db, until)))
    await unit(platform, { tenantId, user: null }, async (ctx) => enqueueNextDue(ctx))
}

// Locks tickets first, like every writer; messages cancelled meanwhile are not among the locked ones.
function releaseBlock(platform: Platform, tenantId: number): Promise<number> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const found = await ticketsWithDue(
      ctx.db,
      { now: ctx.now, tooLate: new Date(ctx.now.getTime() - LATEST_MS) },
      { most: BLOCK, mostUnsent: MOST_UNSENT },
    )
    if (found.length === 0) return 0
    const tickets = await lockLedgerTickets(ctx.db, [...new Set(found.map(({ ticketId }) => ticketId))])
    const waiting = await lockWaiting(
      ctx.db,
      found.map(({ id }) => id),
      ctx.now,
    )
    // The conversation's newer ticket is not locked yet: the next block finds the message there.
    const ready = waiting.filter((message) => tickets.some(({ id }) => id === message.ticket_id))
    const late = ready.filter((message) => isMissed(ctx, message))
    const filled = await fillScheduled(
      ctx,
      ready.filter((message) => !late.includes(message)),
    )
    const channelOf = new Map(tickets.map((ticket) => [ticket.id, ticket]))
    const tooLong = filled.filter(({ ticket_id, body }) => isTooLong(lookUp(channelOf, ticket_id), body))
    await releaseMessages(
      ctx,
      filled.filter((message) => !tooLong.includes(message)),
      tickets,
    )
    await giveUp(ctx, tooLong, tickets, TOO_LONG)
    await giveUp(ctx, late, tickets, LATE)
    await notifyLate(
      ctx,
      late.map(({ id }) => id),
    )
    await scheduleNext(ctx, ready, tickets, ctx.now)
    await ctx.platform.checkpoint('due messages released')
    return found.length
  })
}

const isMissed = (ctx: Ctx, { schedule_date, is_removed }: DueMessage): boolean =>
  schedule_date !== null && (is_removed || isTooLate(schedule_date.getTime(), ctx.now.getTime()))

/** Releases waiting messages in order: each gets its position in the ticket and its turn in the conversation now. */
export async function releaseMessages(
  ctx: Ctx,
  waiting: readonly DueMessage[],
  tickets: readonly LedgerTicket[],
): Promise<void> {
  if (waiting.length === 0) return
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const touches = new Map<number, TicketTouch>()
  const placed = waiting.map((row) => {
    const ticket = lookUp(byId, row.ticket_id)
    const before = touches.get(ticket.id) ?? untouched(ticket)
    const timestamp = Math.max(ctx.now.getTime(), before.lastMessageAt + 1)
    const draft = {
      ticket,
      source: row.schedule_date ? 'schedule' : 'staff',
      mediaType: row.media_type,
      body: row.body,
      ...(row.user_id === null ? {} : { by: { id: row.user_id, name: row.user_name ?? '' } }),
    } as const
    touches.set(ticket.id, touched(before, draft, { timestamp, fromMe: true, status: 'pending' }))
    // The variables of a scheduled message are filled in already.
    const filled = row.schedule_date ? { body: row.body } : {}
    return { id: row.id, timestamp, status: 'pending', ...filled, errorCode: null } as const
  })
  await releaseRows(ctx.db, placed)
  await touchTickets(ctx.db, [...touches.values()], ctx.now)
  const now = [...touches].map(([id, touch]) => asTouched(lookUp(byId, id), touch, ctx.now))
  const scheduled = waiting.filter(({ schedule_date }) => schedule_date !== null)
  await addTrail(
    ctx.db,
    scheduled.map(({ id }) => ({ messageId: id, step: 'accepted' })),
  )
  await announcePlaced(
    ctx,
    placed.map(({ id }) => id),
    now,
  )
  for (const conversation of scheduled) enqueueSending(ctx, conversation, { priority: BEHIND_LIVE })
  const written = waiting.filter(({ schedule_date }) => schedule_date === null)
  for (const conversation of written) enqueueSending(ctx, conversation)
  const messages = written.map(({ ticket_id: ticketId }) => ({ ticketId, fromMe: true, isNote: false, isLate: false }))
  await afterMessages(ctx, { messages, tickets: now })
}

const LATE = { status: 'canceled', errorCode: 'ERR_SCHEDULE_LATE', trail: { step: 'late' } } as const
// With its variables filled in the text exceeds the channel's maximum.
const TOO_LONG = {
  status: 'failed',
  errorCode: 'ERR_MESSAGE_TOO_LONG',
  trail: { step: 'failed', detail: { reason: errorText('ERR_MESSAGE_TOO_LONG') } },
} as const

async function giveUp(
  ctx: Ctx,
  messages: readonly DueMessage[],
  tickets: readonly LedgerTicket[],
  { trail, ...why }: typeof LATE | typeof TOO_LONG,
): Promise<void> {
  if (messages.length === 0) return
  const timestamp = ctx.now.getTime()
  const ids = messages.map(({ id }) => id)
  await releaseRows(
    ctx.db,
    ids.map((id) => ({ id, timestamp, ...why })),
  )
  await addTrail(
    ctx.db,
    ids.map((messageId) => ({ messageId, ...trail })),
  )
  await announcePlaced(ctx, ids, tickets)
}

/** Schedules the next occurrence of a repeated message after a moment, also if this one was missed; with the original text. */
export async function scheduleNext(
  ctx: Ctx,
  done: readonly DueMessage[],
  tickets: readonly LedgerTicket[],
  after: Date,
): Promise<void> {
  const next = done.flatMap((row) => {
    const { repeat, repeat_from: from, is_removed: isRemoved } = row
    if (repeat === null || from === null || isRemoved) return []
    const zone = ctx.settings.timezone
    const at = nextOccurrence(repeat, { from: from.getTime(), after: after.getTime(), zone })
    return at === null ? [] : [{ row, repeat, from: from.getTime(), at }]
  })
  if (next.length === 0) return
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const { messages } = await writeMessages(
    ctx,
    next.map(({ row, repeat, from, at }) => ({
      ticket: lookUp(byId, row.ticket_id),
      source: 'schedule',
      mediaType: row.media_type,
      body: row.body,
      sendType: 'schedule',
      fileId: row.file_id,
      ...(row.user_id === null ? {} : { by: { id: row.user_id, name: row.user_name ?? '' } }),
      sendAt: at,
      schedule: { date: at, cancelOnReply: row.cancel_on_reply, repeat, repeatFrom: from },
    })),
  )
  enqueueDue(
    ctx,
    messages.map(({ sendAt }) => sendAt!),
  )
}
