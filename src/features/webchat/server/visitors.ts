import { numberPair } from '#domain/text.ts'
import { isOpenNow } from '#features/hours/server/index.ts'
import { ratesOf } from '#features/ratings/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type AsyncCache, asyncCache } from '#server/cache.ts'
import { companyHours } from '#server/company-hours.ts'
import { unit } from '#server/context.ts'
import { findByHash, findInDirectory } from '#server/db/directory.ts'
import { removeRetired } from '#server/db/replaced-keys.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { Platform } from '#server/platform.ts'
import { sha256 } from '#server/secrets.ts'
import { WEBCHAT_MAX_FILE } from '../addresses.ts'
import { channelToken, type WebchatConfig } from '../contract.ts'
import { beginningOf, CHANNEL_KIND, lookOf } from './channels.ts'
import { type Conversation, conversationOf, findChannel, isTeamOnline, type StoredChannel } from './queries.ts'

/** Directory kind of visitor tokens (decision B2). */
export const VISITOR_KIND = 'webchat_visitor'
/** Prefix of cache invalidations of a token, followed by the token's hash. */
export const TOKEN_NEWS = 'webchat token '

/**
 * Origin of a visitor token: `isProven` with a proof of the reader; `isRetired` if replaced because it was known before the
 * proof; `retires` lists the visitors whose tokens end with its first use.
 */
export type VisitorToken = {
  readonly isProven: boolean
  readonly isRetired: boolean
  readonly retires: readonly string[]
}
const NEW_TOKEN: VisitorToken = { isProven: false, isRetired: false, retires: [] }

/** Returns the hash that identifies a token. */
export const tokenHashOf = (token: string): string => sha256(token).toString('hex')

const ONLINE_TTL_MS = 20_000

/** File types that the widget offers; the server decides by the file's content, not its name. */
const ACCEPTED_FILES = [
  ...['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'audio/*', 'video/mp4', 'video/webm', 'application/pdf'],
  ...['.doc', '.docx', '.xls', '.xlsx', '.ppt', '.pptx', '.txt', '.csv', '.zip'],
]

/** Channel with the data that the widget's routes need. */
export type Channel = { tenantId: number; id: number; name: string } & StoredChannel
/** Conversation with its tenant. */
export type Whose = Conversation & { tenantId: number }
/** Authenticated visitor: the token gives access to one conversation only. */
export type Visitor = Whose & {
  /** Key of the token in caches and sockets. */
  tokenHash: string
  /** Origin of the token (`VisitorToken`). */
  token: VisitorToken
}

type Caches = {
  channels: AsyncCache<Channel | null>
  visitors: AsyncCache<Visitor | null>
  /**
   * Cache by `tenant:ticket` of whether a ticket is a webchat. Its visitor is not cached, since it changes with the person's
   * last writer.
   */
  webchats: AsyncCache<boolean>
  online: AsyncCache<boolean>
}
const cachesByPlatform = new WeakMap<Platform, Caches>()

/** Returns the caches of the widget's routes; entries are dropped when a connection changes. */
function cachesOf(platform: Platform): Caches {
  const known = cachesByPlatform.get(platform)
  if (known) return known
  const caches: Caches = {
    channels: asyncCache((token) => loadChannel(platform, token)),
    visitors: asyncCache((token) => loadVisitor(platform, token)),
    webchats: asyncCache(async (key) => {
      const [tenantId, ticketId] = numberPair(key, ':')
      return (await platform.db.read(tenantId, (db) => conversationOf(db, ticketId))) !== null
    }),
    online: asyncCache((tenantId) => platform.db.read(Number(tenantId), isTeamOnline), 10_000, ONLINE_TTL_MS),
  }
  platform.bus.onStale((what) => {
    if (what.startsWith('connection ')) caches.channels.clear()
    if (what.startsWith('removed connection ')) caches.visitors.clear()
    if (what.startsWith(TOKEN_NEWS)) caches.visitors.delete(what.slice(TOKEN_NEWS.length))
  })
  platform.bus.onMissed(() => {
    for (const cache of Object.values(caches)) cache.clear()
  })
  cachesByPlatform.set(platform, caches)
  return caches
}

async function loadChannel(platform: Platform, token: string): Promise<Channel | null> {
  const known = await platform.db.asPlatform((db) => findInDirectory(db, CHANNEL_KIND, token))
  if (known?.status !== 'active') return null
  const row = await platform.db.read(known.tenant_id, (db) => findChannel(db, Number(known.subject_id)))
  return row ? { tenantId: known.tenant_id, id: row.id, name: row.name, ...(row.config as StoredChannel) } : null
}

async function loadVisitor(platform: Platform, tokenHash: string): Promise<Visitor | null> {
  const known = await platform.db.asPlatform((db) => findByHash(db, VISITOR_KIND, tokenHash))
  if (known?.status !== 'active') return null
  const { connectionId, ...data } = known.data as { connectionId: number } & Partial<VisitorToken>
  const channel = await platform.db.read(known.tenant_id, (db) => findChannel(db, connectionId))
  const token = { ...NEW_TOKEN, ...data }
  return channel ? { tenantId: known.tenant_id, connectionId, visitorId: known.subject_id, tokenHash, token } : null
}

/** Returns the channel of a public token, or throws 404; texts that cannot be a token are not looked up. */
export async function channelOf(platform: Platform, token: unknown): Promise<Channel> {
  const read = channelToken.safeParse(token)
  return required(read.success ? await cachesOf(platform).channels.get(read.data) : null, 'ERR_NO_WAPP_FOUND')
}

/** Finds the visitor of a token; null if unknown. */
export const findVisitorByToken = (platform: Platform, token: string): Promise<Visitor | null> =>
  cachesOf(platform).visitors.get(tokenHashOf(token))

/** Caches a new token's visitor, so that the first message needs no look-up. */
export const rememberToken = (platform: Platform, visitor: Visitor): void =>
  cachesOf(platform).visitors.put(visitor.tokenHash, visitor)

/**
 * Returns the visitor of a bearer token, or throws 401. Tokens unknown to this process are rate-limited by `address` before
 * the look-up. A token from before the reader's proof has no read access.
 */
export async function visitorOf(platform: Platform, token: unknown, address: string, reads: boolean): Promise<Visitor> {
  if (typeof token !== 'string' || token.length > 128) return fail('ERR_SESSION_EXPIRED')
  if (!cachesOf(platform).visitors.peek(tokenHashOf(token))) await platform.limits.use('widgetOpen', networkOf(address))
  const visitor = required(await findVisitorByToken(platform, token), 'ERR_SESSION_EXPIRED')
  if (reads && visitor.token.isRetired) fail('ERR_SESSION_EXPIRED')
  return arrived(platform, visitor)
}

/** Records a token's first use, which invalidates the tokens that it replaces. */
export async function arrived(platform: Platform, visitor: Visitor): Promise<Visitor> {
  const { tenantId, tokenHash, token } = visitor
  if (token.retires.length === 0) return visitor
  const gone = await platform.db.asPlatform((db) => removeRetired(db, VISITOR_KIND, tenantId, token.retires, tokenHash))
  await publishGoneTokens(platform, tenantId, gone)
  const used = { ...visitor, token: { ...token, retires: [] } }
  rememberToken(platform, used)
  return used
}

/** Invalidates tokens in every process and closes their sockets. */
export const publishGoneTokens = (platform: Platform, tenantId: number, hashes: readonly string[]): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    for (const hash of hashes) ctx.stale(`${TOKEN_NEWS}${hash}`)
  })

