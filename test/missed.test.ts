import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { userEvents, users } from '#features/users/contract.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { startTcpProxy, type TcpProxy } from '#test/peers/tcp-proxy.ts'
import { call, createDatabase, type Product, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

/** Time in ms to notice a dead connection: two seconds to the next query, and two and a half for its response. */
const NOTICED_MS = 6000

let proxy: TcpProxy
/** Product whose notifications pass the proxy, beside another process on the same database. */
let far: Product
let near: Product
const sockets: Socket[] = []

beforeEach(async () => {
  const url = await createDatabase()
  proxy = await startTcpProxy(url)
  far = await startProduct({}, proxy.through(url))
  near = await startProduct({}, url)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  proxy.resume()
  await near.close()
  await far.close()
  await proxy.close()
})

async function company() {
  const m = make(near.platform)
  const tenantId = await m.tenant()
  const admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const agent = await m.user(tenantId)
  const token = await m.token(agent)
  const isKnown = async () => (await call(far, messages.changes, token)).status
  return { tenantId, admin, agent, token, isKnown }
}

/** Commits events at the other process, `amount` in one transaction. */
const emit = (tenantId: number, amount: number, first = 1) =>
  unit(near.platform, { tenantId, user: null }, async (ctx) => {
    for (let n = 0; n < amount; n++) ctx.emit(userEvents.changed, { userId: first + n }, { kind: 'tenant' })
  })

const ready = async () => (await fetch(`${far.address}/ready`)).status
const isFailing = () => far.platform.health.failing().some(({ part }) => part === 'listen')

const cutForGood = () => {
  proxy.freeze('guiche listen')
  proxy.cut('guiche listen')
}

describe.each([
  ['is frozen and says nothing', () => proxy.freeze('guiche listen')],
  ['is cut and cannot come back', cutForGood],
])('while the connection of the notifications %s', (_, lose) => {
  it('it is noticed within five seconds, nothing kept is trusted, and afterwards nothing is missing or told twice', async () => {
    const { tenantId, admin, agent, token, isKnown } = await company()
    const told: (number | null)[] = []
    far.platform.bus.subscribe((tenant, changes) => {
      if (tenant === tenantId) told.push(...changes.map(({ seq }) => seq))
    })
    const socket = io(far.address, { auth: { token }, transports: ['websocket'], reconnection: false })
    sockets.push(socket)
    let isIn = false
    socket.on('connect', () => {
      isIn = true
    })
    socket.on('disconnect', () => {
      isIn = false
    })
    await until(() => isIn)
    await emit(tenantId, 1)
    await until(() => told.length === 1)
    expect(await isKnown()).toBe(200)

    lose()
    expect(
      (await call(near, users.update, admin, { params: { id: agent.id }, body: { isActive: false } })).status,
    ).toBe(200)
    await emit(tenantId, 2500)
    await until(isFailing, NOTICED_MS)
    expect(await ready()).toBe(503)
    await until(async () => (await isKnown()) === 401)

    proxy.resume()
    await until(async () => (await ready()) === 200)
    const inOrder = async () => {
      const { rows } = await headOf(tenantId)
      await until(() => told.length >= rows)
      expect(told).toEqual(Array.from({ length: rows }, (_, n) => n + 1))
    }
    await inOrder()
    await until(() => !isIn)
    await emit(tenantId, 3)
    await inOrder()
  })
})

it('a session that was ended while nobody could say so is put out', async () => {
  const { tenantId, agent, token } = await company()
  const said: string[] = []
  const socket = io(far.address, { auth: { token }, transports: ['websocket'], reconnection: false })
  sockets.push(socket)
  let isIn = false
  socket.on('connect', () => {
    isIn = true
  })
  socket.on('disconnect', () => {
    isIn = false
  })
  socket.onAny((name: string) => said.push(name.split(':')[0]!))
  await until(() => isIn)
  proxy.freeze('guiche listen')
  await near.platform.db.asPlatform((db) =>
    db.updateTable('sessions').set({ revoked_at: new Date() }).where('user_id', '=', agent.id).execute(),
  )
  await until(isFailing, NOTICED_MS)
  expect(isIn).toBe(true)
  proxy.resume()
  await until(() => !isIn)
  expect(said).toContain('sessionInvalidated')
  expect(tenantId).toBeGreaterThan(0)
})

async function headOf(tenantId: number): Promise<{ rows: number }> {
  const head = await near.platform.db.asPlatform((db) =>
    db.selectFrom('feed_heads').select('last_seq').where('tenant_id', '=', tenantId).executeTakeFirstOrThrow(),
  )
  return { rows: head.last_seq }
}
