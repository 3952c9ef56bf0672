import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { tags } from '#features/catalog/tags.ts'
import { users } from '#features/users/contract.ts'
import { unit } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { signal as sendSignal, serversIn } from '#server/postgres/processes.ts'
import { make, PASSWORD } from './make.ts'
import { startTcpProxy, type TcpProxy } from './peers/tcp-proxy.ts'
import { createDatabase as createDatabaseOn, startProduct as startProductOn } from './product.ts'
import { call, createDatabase, type Product, startProduct, testSecrets, withProduct } from './server.ts'
import { until } from './until.ts'

const dist = mkdtempSync(join(tmpdir(), 'guiche-dist-'))
beforeAll(() => {
  mkdirSync(join(dist, 'web', 'assets'), { recursive: true })
  for (const name of ['index.html', 'login.html']) cpSync(name, join(dist, 'web', name))
  writeFileSync(join(dist, 'web', 'assets', 'a.js'), 'console.log(1)')
})
afterAll(() => rmSync(dist, { recursive: true }))

/** Creates a company with a person who has all permissions. */
async function company(product: Product) {
  const made = make(product.platform)
  const tenantId = await made.tenant()
  const admin = await made.user(tenantId, { profile: 'admin' })
  return { tenantId, admin, token: await made.token(admin) }
}

/** Writes a change of a company, which takes the next number of its changes feed. */
const change = (product: Product, tenantId: number, tag: string) =>
  unit(product.platform, { tenantId, user: null }, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('tags')
      .values({ tenant_id: tenantId, tag })
      .returning('id')
      .executeTakeFirstOrThrow()
    ctx.emit(tags.changed, { action: 'create', id }, { kind: 'tenant' })
  })

const tagsOf = async (product: Product, tenantId: number): Promise<string[]> =>
  (await product.platform.db.read(tenantId, (db) => db.selectFrom('tags').select('tag').orderBy('tag').execute())).map(
    ({ tag }) => tag,
  )

