import type { StoredValues } from '#kit/provider.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ChannelConfig, channelType } from '#providers/channels/configs.ts'
import { type ChannelAdapter, type ChannelTools, type LocalEnd, sendFailure } from '#providers/channels/port.ts'
import { type AsyncCache, asyncCache } from '#server/cache.ts'
import { outboundConnect, outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { findConnection } from './queries.ts'
import { plainValues } from './values.ts'

/** A connection that can be spoken to. */
export type Reached = { readonly status: string; readonly config: ChannelConfig; readonly adapter: ChannelAdapter }

type MakeLocalEnd = (platform: Platform) => LocalEnd
const localEnds = new Map<string, MakeLocalEnd>()

/** Registers the feature that is the other end of a channel, by the channel's id. */
export const provideLocalEnd = (channelId: string, make: MakeLocalEnd): void => void localEnds.set(channelId, make)

const caches = new WeakMap<Platform, AsyncCache<Reached | null>>()

// Values are decrypted once, and again when somebody changes the connection (`connection <tenant>:<id>`).
function cacheOf(platform: Platform): AsyncCache<Reached | null> {
  const known = caches.get(platform)
  if (known) return known
  const cache = asyncCache((key) => {
    const [tenantId, id] = key.split(':').map(Number) as [number, number]
    return load(platform, tenantId, id)
  })
  platform.bus.onStale((what) => {
    const [kind, key] = what.split(' ')
    if (kind === 'connection' && key) cache.drop(key)
  })
  platform.bus.onMissed(() => cache.dropAll())
  caches.set(platform, cache)
  return cache
}

async function load(platform: Platform, tenantId: number, id: number): Promise<Reached | null> {
  const row = await platform.db.read(tenantId, (db) => findConnection(db, id))
  const config = row && channelType(row.type)?.config
  // Where virtual phones stand in for the provider, they are spoken to; what the channel can do stays its config's.
  const by = row && config && (standInOf(row.config) ?? config.id)
  const make = by && channelAdapters[by]
  if (!row || !config || !make) return null
  const { config: values, secrets } = row as unknown as StoredValues
  const plain = plainValues(platform, { tenantId, id }, { config: values, secrets })
  const adapter = make(plain, toolsOf(platform, by))
  return { status: row.status, config, adapter: row.status === 'DISCONNECTED' ? { ...adapter, send: refuse } : adapter }
}

/** The id of the channel whose adapter speaks in place of the provider's (`makeConnection`); null for most connections. */
export const standInOf = (config: unknown): string | null => (config as { standIn?: string }).standIn ?? null

const refuse = async () => {
  throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
}

function toolsOf(platform: Platform, channelId: string): ChannelTools {
  const policy = { allow: platform.env.OUTBOUND_ALLOW }
  return {
    fetch: (address, request) => outboundFetch(policy, address, request),
    connect: (to) => outboundConnect(policy, to),
    readFile: (path) => platform.storage.read(path),
    now: platform.now,
    log: platform.log,
    local: localEnds.get(channelId)?.(platform) ?? null,
  }
}

/** A connection with its channel; null for one that is not there, or of a type that this version does not have. */
export const reachConnection = (platform: Platform, tenantId: number, id: number): Promise<Reached | null> =>
  cacheOf(platform).get(`${tenantId}:${id}`)

// Nothing goes by a connection that was removed, or is of a type that is not there: what waits for it fails for good.
const GONE: ChannelAdapter = {
  send: async () => {
    throw sendFailure('refused', 'ERR_WAPP_NOT_INITIALIZED')
  },
}

/** How a connection is spoken to. */
export const adapterOf = async (platform: Platform, tenantId: number, id: number): Promise<ChannelAdapter> =>
  (await reachConnection(platform, tenantId, id))?.adapter ?? GONE
