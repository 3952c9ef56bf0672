import { outreachOf } from '#domain/campaigns/care.ts'
import { sendingTime } from '#domain/campaigns/hours.ts'
import { plannedEnd, plannedHours } from '#domain/campaigns/pacing.ts'
import { shareOf, winnerOf } from '#domain/campaigns/variants.ts'
import { lockPaceOf } from '#features/ledger/server/outbox/index.ts'
import type { Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import { companyHours } from '#server/company-hours.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { campaigns, outreach } from '../contract.ts'
import { firstContactAt, numberFacts } from './care.ts'
import type { DispatchRecord } from './queries.ts'
import { firstContactsSince, outcomesByVariant, sentByHour } from './queries-insight.ts'
import { findConnection } from './queries-turn.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Number of hours shown, past and planned. */
const HOURS = 12

/** Returns the messages of a dispatch per hour: recently sent and planned ones, and the expected end. */
export async function rhythmOf(ctx: ReadCtx, dispatch: DispatchRecord): Promise<Returned<typeof campaigns.rhythm>> {
  const now = ctx.now.getTime()
  const isOver = dispatch.status === 'finished' || dispatch.status === 'canceled'
  const last = isOver ? (dispatch.finishedAt?.getTime() ?? dispatch.updatedAt.getTime()) : now
  const began = Math.max(dispatch.startedAt?.getTime() ?? now, last - (HOURS / 2) * HOUR_MS)
  const first = Math.floor(began / HOUR_MS) * HOUR_MS
  const done = await sentByHour(ctx.db, dispatch.id, new Date(first))
  const { waiting = 0 } = dispatch.counts
  const time = sendingTime(dispatch, { zone: ctx.settings.timezone, holidays: companyHours(ctx.settings).holidays })
  const from = Math.max(now, dispatch.startAt.getTime(), dispatch.waitsUntil?.getTime() ?? 0)
  const isSending = !isOver && waiting > 0
  const most = Math.max(1, HOURS - (Math.floor(now / HOUR_MS) - first / HOUR_MS))
  const planned = isSending ? plannedHours(time, { from, count: waiting, seconds: dispatch.delay, most }) : []
  const plannedAt = new Map(planned.map(({ at, count }) => [at, count]))
  const end = Math.max(Math.floor(last / HOUR_MS) * HOUR_MS, planned.at(-1)?.at ?? 0)
  const count = Math.min(2 * HOURS, (end - first) / HOUR_MS + 1)
  return {
    hours: Array.from({ length: count }, (_, n) => first + n * HOUR_MS).map((at) => ({
      ...{ at: new Date(at), done: done.get(at) ?? 0, planned: plannedAt.get(at) ?? 0 },
    })),
    perHour: dispatch.delay > 0 ? Math.round(3600 / dispatch.delay) : null,
    endsAt: isSending ? dateOf(plannedEnd(time, from, waiting, dispatch.delay)) : null,
  }
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

/** Compares the texts of a dispatch by replies and opt-outs, with 95 % confidence intervals. */
export async function variantsOf(ctx: ReadCtx, dispatch: DispatchRecord): Promise<Returned<typeof campaigns.variants>> {
  const known = new Map((await outcomesByVariant(ctx.db, dispatch.id)).map((row) => [row.variant, row]))
  const variants = dispatch.messages.map((_, variant) => {
    const { reached = 0, replied = 0, optedOut = 0 } = known.get(variant) ?? {}
    return {
      ...{ message: variant + 1, reached, replied, optedOut },
      ...{ replies: shareOf(replied, reached), stops: shareOf(optedOut, reached) },
    }
  })
  const winner = winnerOf(variants.map(({ replies }) => replies))
  return { variants, winner: winner === null ? null : winner + 1 }
}

/** Returns the number of further messages to lists that a number may send. */
export async function outreachFor(ctx: Ctx, connectionId: number): Promise<Returned<typeof outreach.get>> {
  const connection = await findConnection(ctx.db, connectionId)
  const there = required(connection?.isDeleted ? undefined : connection, 'ERR_NO_WAPP_FOUND')
  const now = ctx.now.getTime()
  const known = await lockPaceOf(ctx, there)
  const facts = await numberFacts(ctx.db, there, known, ctx.now)
  const { level, reasons } = outreachOf(facts)
  const free = firstContactAt(known, facts, 0, now)
  const { lastAt } = await firstContactsSince(ctx.db, connectionId, new Date(now - DAY_MS))
  const stops = level === 'stop' && lastAt ? lastAt.getTime() + DAY_MS : null
  const { firstContactsToday, firstContactsLimit } = facts
  const until = stops ?? (free > now ? free : null)
  return { level, reasons: [...reasons], firstContactsToday, firstContactsLimit, until: dateOf(until) }
}
