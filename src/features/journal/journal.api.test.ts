import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { uuidv7 } from '#server/ids.ts'
import { DISK_FULL, type Faults, installFaults } from '#test/faults.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, type Product, startProduct, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { journal, type SetAsideEvent } from './contract.ts'

let ahead = 0
const product = withProduct({ now: () => new Date(Date.now() + ahead) })
let faults: Faults
type Company = { tenantId: number; connectionId: number; admin: string; restricted: string; agent: string }
let one: Company
let two: Company
let superadmin: string

async function company(): Promise<Company> {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const [admin, restricted, agent] = [
    await m.user(tenantId, { profile: 'admin' }),
    await m.user(tenantId, { profile: 'admin' }),
    await m.user(tenantId),
  ]
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
  )
  const connectionId = await m.connection(tenantId, { type: 'test', name: `Canal de ${tenantId}` })
  return {
    tenantId,
    connectionId,
    admin: await m.token(admin),
    restricted: await m.token(restricted),
    agent: await m.token(agent),
  }
}

beforeAll(async () => {
  testChannel(product().platform)
  faults = await installFaults(product().ownerUrl)
  one = await company()
  two = await company()
  const m = make(product().platform)
  superadmin = await m.token(await m.user(await m.tenant(), { profile: 'superadmin' }))
})
afterAll(() => faults.close())

const list = async (token: string, query: object = {}) => await call(product(), journal.list, token, { query })
const retry = (token: string, ids?: string[]) => call(product(), journal.retry, token, { body: ids ? { ids } : {} })
const bodiesOf = async ({ tenantId }: Company, from: string) =>
  (
    await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select('body').where('conversation_key', '=', from).orderBy('timestamp').execute(),
    )
  ).map((row) => row.body)

/** Writes events that fail, and waits until all of them are set aside. */
async function poison(where: Company, from: string, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) await faults.raise('messages', '22023', body)
  const before = (await list(where.admin)).body.count
  const at = 1_700_000_000_000
  await receive(
    product().platform,
    where,
    bodies.map((body, n) => textEvent({ from: `${from}${n}`, body, id: `${from} ${body}`, at: at + n })),
  )
  await until(async () => (await list(where.admin)).body.count === before + bodies.length)
}

/** Sets further events aside directly, so that the test waits only for the first to fail. */
async function setAside({ tenantId, connectionId }: Company, from: string, bodies: readonly string[]): Promise<void> {
  const at = new Date(Date.now() - 60_000)
  const rows = bodies.slice(1).map((body, n) => {
    const event = textEvent({ from: `${from}${n + 1}`, body, id: `${from} ${body}`, at: 1_700_000_000_001 + n })
    return { id: uuidv7(), dedupe_key: event.dedupeKey, payload: JSON.stringify(event) }
  })
  const failed = { attempts: 3, error: 'a fault of the test', error_code: '22023', processed_at: at, set_aside_at: at }
  await product().platform.db.write(tenantId, (db) =>
    db
      .insertInto('journal')
      .values(rows.map((row) => ({ tenant_id: tenantId, connection_id: connectionId, ...row, ...failed })))
      .execute(),
  )
}

