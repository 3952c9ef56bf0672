import { createHmac } from 'node:crypto'
import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { firstOf, memberOf } from '#domain/present.ts'
import { numberPair } from '#domain/text.ts'
import { EVERYBODY } from '#features/ledger/server/journal/index.ts'
import type { ProviderValues, StoredValues } from '#kit/provider.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ChannelConfig, channelConfigs, channelType, settingsIdOf } from '#providers/channels/configs.ts'
import {
  type ChannelAction,
  type ChannelAdapter,
  type ChannelTools,
  type Door,
  type LocalEnd,
  sendFailure,
} from '#providers/channels/port.ts'
import { type AsyncCache, asyncCache } from '#server/cache.ts'
import { textsOfEnv } from '#server/env.ts'
import { fileUrl } from '#server/files/store.ts'
import { addressOf, EVERYWHERE, isWithin, outboundConnect, outboundFetch, outboundStream } from '#server/outbound.ts'
import type { OutboundProxy } from '#server/outbound-proxy.ts'
import type { Platform } from '#server/platform.ts'
import { askHolder } from './ask.ts'
import { findConnection } from './queries.ts'
import { findSettings, partOf } from './queries-providers.ts'
import { findProxyOf, type StoredProxy } from './queries-proxies.ts'
import { uploadsOf } from './uploads.ts'
import { decrypt, encryptionOf, type Of } from './values.ts'

/** Connection with its adapter, available for calls. */
export type Reached = {
  readonly status: string
  /**
   * Whether its incoming events are accepted: not while a person has ended it, but also while it waits for a new token
   * or for a phone to be linked again.
   */
  readonly takesEvents: boolean
  readonly config: ChannelConfig
  readonly adapter: ChannelAdapter
}

type MakeLocalEnd = (platform: Platform) => LocalEnd
const localEnds = new Map<string, MakeLocalEnd>()

/** Registers the feature that is the other end of a channel, by the channel's id. */
export const provideLocalEnd = (channelId: string, make: MakeLocalEnd): void => void localEnds.set(channelId, make)

type Environment = ChannelTools['environment']

/** Server of this installation in place of a provider's; runs in the process that holds the connection. */
export type LocalServer = {
  /** Variables with which adapters of other processes fetch its files. */
  readonly environment: Environment
  /** Starts it unless it runs here already; returns the variables with which adapters reach it. */
  serve(connection: { readonly tenantId: number; readonly connectionId: number }): Promise<Environment>
}

const localServers = new Map<string, (platform: Platform) => LocalServer>()

/** Registers a server that replaces a provider's, by the `server` name of a connection's config. */
export const provideLocalServer = (name: string, make: (platform: Platform) => LocalServer): void =>
  void localServers.set(name, make)

/** Returns the server that replaces a connection's provider (`makeConnection`); usually null. */
export const localServerOf = (platform: Platform, config: unknown): LocalServer | null =>
  localServers.get(textFieldIn(config, 'server'))?.(platform) ?? null

/** Addresses of this machine, allowed for connections whose provider is this installation. */
const OWN_MACHINE = ['127.0.0.1', '::1']

type Caches = {
  readonly connections: AsyncCache<Reached | null>
  readonly providers: AsyncCache<ChannelAdapter | null>
}
const caches = new WeakMap<Platform, Caches>()

// Values are decrypted once, and again after a change of the connection (`connection <tenant>:<id>`) or the provider.
function cachesOf(platform: Platform): Caches {
  const known = caches.get(platform)
  if (known) return known
  const connections = asyncCache((key) => {
    const [tenantId, id] = numberPair(key, ':')
    return load(platform, tenantId, id)
  })
  const providers = asyncCache((key) => {
    const [owner = '', provider = ''] = key.split(':')
    return loadProvider(platform, owner === '' ? null : Number(owner), provider)
  })
  const clear = () => {
    connections.clear()
    providers.clear()
  }
  platform.bus.onStale((what) => {
    const [kind, key] = what.split(' ')
    if (kind === 'connection' && key) connections.delete(key)
    if (kind === PROVIDER_CHANGED || kind === PROXY_CHANGED || kind === 'installation') clear()
  })
  platform.bus.onMissed(clear)
  const made = { connections, providers }
  caches.set(platform, made)
  return made
}

async function loadProvider(
  platform: Platform,
  owner: number | null,
  provider: string,
): Promise<ChannelAdapter | null> {
  const config = channelConfigs.find(({ id }) => id === provider)
  if (!config) return null
  const settings = await settingsOf(platform, owner, provider)
  return memberOf(channelAdapters, provider)({}, { ...toolsOf(platform, firstOf(config.types).type), settings })
}

