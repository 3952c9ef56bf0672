import { LRUCache } from 'lru-cache'
import { TURN_MS } from '#domain/assistants/time.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { assistantAdapters } from '#providers/assistants/adapters.ts'
import type { AssistantAdapter } from '#providers/assistants/port.ts'
import type { Platform } from '#server/platform.ts'
import { guardedFetch } from '#server/providers/guarded-fetch.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import { accounts } from './accounts.ts'

/** Maximum duration of an answer, retries included (decision B21). */
export const ANSWER_MS = TURN_MS
/** Maximum size of a provider's response in bytes. */
const MOST_BYTES = 4 * 1024 * 1024

/** Account with its adapter, ready to call. */
export type Reached = { readonly adapter: AssistantAdapter; readonly values: ProviderValues }

const caches = new WeakMap<Platform, LRUCache<string, Reached>>()

function cacheOf(platform: Platform): LRUCache<string, Reached> {
  const known = caches.get(platform)
  if (known) return known
  const made = new LRUCache<string, Reached>({ max: 500 })
  caches.set(platform, made)
  return made
}

/** Loads and creates the adapter of an account; null if this version does not have its provider. */
export async function reachAccount(platform: Platform, tenantId: number, row: StoredAccount): Promise<Reached | null> {
  const cache = cacheOf(platform)
  // Each change of an account changes its time, and with it the key; a cached login remains valid until then.
  const key = `${tenantId}:${row.id}:${row.updated_at.getTime()}`
  const known = cache.get(key)
  if (known) return known
  const values = accounts.plain(platform, tenantId, row)
  const adapter = await adapterFor(platform, row.provider, values)
  if (!adapter) return null
  cache.set(key, { adapter, values })
  return { adapter, values }
}

/** Creates the adapter for an account's values; null if this version does not have its provider. */
export async function adapterFor(
  platform: Platform,
  provider: string,
  values: ProviderValues,
): Promise<AssistantAdapter | null> {
  const load = assistantAdapters[provider]
  const limits = { answerMs: ANSWER_MS, maxBytes: MOST_BYTES }
  const fetch = guardedFetch({ allow: platform.env.OUTBOUND_ALLOW }, limits)
  return load ? (await load())(values, { fetch, now: platform.now }) : null
}