describe('events that were put aside', () => {
  it('are listed for the company, page by page and filtered, and retried one or all, each once in its place', async () => {
    const bodies = Array.from({ length: 45 }, (_, n) => `veneno ${n}`)
    await poison(one, '551181000', bodies.slice(0, 1))
    await setAside(one, '551181000', bodies)
    const first = await list(one.admin)
    expect(first.body).toMatchObject({ count: 45, hasMore: true })
    expect(first.body.events[0]).toMatchObject({
      kind: 'text',
      fault: 'data',
      code: '22023',
      detail: 'a fault of the test',
      attempts: 3,
      connection: { id: one.connectionId, name: `Canal de ${one.tenantId}` },
      tenant: null,
    })
    const rest = await list(one.admin, { cursor: first.body.nextCursor })
    const all = [...first.body.events, ...rest.body.events]
    expect(new Set(all.map((event) => event.id)).size).toBe(45)
    expect((await list(one.admin, { fault: 'own' })).body).toMatchObject({ count: 0, events: [] })
    expect((await list(one.admin, { searchParam: 'CANAL DE' })).body.count).toBe(45)
    expect((await list(one.admin, { cursor: btoa('["x","y"]') })).status).toBe(400)

    // Still bad: it comes back. Healed: it arrives before what was written after it.
    const from = '5511810000'
    await receive(product().platform, one, [textEvent({ from, body: 'mais tarde', at: 1_700_000_900_000 })])
    const [chosen] = all as [SetAsideEvent]
    expect((await retry(one.admin, [chosen.id])).body).toEqual({ retried: 1, left: 44 })
    await until(async () => (await list(one.admin)).body.count === 45)
    await faults.heal()
    expect((await retry(one.admin, [chosen.id])).body).toEqual({ retried: 1, left: 44 })
    expect((await retry(one.admin)).body).toEqual({ retried: 44, left: 0 })
    // A second attempt is too late: no event is left.
    expect((await retry(one.admin, [chosen.id])).body).toEqual({ retried: 0, left: 0 })
    await until(async () => (await bodiesOf(one, from)).length === 2)
    expect(await bodiesOf(one, from)).toEqual(['veneno 0', 'mais tarde'])
    for (const n of bodies.keys())
      await until(
        async () => (await bodiesOf(one, `551181000${n}`)).filter((body) => body === `veneno ${n}`).length === 1,
      )
  }, 90_000)

  it('belong to their company; the superadmin sees all of them without what an error quotes', async () => {
    await poison(one, '551182000', ['de um'])
    await poison(two, '551183000', ['de dois'])
    const [ofOne] = (await list(one.admin)).body.events
    expect((await retry(two.admin, [ofOne!.id])).body).toEqual({ retried: 0, left: 1 })
    for (const token of [one.agent]) {
      expect((await list(token)).status).toBe(403)
      expect((await retry(token)).status).toBe(403)
      expect((await call(product(), journal.platformList, token)).status).toBe(403)
      expect((await call(product(), journal.platformRetry, one.admin, { body: {} })).status).toBe(403)
    }
    expect((await list(one.restricted)).body.events[0]).toMatchObject({ detail: null, code: '22023' })
    // An event type of another release.
    const rename = (from: string, to: string) =>
      product().platform.db.write(one.tenantId, (db) =>
        sql`update journal set payload = jsonb_set(payload, '{message,type}', to_jsonb(${to}::text))
          where id = ${ofOne!.id} and payload #>> '{message,type}' = ${from}`.execute(db),
      )
    await rename('text', 'novidade')
    expect((await list(one.admin)).body.events[0]).toMatchObject({ id: ofOne!.id, kind: 'other' })
    await rename('novidade', 'text')
    const all = await call(product(), journal.platformList, superadmin)
    expect(all).toMatchObject({ status: 200 })
    // The newest first; others of the worker's companies may have theirs.
    const ours = all.body.events.slice(0, 2)
    expect(ours.map((event) => [event.tenant?.id, event.detail])).toEqual([
      [two.tenantId, null],
      [one.tenantId, null],
    ])
    await faults.heal()
    const retried = await call(product(), journal.platformRetry, superadmin, { body: {} })
    expect(retried.body).toEqual({ retried: all.body.count, left: 0 })
    await until(async () => (await bodiesOf(one, '5511820000')).length === 1)
    await until(async () => (await bodiesOf(two, '5511830000')).length === 1)
  }, 60_000)
})

type Delay = { since: string; cause: string | null; companies: number | null } | null

/** Opens a person's page; `told` lists the delays it received, in order. */
async function open(on: Product, token: string): Promise<Socket & { told: Delay[] }> {
  const socket = io(on.address, { transports: ['websocket'], auth: { token }, forceNew: true }) as Socket & {
    told: Delay[]
  }
  socket.told = []
  socket.onAny((name: string, { type, payload }: { type: string; payload: Delay }) => {
    if (name.endsWith(':installation') && type === 'installation:delay') socket.told.push(payload)
  })
  await new Promise<void>((resolve) => socket.on('connect', resolve))
  return socket
}

describe('messages that are late in coming in', () => {
  it('are told to the company and the superadmin in every process, each as it concerns them, until it is over', async () => {
    const other = await startProduct({}, product().ownerUrl)
    const [agent, admin, boss, stranger] = await Promise.all([
      open(other, one.agent),
      open(other, one.admin),
      open(other, superadmin),
      open(other, two.admin),
    ])
    try {
      // Nothing waits, so only the process that was asked to take something can know.
      await faults.raise('journal', DISK_FULL)
      const event = textEvent({ from: '5511840000001', body: 'atrasada' })
      await expect(receive(product().platform, one, [event])).rejects.toThrow()
      await until(() => [agent, admin, boss].every((socket) => socket.told.length > 0))
      expect(agent.told[0]).toMatchObject({ cause: null, companies: null })
      expect(admin.told[0]).toMatchObject({ cause: 'disk', companies: null })
      expect(boss.told[0]).toMatchObject({ cause: 'disk', companies: 1 })
      const late = await open(other, one.admin)
      await until(() => late.told.length > 0)
      await faults.heal()
      await receive(product().platform, one, [event])
      await until(() => [agent, admin, boss, late].every((socket) => socket.told.at(-1) === null))
      expect(stranger.told).toEqual([])
      late.disconnect()
    } finally {
      for (const socket of [agent, admin, boss, stranger]) socket.disconnect()
      await other.close()
    }
  })

  it('are told of a process that is gone for a few seconds only', async () => {
    const other = await startProduct({}, product().ownerUrl)
    const admin = await open(product(), one.admin)
    try {
      other.platform.bus.publish(0, {
        channel: 'delays',
        type: 'delays',
        payload: { process: 'gone', delays: [{ tenantId: one.tenantId, code: DISK_FULL, since: Date.now() }] },
        audience: { kind: 'tenant' },
      })
      await until(() => admin.told.length === 1)
      ahead = 15_000
      await until(() => admin.told.at(-1) === null)
    } finally {
      ahead = 0
      admin.disconnect()
      await other.close()
    }
  }, 60_000)
})