async function load(platform: Platform, tenantId: number, id: number): Promise<Reached | null> {
  const row = await platform.db.read(tenantId, (db) => findConnection(db, id))
  const known = row && channelType(row.type)?.config
  const standIn = row && standInOf(row.config)
  // Virtual phones need no open connection; capabilities are still the channel's.
  const config = known && (standIn ? { ...known, isPersistent: false } : known)
  if (!row || !config) return null
  const settings = standIn ? {} : await settingsFor(platform, tenantId, config)
  const stored = config.isProxied ? await platform.db.read(tenantId, (db) => findProxyOf(db, id)) : undefined
  const proxy = stored && proxyOf(platform, tenantId, stored)
  const server = localServerOf(platform, row.config)
  const door = doorOf(platform, { tenantId, id }, row.webhook)
  const tools = {
    ...toolsOf(platform, row.type, { standIn, proxy, server }),
    ...{ settings, door, uploads: uploadsOf(platform, tenantId, id) },
  }
  const adapter = makeAdapter(platform, { tenantId, id }, row, tools)
  if (!adapter) return null
  const { status } = row
  const isStopped = row.cause === 'token' || row.cause === 'banned'
  const takesEvents = status !== 'DISCONNECTED' || isStopped || row.cause === 'unlinked'
  if (config.isPersistent) {
    const ask: ChannelAdapter['ask'] = (question, about) =>
      askHolder(platform, { tenantId, connectionId: id }, question, about)
    const asks = adapter.ask ? { ask: status === 'DISCONNECTED' ? refuse : ask } : {}
    return { status, takesEvents, config, adapter: { ...adapter, ...asks, send: refuse, act: forwardAction(platform) } }
  }
  // Messages of a persistent channel wait, also with virtual phones.
  const waits = isStopped || known?.isPersistent === true
  return { status, takesEvents, config, adapter: status === 'DISCONNECTED' ? offline(adapter, waits) : adapter }
}

/** Whether the lab replaces the provider of a connection. */
export const isVirtual = (config: unknown): boolean =>
  standInOf(config) !== null || fieldIn(config, 'server') !== undefined

/** Returns the id of the channel whose adapter replaces the provider's (`makeConnection`); null for most connections. */
export const standInOf = (config: unknown): string | null => textFieldIn(config, 'standIn') || null

/** Returns the adapter of a connection; null if this version lacks its type. */
export function makeAdapter(
  platform: Platform,
  of: Of,
  stored: StoredValues & { type: string },
  tools: ChannelTools,
): ChannelAdapter | null {
  const config = channelType(stored.type)?.config
  const make = config && channelAdapters[standInOf(stored.config) ?? config.id]
  return make?.(encryptionOf(platform, of).plain(stored), tools) ?? null
}

/** Topic that makes the holder of a connection ask the provider for its state: `news <tenant>:<connection>`. */
export const STATE_NEWS = 'news'

/** Bus channel on which actions are sent to the process that holds a connection. */
export const ACTION_CHANNEL = 'connectionAction'

// Published for the holder of the connection; without a holder the action has no effect.
const forwardAction = (platform: Platform) => async (action: ChannelAction) =>
  platform.bus.publish(EVERYBODY, {
    channel: ACTION_CHANNEL,
    type: ACTION_CHANNEL,
    payload: action,
    audience: { kind: 'tenant' },
  })

const refuse = async (): Promise<never> => {
  throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
}

// Messages and acts stay in the ledger; unstored actions (typing, reading) are lost.
const offline = (adapter: ChannelAdapter, isStopped: boolean): ChannelAdapter => ({
  ...adapter,
  send: async () => {
    throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED', { isStopped })
  },
  act: async (action) => ('providerId' in action ? refuse() : undefined),
  ask: refuse,
})

