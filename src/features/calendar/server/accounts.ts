import { LRUCache } from 'lru-cache'
import { memberOf } from '#domain/present.ts'
import { calendarAdapters } from '#providers/calendars/adapters.ts'
import { calendarConfigs } from '#providers/calendars/configs.ts'
import type { CalendarAdapter } from '#providers/calendars/port.ts'
import { textsOfEnv } from '#server/env.ts'
import { EVERYWHERE } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { providerAccounts } from '#server/providers/accounts.ts'
import { guardedFetch } from '#server/providers/guarded-fetch.ts'
import type { StoredAccount } from '#server/providers/queries.ts'

/** Kind of stored provider accounts that are calendars. */
export const KIND = 'calendar'

/** Store of calendar accounts. */
export const accounts = providerAccounts({ kind: KIND, configs: calendarConfigs, notFound: 'ERR_NO_CALENDAR_FOUND' })

const ANSWER_MS = 20_000
const MOST_BYTES = 8 * 1024 * 1024

const caches = new WeakMap<Platform, LRUCache<string, CalendarAdapter>>()

/** Creates the adapter of an account; it caches its token until the account changes. */
export function adapterOf(platform: Platform, tenantId: number, row: StoredAccount): CalendarAdapter {
  const cache = caches.get(platform) ?? new LRUCache<string, CalendarAdapter>({ max: 500 })
  caches.set(platform, cache)
  const key = `${tenantId}:${row.id}:${row.updated_at.getTime()}`
  const known = cache.get(key)
  if (known) return known
  const environment = textsOfEnv(platform.env, accounts.configOf(row.provider)?.environment ?? [])
  const limits = { answerMs: ANSWER_MS, maxBytes: MOST_BYTES }
  const made = memberOf(calendarAdapters, row.provider)(accounts.plain(platform, tenantId, row), {
    ...{ fetch: guardedFetch({ allow: EVERYWHERE }, limits), now: platform.now, environment },
  })
  cache.set(key, made)
  return made
}
