import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { typeNames } from '#kit/channel-types.ts'
import { fail } from '#kit/errors.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import type { AccountEvent, ChannelAdapter, WebhookRequest, WebhookResult } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { findManyInDirectory } from '#server/db/directory.ts'
import { readWhole } from '#server/http/bodies.ts'
import { publicOrigin } from '#server/http/public-origin.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import { requestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { together } from '#server/together.ts'
import { adapterOfProvider, makeAdapter, type Reached, reachConnection, STATE_NEWS, toolsOf } from './adapters.ts'
import { keepers } from './keepers.ts'
import { countAtConnection, findByAccount } from './queries.ts'
import { findAddress } from './queries-addresses.ts'
import { countUnclaimed, type StoredApp } from './queries-apps.ts'
import { countAtWebhook, type StoredWebhook } from './queries-provider-webhooks.ts'
import { ACCOUNT_KIND, accountKey, WEBHOOK_KIND } from './save.ts'
import { throughGates } from './webhook-gates.ts'

const PATH = /^[\w-]{22}$/
const MAX_BYTES = 2 * 1024 * 1024
/** Minimum pace of a provider's call: grace period in ms, bytes per second, maximum duration in ms. */
const PACE = { graceMs: 15_000, bytesPerSecond: 8 * 1024, mostMs: 30_000 }

type Target = { tenantId: number; connectionId: number; reached: Reached }

type News = Pick<Extract<WebhookResult, { isGenuine: true }>, 'templates' | 'numbers'>

/** Look-ups that every call needs, batched for concurrent calls. */
type Finding = {
  /** Returns the owner of a path. */
  readonly address: (path: string) => ReturnType<typeof findAddress>
  /** Returns the owners of accounts; keys as a JSON list. */
  readonly accounts: (keys: string) => ReturnType<typeof findManyInDirectory>
}

/** Target of a webhook path: function that reads its calls, their maximum size, delivery of their events. */
type Door = {
  readonly receive: NonNullable<ChannelAdapter['receive']>
  readonly maxBytes: number | undefined
  deliver(events: readonly AccountEvent[]): Promise<void>
  /** Notifies the connection's holder of a possible change of state. */
  publishState?(): Promise<void>
  /** Applies news about message templates and numbers. */
  takeNews?(news: News): Promise<void>
  /** Counts a call with a wrong signature, or contents of unknown kinds. */
  count?(what: { refused: number } | { unread: readonly string[] }): Promise<void>
}

/**
 * Serves all webhooks (decision B23): `GET` for handshakes and `POST` for events at `/api/hooks/{random}`. The path
 * determines the owner before the body is read; 200 is sent once the events are in the journal.
 */
export async function serveWebhooks(platform: Platform, http: FastifyInstance): Promise<void> {
  const { askAsPlatform } = platform.db
  const finding: Finding = {
    address: together((path) => askAsPlatform((db) => findAddress(db, WEBHOOK_KIND, path))),
    accounts: together((keys) => askAsPlatform((db) => findManyInDirectory(db, ACCOUNT_KIND, JSON.parse(keys)))),
  }
  await http.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const method of ['GET', 'POST'] as const)
      door.route<{ Params: { path: string } }>({
        method,
        url: '/api/hooks/:path',
        exposeHeadRoute: false,
        handler: (request, reply) => take(platform, finding, method, request, reply),
      })
  })
}