/** Returns the tools for adapters of a connection type, or of its stand-in; through a proxy, if given. */
export function toolsOf(
  platform: Platform,
  type: string,
  {
    standIn,
    proxy = null,
    server = null,
  }: { standIn?: string | null; proxy?: OutboundProxy | null | undefined; server?: LocalServer | null } = {},
): ChannelTools {
  const config = channelType(type)?.config
  const channelId = standIn ?? config?.id ?? ''
  const policy = { allow: [...platform.env.OUTBOUND_ALLOW, ...(server ? OWN_MACHINE : [])], proxy }
  const environment = server?.environment ?? textsOfEnv(platform.env, config?.environment ?? [])
  // Calls to provider URLs in the environment are allowed (decision B21).
  const origins = Object.values(environment).flatMap((value) => originOf(value ?? '') ?? [])
  const policyFor = (address: string) =>
    origins.includes(originOf(address) ?? '') ? { ...policy, allow: EVERYWHERE } : policy
  return {
    fetch: (address, request) => outboundFetch(policyFor(address), address, request),
    stream: (address, request) => outboundStream(policyFor(address), address, request),
    connect: (to) => outboundConnect(policy, to),
    addressOf: (host) => addressOf(policy, host),
    isNear: (address) => isWithin(address, policy.allow),
    readFile: (path) => platform.storage.read(path),
    linkTo: (tenantId, { id, name }) => {
      const origin = originOfOurs(platform)
      return origin && origin + fileUrl(platform, tenantId, id, name)
    },
    environment,
    settings: {},
    uploads: null,
    door: null,
    now: platform.now,
    log: platform.log,
    local: localEnds.get(channelId)?.(platform) ?? null,
  }
}

const originOfOurs = ({ env }: Platform): string | null => env.PUBLIC_URL?.replace(/\/$/, '') ?? null

/**
 * Returns the address that a connection's provider calls, from its stored path; secrets for the provider derive from
 * it.
 */
export const doorOf = (platform: Platform, of: Of, webhook: string | null): Door | null =>
  webhook === null ? null : doorAt(platform, decrypt(platform, of, webhook))

/** Returns the webhook of a connection by its decrypted path. */
export function doorAt(platform: Platform, path: string): Door {
  const origin = originOfOurs(platform)
  const made = (what: string) => createHmac('sha256', path).update(what).digest('hex')
  return {
    url: origin && `${origin}/api/hooks/${path}`,
    name: `guiche-${made('name').slice(0, 16)}`,
    secret: made('secret'),
  }
}

const originOf = (address: string): string | null =>
  /^https?:/.test(address) ? (URL.parse(address)?.origin ?? null) : null

/** Topic for a changed proxy of a company: `proxy <tenant>`. */
export const PROXY_CHANGED = 'proxy'

/** Decrypts the password of a proxy. */
export function proxyOf(platform: Platform, tenantId: number, { id, secrets, ...proxy }: StoredProxy): OutboundProxy {
  const { password = '' } = encryptionOf(platform, { tenantId, proxyId: id }).plain({ config: {}, secrets })
  return { ...proxy, password: String(password) }
}

/** Topic for changed provider settings of a company: `provider <tenant>`. */
export const PROVIDER_CHANGED = 'provider'

/**
 * Returns the settings for all connections at a provider: the company's own, else (or without one) the installation's; {} if
 * none.
 */
export async function settingsOf(
  platform: Platform,
  tenantId: number | null,
  provider: string,
): Promise<ProviderValues> {
  const own = tenantId === null ? undefined : await platform.db.read(tenantId, (db) => findSettings(db, provider))
  if (tenantId !== null && own) return encryptionOf(platform, { tenantId, provider }).plain(own)
  const common = (await platform.installation.get('all'))[partOf(provider)] as StoredValues | undefined
  return common ? encryptionOf(platform, { provider }).plain(common) : {}
}

/** Returns the settings that a channel's connections share; {} for channels without such settings. */
export const settingsFor = async (
  platform: Platform,
  tenantId: number,
  config: ChannelConfig,
): Promise<ProviderValues> =>
  config.settings || config.settingsOf ? settingsOf(platform, tenantId, settingsIdOf(config)) : {}

/** Returns a connection with its channel; null if it does not exist, or its type is unknown to this version. */
export const reachConnection = (platform: Platform, tenantId: number, id: number): Promise<Reached | null> =>
  cachesOf(platform).connections.get(`${tenantId}:${id}`)

/**
 * Returns the adapter that reads webhook calls for all connections at a provider, by settings of a company or (null) of the
 * installation.
 */
export const adapterOfProvider = (
  platform: Platform,
  owner: number | null,
  provider: string,
): Promise<ChannelAdapter | null> => cachesOf(platform).providers.get(`${owner ?? ''}:${provider}`)

// A removed connection, or one of an unknown type, sends nothing: its messages fail permanently.
const GONE: ChannelAdapter = {
  send: async () => {
    throw sendFailure('refused', 'ERR_WAPP_NOT_INITIALIZED')
  },
}

/** Returns the adapter of a connection; one that refuses every send if the connection is removed or of an unknown type. */
export const adapterOf = async (platform: Platform, tenantId: number, id: number): Promise<ChannelAdapter> =>
  (await reachConnection(platform, tenantId, id))?.adapter ?? GONE
