import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { operation } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['10.1.2.3'] } })
const m = () => make(product().platform)

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
const as = async (profile: 'admin' | 'superadmin', op: any, input: object = {}): Promise<any> =>
  call(product(), op, (await m().person(await m().tenant(), { profile })).token, input as never)

it('only the superadmin reads how the installation runs', async () => {
  for (const op of [operation.environment, operation.manifest, operation.queues, operation.monitor, operation.update])
    expect((await as('admin', op)).status).toBe(403)
})

it('shows the environment and the packages without a secret', async () => {
  const { status, body } = await as('superadmin', operation.environment)
  expect(status).toBe(200)
  expect(body).toContainEqual({ key: 'OUTBOUND_ALLOW', value: '10.1.2.3', isDefault: false, isSecret: false })
  for (const { key, value } of body as { key: string; value: string }[])
    if (/DATABASE_URL$/.test(key)) expect(value).not.toMatch(/:\/\/[^•]*@/)
  const { body: manifest } = await as('superadmin', operation.manifest)
  expect(manifest.about).toContainEqual({ key: 'name', value: 'guiche' })
  expect(manifest.dependencies.length).toBeGreaterThan(10)
})

it('counts jobs by their kinds and gives what has failed for good its next try, once', async () => {
  const name = `operation-test-${crypto.randomUUID()}`
  await product().platform.db.asPlatform((db) => sql`select app.add_job(${name}, '{"tenantId":1}'::json)`.execute(db))
  const mine = async () =>
    ((await as('superadmin', operation.queues)).body as { queueName: string }[]).find((one) => one.queueName === name)
  expect(await mine()).toMatchObject({ failedCount: 0, waitingCount: 1, laterCount: 0, oldest: expect.any(String) })
  expect((await as('superadmin', operation.reprocess, { params: { queueName: name } })).body).toEqual({ count: 0 })
  expect((await as('superadmin', operation.reprocess, { params: { queueName: 'nenhuma' } })).status).toBe(404)
})

it('says which version runs, what the database has, and what is new', async () => {
  const { body } = await as('superadmin', operation.update)
  expect(body).toMatchObject({ version: product().platform.version, onDisk: product().platform.version })
  expect(body.migrations.waiting).toEqual([])
  expect(body.migrations.count).toBeGreaterThan(100)
  expect(body.changes[0]).toMatchObject({
    version: expect.any(String),
    texts: expect.arrayContaining([expect.any(String)]),
  })
})

it('measures the machine, and says what fails and since when', async () => {
  // Work on another thread, since an idle machine measures 0 %.
  const work = promisify(pbkdf2)('x', 'y', 2_000_000, 64, 'sha512')
  const { status, body } = await as('superadmin', operation.monitor)
  await work
  expect([status, body.failing]).toEqual([200, []])
  expect(body.cpu.usage).toBeGreaterThan(0)
  expect(body.database).toMatchObject({ version: expect.stringMatching(/^\d+\./), maxConnections: expect.any(Number) })
  expect(body.database.connections).toBeGreaterThan(0)
  expect(body.database.size).toBeGreaterThan(1_000_000)
  const { health } = product().platform
  health.fail('channels', 'ECONNREFUSED')
  try {
    const [failing] = (await as('superadmin', operation.monitor)).body.failing
    expect(failing).toEqual({ part: 'channels', since: expect.any(String) })
  } finally {
    health.recover('channels')
  }
})
