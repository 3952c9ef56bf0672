import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { type ErrorCode, fail } from '#kit/errors.ts'
import { loadActor, loadSettings } from './actors.ts'
import { createTurns } from './alone.ts'
import { atWork } from './at-work.ts'
import { colorsOfHost } from './branding.ts'
import { asyncCache } from './cache.ts'
import { openDatabase } from './db/db.ts'
import { changeInstallation, ENCRYPTION_KEY, loadInstallation, otherKeyProblem } from './db/installation.ts'
import { refuseTransactionPooler } from './db/poolers.ts'
import type { DatabaseUrls } from './db/roles.ts'
import { type Env, plays } from './env.ts'
import { type Feature, register } from './feature.ts'
import { features as own } from './features.ts'
import { createHealth } from './health.ts'
import { createAnswers, SAMPLE } from './http/answers.ts'
import { mayReadMetrics } from './http/metrics.ts'
import { openApi } from './http/openapi.ts'
import { servePages } from './http/pages.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { registerRoutes } from './http/register.ts'
import type { Route } from './http/route.ts'
import { createHttp } from './http/server.ts'
import { startJobs } from './jobs.ts'
import { lastKnown } from './last-known.ts'
import type { Log } from './log.ts'
import type { Parts } from './parts.ts'
import type { Platform } from './platform.ts'
import { keysOfProviders } from './providers/queries.ts'
import { keysOfSignups } from './providers/queries-sign-ins.ts'
import { createBus, invalidateStale } from './realtime/bus.ts'
import { startSockets } from './realtime/sockets.ts'
import type { Secrets } from './secrets.ts'
import { openStorage } from './storage.ts'
import { rejections } from './uncaught.ts'
import { version } from './version.ts'

/** Running product: its platform, its address, and how to end it (requests and jobs under way are finished). */
export type App = Parts & { platform: Platform; listen(): Promise<string>; close(): Promise<void> }

/** Options of an app; `now`, `checkpoint`, `onSecondClient`, `answers` and `more` features are for tests. */
export type AppOptions = {
  env: Env
  urls: DatabaseUrls
  secrets: Secrets
  log: Log
  now?: () => Date
  checkpoint?: Platform['checkpoint']
  onSecondClient?: (error: Error) => void
  /** Starts another process that keeps connections to channels open; without it this process does. */
  startHost?: NonNullable<Platform['startHost']>
  /** Sampling of answers: one of `every` answers is parsed, and `onUnlike` receives mismatches. */
  answers?: { every: number; onUnlike?: (error: Error) => void }
  more?: readonly Feature[]
}

/** Time-out of a page's branding, in ms, so that a hanging database does not block it. */
const PAGE_MS = 1000

/** Returns the operations of all features. */
export const allRoutes = (features: readonly Feature[] = own) => features.flatMap((feature) => feature.routes ?? [])

/** Builds the product on a migrated database. */
export async function createApp({ more = [], ...options }: AppOptions): Promise<App> {
  const { env, urls } = options
  const features = [...own, ...register(more)]
  const routes = allRoutes(features)
  const platform = createPlatform(options, routes)
  const { db, bus } = platform
  const constraints: Record<string, ErrorCode> = Object.assign(
    {},
    ...features.map((feature) => feature.constraints ?? {}),
  )
  const parts = await createHttp(platform, constraints)
  nameWork(parts)
  const state = { ready: false, draining: false }
  addHealth(parts, platform, state)
  if (plays(env, 'web')) registerRoutes(parts.http, platform, routes)
  serveDocument(parts, platform, features)
  for (const feature of features) await feature.attach?.(platform, { ...parts, routes })
  if (plays(env, 'web')) await servePages(parts, platform, bootOf(platform, features))
  else parts.http.setNotFoundHandler(() => fail('ERR_NOT_FOUND'))

  const stops: (() => unknown)[] = []
  return {
    ...parts,
    platform,
    async listen() {
      await refuseTransactionPooler(urls)
      await db.ping()
      await refuseOtherKey(platform, features)
      await bus.start()
      stops.push(() => bus.close())
      stops.push(platform.limits.start(platform.log))
      if (plays(env, 'web')) stops.push(startSockets(platform, parts.io))
      if (plays(env, 'worker'))
        stops.push(
          await startJobs(
            platform,
            features.flatMap((feature) => feature.jobs ?? []),
            urls.worker,
          ),
        )
      for (const feature of features) if (feature.start) stops.push(await feature.start(platform))
      const address = await parts.http.listen({ port: env.PORT, host: env.HOST })
      state.ready = true
      platform.turns.open()
      return address
    },
    async close() {
      state.draining = true
      platform.turns.open()
      parts.io.disconnectSockets(true)
      await parts.http.close()
      for (const stop of stops.reverse()) await stop()
      await parts.io.close().catch(() => {})
      await db.close()
    },
  }
}