async function take(
  platform: Platform,
  finding: Finding,
  method: WebhookRequest['method'],
  request: FastifyRequest<{ Params: { path: string } }>,
  reply: FastifyReply,
) {
  const { path } = request.params
  const door = await doorOf(platform, finding, path, request.ip)
  const url = `${(await publicOrigin(platform, requestInfo(request, reply))) ?? ''}/api/hooks/${path}`
  const query = queryOf(request.query)
  const { maxBytes = MAX_BYTES } = door
  const read = async (): Promise<WebhookResult> => {
    const payload = request.body instanceof Readable ? request.body : Readable.from([])
    const body = method === 'POST' ? await readWhole(payload, { maxBytes, pace: PACE }) : EMPTY
    try {
      return await door.receive({ method, url, headers: request.headers, query, body })
    } catch (error) {
      return unreadable(platform, error)
    }
  }
  const result = await (method === 'POST' ? throughGates(path, bytesOf(request, maxBytes), MAX_BYTES, read) : read())
  if (!result.isGenuine) {
    if (result.isHandshake) return fail('ERR_NO_PERMISSION')
    await door.count?.({ refused: 1 })
    return fail('ERR_WEBHOOK_SIGNATURE')
  }
  await door.deliver(result.events)
  await door.takeNews?.(result)
  if (result.isStateNews) await door.publishState?.()
  if (result.unread?.length) await door.count?.({ unread: result.unread })
  const { contentType, body: text } = result.answer ?? { contentType: 'text/plain; charset=utf-8', body: 'ok' }
  return reply.header('cache-control', 'no-store').type(contentType).send(text)
}

const EMPTY = new Uint8Array()

/** Returns the target of a path; 404 if unknown, if its company is inactive, and while the connection is stopped. */
async function doorOf(platform: Platform, finding: Finding, path: string, ip: string): Promise<Door> {
  if (!PATH.test(path)) fail('ERR_NOT_FOUND')
  await platform.limits.use('webhookOpen', networkOf(ip))
  const { known, app, webhook } = await finding.address(path)
  if (app) return doorOfApp(platform, finding, app)
  if (webhook) return doorOfProvider(platform, finding, webhook)
  if (known?.status !== 'active') return fail('ERR_NOT_FOUND')
  const [tenantId, connectionId] = [known.tenant_id, Number(known.subject_id)]
  const reached = await reachConnection(platform, tenantId, connectionId)
  if (!reached?.adapter.receive || !reached.takesEvents) return fail('ERR_NOT_FOUND')
  await platform.limits.use('webhook', `${tenantId}:${connectionId}`)
  return {
    receive: reached.adapter.receive,
    maxBytes: reached.config.webhook?.maxBytes,
    deliver: (events) => journal(platform, { tenantId, connectionId, reached }, events),
    count: (what) => platform.db.write(tenantId, (db) => countAtConnection(db, connectionId, what)),
    publishState: () =>
      unit(platform, { tenantId, user: null }, async (ctx) => ctx.stale(`${STATE_NEWS} ${tenantId}:${connectionId}`)),
  }
}

/** Returns the handler of an app's common address: events go to the connection of their account, in any company. */
async function doorOfApp(platform: Platform, finding: Finding, app: StoredApp): Promise<Door> {
  const config = channelConfigs.find(({ id }) => id === app.channel)
  const type = config?.types[0]?.type
  if (!config?.app || type === undefined) return fail('ERR_NOT_FOUND')
  const adapter = makeAdapter(platform, { appId: app.id }, { ...app, type }, toolsOf(platform, type))
  if (!adapter?.receive) return fail('ERR_NOT_FOUND')
  await platform.limits.use('webhookApp', String(app.id))
  return {
    receive: adapter.receive,
    maxBytes: config.app.maxBytes ?? config.webhook?.maxBytes,
    count: async (what) => platform.log.warn({ appId: app.id, ...what }, 'what came for an app was not read'),
    deliver: async (events) => {
      const unclaimed = await journalByAccount(platform, finding, { channel: app.channel, owner: null }, events)
      if (unclaimed === 0) return
      platform.log.warn({ appId: app.id, events: unclaimed }, 'events of accounts that nobody has connected')
      await platform.db.asPlatform((db) => countUnclaimed(db, app.id, unclaimed))
    },
  }
}

