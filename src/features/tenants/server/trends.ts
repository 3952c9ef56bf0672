import { startOfDay } from '#domain/calendar/day.ts'
import { codeOf } from '#kit/errors.ts'
import { type AsyncCache, asyncCache } from '#server/cache.ts'
import type { Platform } from '#server/platform.ts'
import { TREND_DAYS } from '../companies.ts'
import { countDays } from './queries-companies.ts'

const DAY_MS = 86_400_000

// Cached for ten minutes, since counting reads a month of messages.
const caches = new WeakMap<Platform, AsyncCache<number[] | null>>()

/** Returns a company's messages per day over the last days, up to today; null if counting takes too long. */
export function trendOf(platform: Platform, tenantId: number): Promise<number[] | null> {
  const known = caches.get(platform) ?? asyncCache((key) => count(platform, Number(key)), 2000)
  caches.set(platform, known)
  return known.get(String(tenantId))
}

async function count(platform: Platform, tenantId: number): Promise<number[] | null> {
  const { timezone } = await platform.settings.get(String(tenantId))
  const now = platform.now().getTime()
  const since = startOfDay(timezone, now - (TREND_DAYS - 1) * DAY_MS)
  try {
    const rows = await platform.db.asPlatform((db) => countDays(db, tenantId, since))
    const days = new Array<number>(TREND_DAYS).fill(0)
    for (const { day, n } of rows) days[Math.min(day, TREND_DAYS - 1)]! += n
    return days
  } catch (error) {
    if (codeOf(error) === '57014') return null
    throw error
  }
}
