import { dayIn } from '#domain/calendar/local-time.ts'
import { dayAfter, daysBetween, runsOf } from '#domain/reports/days.ts'
import { type Difference, differencesOf, figuresOfDay, versionOf } from '#domain/reports/measures.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { publishDifferences } from './alarm.ts'
import { OVERLAP_MS } from './figures.ts'
import {
  changedDays,
  figuresOf,
  firstDay,
  lockState,
  saveChecked,
  saveProof,
  storeDays,
  storedDays,
} from './queries.ts'
import { addUp, begun, EVERYTHING, readFacts } from './queries-facts.ts'
import { anyOf } from './queries-filter.ts'

/** Number of days stored per transaction. */
const BLOCK = 20
/** Number of past days with stored figures; older ones are computed from tickets. */
const STORED_DAYS = 400
/** Number of days that a proof recounts. */
const PROVED_DAYS = 35
/** Maximum number of stored differences. */
const MOST_DIFFERENCES = 200

/** Stores the figures of all past days of a company, and again those of changed days. */
export async function storeCompany(platform: Platform, tenantId: number): Promise<void> {
  for (let more = true; more; ) more = await unit(platform, { tenantId, user: null }, storeSome)
}

/** Result of a proof, with the numbers of days and figures checked. */
export type Proof = { at: Date; days: number; figures: number; differences: Difference[] }

/**
 * Recounts every stored figure of the last 35 days ticket by ticket, independently of the code that stored it; reports and
 * repairs differences. Skips days whose tickets changed since they were stored; these are stored afterwards.
 */
export async function prove(platform: Platform, tenantId: number): Promise<Proof> {
  const differences: Difference[] = []
  let figures = 0
  const { days, at } = await unit(platform, { tenantId, user: null }, async (ctx) => {
    const { checkedAt } = await lockState(ctx.db, ctx.now)
    const { zone, yesterday, version } = clockOf(ctx)
    const changed = new Set(await changedDays(ctx.db, checkedAt, zone))
    const stored = await storedDays(ctx.db, version, dayAfter(yesterday, 1 - PROVED_DAYS), yesterday)
    return { days: stored.filter((day) => !changed.has(day)).toSorted(), at: ctx.now }
  })
  for (const day of days)
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      await lockState(ctx.db, ctx.now)
      const { zone, version } = clockOf(ctx)
      const stored = await figuresOf(ctx.db, day)
      const recomputed = figuresOfDay(await readFacts(ctx.db, ticketsOn(zone, [day]), zone))
      figures += recomputed.length
      const found = differencesOf(day, stored, recomputed)
      if (found.length === 0 || (await changedDays(ctx.db, at, zone)).includes(day)) return
      differences.push(...found)
      await storeDays(
        ctx.db,
        [day],
        recomputed.map((figure) => ({ ...figure, day })),
        version,
      )
    })
  const proof = { at, days: days.length, figures, differences: differences.slice(0, MOST_DIFFERENCES) }
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    await lockState(ctx.db, ctx.now)
    await saveProof(ctx.db, proof)
    if (differences.length > 0) await publishDifferences(ctx, differences)
  })
  if (differences.length > 0)
    platform.log.error(
      { tenantId, count: differences.length, differences: differences.slice(0, 20) },
      'stored figures of reports differed from their tickets and were repaired',
    )
  await storeCompany(platform, tenantId)
  return proof
}

const clockOf = ({ settings, now }: Ctx) => {
  const zone = settings.timezone
  return { zone, version: versionOf(zone), yesterday: dayAfter(dayIn(zone, now.getTime()), -1) }
}

/** SQL condition of the tickets created on some days. */
const ticketsOn = (zone: string, days: readonly string[]) =>
  anyOf(
    runsOf(days).map((run) => {
      const { from, before } = periodOf(zone, run)
      return begun(from!, before!)
    }),
  )

// Stores some days; returns whether more remain.
async function storeSome(ctx: Ctx): Promise<boolean> {
  const { db, now } = ctx
  const { zone, version, yesterday } = clockOf(ctx)
  const { checkedAt } = await lockState(db, now)
  const first = await firstDay(db, zone)
  const oldest = dayAfter(yesterday, 1 - STORED_DAYS)
  const from = first === undefined || first < oldest ? oldest : first
  const since = new Date(checkedAt.getTime() - OVERLAP_MS)
  const changed = await changedDays(db, since, zone)
  const known = new Set(await storedDays(db, version, from, yesterday))
  const missing = first === undefined ? [] : daysBetween(from, yesterday).filter((day) => !known.has(day))
  const waiting = [...new Set([...changed, ...missing])].filter((day) => day >= from && day <= yesterday)
  const days = waiting.slice(0, BLOCK)
  if (days.length > 0)
    await storeDays(db, days, await addUp(db, { where: ticketsOn(zone, days), zone, ...EVERYTHING }), version)
  const isAll = changed.every((day) => day < from || day > yesterday || days.includes(day))
  if (isAll) await saveChecked(db, now, since)
  return waiting.length > days.length
}