/** Whether a ticket is a webchat. */
export const isWebchat = (platform: Platform, tenantId: number, ticketId: number): Promise<boolean> =>
  cachesOf(platform).webchats.get(`${tenantId}:${ticketId}`)

/** Updates the cache of a ticket's channel after a change. */
export const rememberChannel = (platform: Platform, tenantId: number, ticketId: number, channel: string): void =>
  cachesOf(platform).webchats.put(`${tenantId}:${ticketId}`, channel === 'webchat')

/** Returns questions, greeting and opening state of the widget at a moment. */
export function beginsAs(channel: Channel, settings: TenantSettings, now: Date) {
  const { form, absent, openings } = beginningOf(channel)
  const { isOn, ...asked } = form
  const isAway = absent.isOn && !isOpenNow(settings, companyHours(settings).week, now)
  return { form: isOn ? asked : null, absent: isAway ? absent.text : null, openings }
}

/** Returns appearance and state of a channel; without its own colour the company's is used. */
export async function describeChannel(platform: Platform, token: string): Promise<WebchatConfig> {
  const channel = await channelOf(platform, token)
  const settings = await platform.settings.get(String(channel.tenantId))
  const colors: Record<string, string>[] = JSON.parse(settings.values.systemColors)
  const look = lookOf(channel.look, channel.name)
  return {
    ...look,
    color: look.color ?? colors.find((map) => map['primary'])?.['primary'] ?? null,
    ...beginsAs(channel, settings, platform.now()),
    rates: ratesOf(settings).map(({ rating, label }) => ({ rating, label })),
    online: await cachesOf(platform).online.get(String(channel.tenantId)),
    upload: { maxBytes: WEBCHAT_MAX_FILE, accept: ACCEPTED_FILES },
  }
}