describe('a process that froze in the middle of a transaction', () => {
  const product = withProduct()

  /** Simulates another process that holds the lock on the row that numbers the company's changes. */
  async function freeze(tenantId: number): Promise<{ ended: Promise<void> }> {
    const urls = databaseUrls(product().ownerUrl, { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
    const client = new pg.Client({ connectionString: urls.app })
    const ended = new Promise<void>((resolve) => client.on('error', () => resolve()))
    await client.connect()
    onTestFinished(() => client.end().catch(() => {}))
    await client.query("select set_config('app.tenant_id', $1, false)", [String(tenantId)])
    await client.query('begin')
    await client.query('select * from feed_heads for update')
    return { ended }
  }

  test('holds up its company for some seconds, and no other for half a second', async () => {
    const [ours, theirs] = [await company(product()), await company(product())]
    await change(product(), ours.tenantId, 'primeira')
    const work = async (index: number) => {
      const reply =
        index % 4 === 0
          ? await call(product(), tags.ops.create, theirs.token, { body: { tag: `Etiqueta ${index}` } })
          : await call(product(), tags.ops.list, theirs.token)
      expect(reply.status).toBe(200)
    }
    await work(0)
    const { ended } = await freeze(ours.tenantId)
    const names = Array.from({ length: 20 }, (_, index) => `etiqueta ${index}`)
    const changes = names.map((name) => change(product(), ours.tenantId, name))
    let isFrozen = true
    void ended.then(() => {
      isFrozen = false
    })
    let done = 0
    while (isFrozen) await work(++done)
    expect(done).toBeGreaterThan(20)
    // Waiting work that was cut off is repeated, once.
    await Promise.all(changes)
    expect((await tagsOf(product(), ours.tenantId)).sort()).toEqual([...names, 'primeira'].sort())
  })

  test('does its work again when it lives on', async () => {
    const { tenantId } = await company(product())
    let times = 0
    await unit(product().platform, { tenantId, user: null }, async ({ db }) => {
      await db.insertInto('tags').values({ tenant_id: tenantId, tag: 'uma vez' }).execute()
      if (++times === 1) await setTimeout(6000)
    })
    expect([times, await tagsOf(product(), tenantId)]).toEqual([2, ['uma vez']])
  })

  test.each(['guiche_app', 'guiche_platform', 'guiche_worker'])(
    '%s waits and works for a limited time',
    async (role) => {
      const client = new pg.Client(product().ownerUrl)
      await client.connect()
      const { rows } = await client.query('select unnest(rolconfig) as limit from pg_roles where rolname = $1', [role])
      await client.end()
      expect(rows.map((row) => row.limit).sort()).toEqual([
        'idle_in_transaction_session_timeout=5s',
        'lock_timeout=2s',
        'statement_timeout=12s',
      ])
    },
  )
})

/** Requests of a browser and a supervisor, with their expected statuses. */
function askers(product: Product, token: string, email: string) {
  const get = (path: string) =>
    fetch(product.address + path).then(async (r) => ({ status: r.status, body: await r.text() }))
  const statusOf = async (asked: () => Promise<{ status: number }>) => (await asked()).status
  const operations = [
    () => get('/ready'),
    () => call(product, tags.ops.list, token),
    () => call(product, tags.ops.create, token, { body: { tag: `Etiqueta ${Math.random()}` } }),
    () => call(product, users.list, token),
    () => call(product, auth.login, null, { body: { email, password: PASSWORD } }),
  ]
  const pages = ['/health', '/', '/login', '/assets/a.js'].map((path) => () => get(path))
  return {
    operations: () => Promise.all(operations.map(statusOf)),
    pages: () => Promise.all(pages.map(statusOf)),
    isReady: async () => (await get('/ready')).status === 200,
    get,
  }
}

describe('a database behind a line', () => {
  let proxy: TcpProxy
  let product: Product
  beforeAll(async () => {
    proxy = await startTcpProxy(inject('postgresUrl'))
    product = await startProduct({ env: { WEB_DIST: dist } }, proxy.through(await createDatabase()))
  })
  afterAll(async () => {
    proxy.resume()
    await product.close()
    await proxy.close()
  })

  test('that goes silent: 503 within five seconds, pages from memory, and all is well again after it', async () => {
    const { admin, token } = await company(product)
    const { operations, pages, isReady, get } = askers(product, token, admin.email)
    expect(await operations()).toEqual(Array(5).fill(200))
    const login = await get('/login')
    const made = make(product.platform)
    const unknown = await made.token(await made.user(admin.tenantId))
    proxy.freeze()
    // Whatever is found here, those that follow begin with a database that answers.
    onTestFinished(async () => {
      proxy.resume()
      await until(isReady)
    })
    const refusals: string[] = []
    const socket = io(product.address, { transports: ['websocket'], auth: { token: unknown }, reconnectionDelay: 100 })
    socket.on('connect_error', ({ message }) => refusals.push(message))
    onTestFinished(() => void socket.close())
    for (let time = 0; time < 2; time++) {
      expect(await operations()).toEqual(Array(5).fill(503))
      expect(await pages()).toEqual(Array(4).fill(200))
    }
    // On a busy machine those that only listen and work notice it, too.
    const silent = expect.objectContaining({ part: 'database', code: 'ETIMEDOUT' })
    expect(product.platform.health.failing()).toEqual(expect.arrayContaining([silent]))
    product.platform.installation.clear()
    const boot = (html: string) => /id="boot"[^>]*>([^<]*)/.exec(html)?.[1]
    expect(boot((await get('/login')).body)).toBe(boot(login.body))
    proxy.resume()
    await until(isReady)
    expect(await operations()).toEqual(Array(5).fill(200))
    expect(product.platform.health.failing()).toEqual([])
    // A socket whose user could not be read meanwhile got no token error, and reconnects by itself.
    await until(() => socket.connected)
    expect(refusals).not.toContain('authentication error')
  })

  test('that is slow, but answers, is not cut', async () => {
    const { token } = await company(product)
    await call(product, tags.ops.list, token)
    proxy.delay(600)
    const reply = await call(product, tags.ops.list, token)
    proxy.resume()
    expect(reply.status).toBe(200)
  })

  test('that is cut under a change and under readers: they go on over another, and nothing is done twice', async () => {
    const { tenantId, token } = await company(product)
    let times = 0
    let reads: Promise<{ status: number }>[] = []
    await unit(product.platform, { tenantId, user: null }, async ({ db }) => {
      await db.insertInto('tags').values({ tenant_id: tenantId, tag: 'uma vez' }).execute()
      if (++times === 1) {
        reads = Array.from({ length: 20 }, () => call(product, tags.ops.list, token))
        proxy.cut()
      }
      await db.selectFrom('tags').select('id').execute()
    })
    expect([times, await tagsOf(product, tenantId)]).toEqual([2, ['uma vez']])
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('that is cut at the commit: nobody knows whether it happened, so it is not done again', async () => {
    const { tenantId } = await company(product)
    let times = 0
    const asked = unit(product.platform, { tenantId, user: null }, async ({ db }) => {
      await db.insertInto('tags').values({ tenant_id: tenantId, tag: 'talvez' }).execute()
      times++
      // The commit is on its way, or was done already: its answer does not arrive.
      proxy.delay(300)
      void setTimeout(450).then(() => {
        proxy.cut()
        proxy.resume()
      })
    })
    const error = await asked.catch((thrown: unknown) => thrown)
    expect([times, isInfrastructure(error)]).toEqual([1, true])
    expect((await tagsOf(product, tenantId)).length).toBeLessThanOrEqual(1)
  })
})

test('a product that is stopped while its connections to the database come back stops', async () => {
  const proxy = await startTcpProxy(inject('postgresUrl'))
  const product = await startProduct({ env: { ROLES: ['worker'] } }, proxy.through(await createDatabase()))
  proxy.cut()
  await until(() => proxy.connections('guiche worker alive') === 0)
  proxy.delay(100)
  await until(() => proxy.connections('guiche worker alive') > 0)
  await product.close()
  await proxy.close()
})

describe('a database whose processes are stopped', () => {
  let stop: () => Promise<void>
  let product: Product
  let directory: string
  const send = (signal: NodeJS.Signals, pids = serversIn(directory)) => {
    for (const pid of pids) sendSignal(pid, signal)
  }
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'guiche-still-'))
    directory = join(dataDir, 'postgres')
    const quiet = { info: () => {}, error: console.error }
    const server = await startEmbedded({ dataDir, log: quiet, fsync: false, sharedBuffers: '16MB' })
    product = await startProductOn(await createDatabaseOn(server.url), { env: { WEB_DIST: dist } })
    stop = async () => {
      send('SIGCONT')
      await product.close()
      await server.stop()
      rmSync(dataDir, { recursive: true })
    }
  })
  afterAll(() => stop())

  test('all of them: 503 within five seconds, pages from memory, and all is well again after it', async () => {
    const { admin, token } = await company(product)
    const { operations, pages, isReady } = askers(product, token, admin.email)
    await operations()
    send('SIGSTOP')
    onTestFinished(() => send('SIGCONT'))
    expect(await operations()).toEqual(Array(5).fill(503))
    expect(await pages()).toEqual(Array(4).fill(200))
    send('SIGCONT')
    await until(isReady)
    expect(await operations()).toEqual(Array(5).fill(200))
  })

  test('one of them, that of a client at rest: it is left alone', async () => {
    const { tenantId, token } = await company(product)
    const pid = await product.platform.db.read(tenantId, async (db) => {
      return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
    })
    send('SIGSTOP', [pid])
    const reply = await call(product, tags.ops.list, token)
    send('SIGCONT', [pid])
    expect(reply.status).toBe(200)
  })
})