/** Returns the target of a provider's shared webhook; with a company's own settings, events go to its connections only. */
async function doorOfProvider(
  platform: Platform,
  finding: Finding,
  { id, owner_id: owner, provider }: StoredWebhook,
): Promise<Door> {
  const config = channelConfigs.find((one) => one.id === provider)
  if (!config?.settings?.webhook) return fail('ERR_NOT_FOUND')
  const adapter = await adapterOfProvider(platform, owner, provider)
  if (!adapter?.receive) return fail('ERR_NOT_FOUND')
  await platform.limits.use('webhookApp', `provider ${id}`)
  const count = (what: Parameters<typeof countAtWebhook>[2]) =>
    platform.db.asPlatform((db) => countAtWebhook(db, id, what))
  return {
    receive: adapter.receive,
    maxBytes: config.settings.webhook.maxBytes,
    count,
    deliver: async (events) => {
      const unclaimed = await journalByAccount(platform, finding, { channel: provider, owner }, events)
      if (unclaimed > 0) await count({ unclaimed })
    },
    takeNews: async ({ templates = [], numbers = [] }) => {
      const of = keepers()
      const unclaimed =
        (templates.length > 0 ? await of.templates.news(platform, owner, templates) : 0) +
        (numbers.length > 0 ? await of.numbers.news(platform, owner, numbers) : 0)
      if (unclaimed > 0) await count({ unclaimed })
    },
  }
}

/**
 * Journals events for the connections of their accounts, of one company only if given; returns how many belong to no
 * connection.
 */
async function journalByAccount(
  platform: Platform,
  finding: Finding,
  { channel, owner }: { channel: string; owner: number | null },
  events: readonly AccountEvent[],
): Promise<number> {
  const byKey = Map.groupBy(events, ({ account }) => accountKey(channel, account ?? ''))
  const found = await finding.accounts(JSON.stringify([...byKey.keys()]))
  let unclaimed = 0
  // One company's failure does not block other events: on the repeated call, written ones are known.
  const written = await Promise.allSettled(
    [...byKey].map(async ([key, of]) => {
      const claim = found.get(key)
      const to = claim && { tenantId: claim.tenantId, connectionId: Number(claim.subjectId) }
      const isTheirs = to !== undefined && (owner === null || owner === to.tenantId)
      const reached = isTheirs ? await reachConnection(platform, to.tenantId, to.connectionId) : null
      if (!to || !reached?.takesEvents) unclaimed += of.length
      else
        await receive(
          platform,
          to,
          of.map(({ event }) => event),
        )
    }),
  )
  const failed = written.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return unclaimed
}

/** Returns the size of a call by its Content-Length, or the maximum without one; fails if it is too large. */
function bytesOf({ headers }: FastifyRequest, maxBytes: number): number {
  const bytes = Number(headers['content-length'] ?? maxBytes)
  return bytes > maxBytes ? fail('ERR_FILE_TOO_LARGE', { maxBytes }) : bytes
}

// The last value of a repeated parameter counts.
const queryOf = (query: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String([value].flat().at(-1) ?? '')]))

/** Events go to the connection of the account that they name; of an account that the company has not connected, nowhere. */
async function journal(platform: Platform, target: Target, events: readonly AccountEvent[]): Promise<void> {
  const byAccount = Map.groupBy(events, ({ account }) => account)
  for (const [account, of] of byAccount) {
    const connectionId = await connectionOf(platform, target, account)
    if (connectionId !== null)
      await receive(
        platform,
        { tenantId: target.tenantId, connectionId },
        of.map(({ event }) => event),
      )
  }
}

async function connectionOf(platform: Platform, target: Target, account: string | undefined): Promise<number | null> {
  const { tenantId, connectionId, reached } = target
  if (account === undefined) return connectionId
  const types = typeNames(reached.config.types)
  const found = await platform.db.read(tenantId, (db) => findByAccount(db, types, account))
  if (found && found.status !== 'DISCONNECTED') return found.id
  platform.log.warn({ tenantId, connectionId }, 'events of an account that is not connected')
  return null
}

// Answers 400 for malformed JSON or payloads, so that the provider does not retry.
function unreadable({ log }: Platform, err: unknown): never {
  if (!(err instanceof SyntaxError || err instanceof TypeError)) throw err
  log.warn({ err }, 'a call of a provider could not be read')
  return fail('ERR_VALIDATION', { pedido: 'O pedido não pôde ser lido.' })
}