/** Makes the platform: database, bus, caches, limits. */
function createPlatform(
  {
    env,
    urls,
    secrets,
    log,
    now = () => new Date(),
    checkpoint = () => {},
    onSecondClient,
    startHost,
    answers: { every, onUnlike } = { every: SAMPLE },
  }: AppOptions,
  routes: readonly Route[],
): Platform {
  const health = createHealth(now)
  const db = openDatabase(urls, { max: env.DB_POOL, log, now, health, ...(onSecondClient ? { onSecondClient } : {}) })
  const bus = createBus(urls.app, { db, log, health })
  const actors: Platform['actors'] = asyncCache((key) => loadActor(db, key))
  const revokedSessions: Platform['revokedSessions'] = asyncCache((key) => isRevoked(db, key))
  const settings: Platform['settings'] = asyncCache((key) => loadSettings(db, key))
  const installation: Platform['installation'] = asyncCache(() => loadInstallation(db))
  invalidateStale(bus, { actors, settings, revokedSessions, installation })
  return {
    env,
    log,
    version,
    secrets,
    db,
    bus,
    storage: openStorage(env.DATA_DIR, checkpoint),
    health,
    limits: createRateLimits(env.RATE_LIMITS, db),
    answers: createAnswers(log, every, onUnlike),
    actors,
    revokedSessions,
    settings,
    installation,
    operations: routes.map(({ op }) => op),
    turns: createTurns(),
    now,
    checkpoint,
    ...(startHost ? { startHost } : {}),
  }
}

/** Returns what reads the boot data of a page by its host; the last known where the database does not answer in time. */
function bootOf(platform: Platform, features: readonly Feature[]): (host: string) => Promise<object> {
  const page = { version, publicKey: platform.secrets.publicPassphrase, colors: [] }
  return lastKnown(
    async (host: string) => {
      const colors = await colorsOfHost(platform, host)
      const more = await Promise.all(features.map((feature) => feature.boot?.(platform)))
      return Object.assign({ ...page, colors }, ...more)
    },
    {
      first: page,
      waitMs: PAGE_MS,
      onError: (err) => platform.log.warn({ err }, 'the boot data could not be read'),
    },
  )
}

// Decision B13: without their key, encrypted rows are lost; better to learn of it now than from a customer. A database
// that holds none yet remembers its key, so that no other one changes the passwords of its roles (db/migrate.ts).
async function refuseOtherKey({ db, secrets }: Platform, features: readonly Feature[]): Promise<void> {
  await db.asPlatform(async (tx) => {
    const found = [...(await keysOfProviders(tx)), ...(await keysOfSignups(tx))]
    for (const feature of features) found.push(...((await feature.encryptedWith?.(tx)) ?? []))
    const other = found.find((key) => key !== secrets.keyId)
    if (other !== undefined) throw new Error(otherKeyProblem(other, secrets.keyId))
    const known = await tx.selectFrom('installation').select('data').executeTakeFirstOrThrow()
    if (!(ENCRYPTION_KEY in known.data)) await changeInstallation(tx, ENCRYPTION_KEY, { id: secrets.keyId })
  })
}

async function isRevoked(db: Platform['db'], key: string): Promise<boolean> {
  const [tenantId, sessionId = ''] = key.split(':')
  const session = await db.read(Number(tenantId), (tenant) =>
    tenant.selectFrom('sessions').select('revoked_at').where('id', '=', sessionId).executeTakeFirst(),
  )
  return !session || session.revoked_at !== null
}

// Decision B32: liveness, readiness, and metrics.
function addHealth({ http }: Parts, platform: Platform, state: { ready: boolean; draining: boolean }) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_seconds',
    help: 'HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  new Counter({
    name: 'answers_unlike_contract_total',
    help: 'Sampled answers that were not in the form of their contract',
    labelNames: ['operation'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, count] of platform.answers.unlike) this.inc({ operation }, count)
    },
  })
  new Counter({
    name: 'rejections_nobody_awaited_total',
    help: 'Promises that were rejected while nobody awaited them, of work that failed with it or of none that is known',
    labelNames: ['work'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [work, count] of Object.entries(rejections)) this.inc({ work }, count)
    },
  })
  http.addHook('onResponse', async (request, reply) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'page', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  http.get('/health', (_, reply) => reply.send({ status: 'ok', version: platform.version }))
  http.get('/ready', async (_, reply) => {
    const failing = platform.health.failing()
    const ready =
      state.ready &&
      !state.draining &&
      failing.length === 0 &&
      (await platform.db.ping().then(
        () => true,
        () => false,
      ))
    return reply
      .status(ready ? 200 : 503)
      .header('retry-after', ready ? '0' : '2')
      .send({ ready, failing, version: platform.version })
  })
  http.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, platform.env.METRICS_TOKEN)) return fail('ERR_NOT_FOUND')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

// Work for a request is known by its method and route.
function nameWork({ http }: Parts): void {
  http.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      return atWork(`${request.method} ${route.url}`, () => handler.call(this, request, reply))
    }
  })
}

function serveDocument({ http }: Parts, platform: Platform, features: readonly Feature[]): void {
  // Built at the first request: it would be a sixth of the time of a start.
  let api: object | undefined
  http.get('/api/openapi.json', (_, reply) => {
    api ??= openApi(platform.operations, version, Object.assign({}, ...features.map(({ titles }) => titles)))
    return reply.send(api)
  })
}
