import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { webchat, webchatChannels } from '#features/webchat/contract.ts'
import { signatureOf } from '#test/channels/sample/adapter.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type ConnectionDetail, connections } from './contract.ts'

const TOKEN = 'um-token-que-termina-em-1234'
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let gateway: Awaited<ReturnType<typeof startSampleGateway>>
beforeAll(async () => {
  gateway = await startSampleGateway(TOKEN)
})
afterAll(() => gateway.close())

const m = () => make(product().platform)
async function company() {
  const tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  return { tenantId, admin, token: await m().token(admin) }
}
type Company = Awaited<ReturnType<typeof company>>

async function connected({ token }: Company): Promise<ConnectionDetail> {
  const config = { address: gateway.address, loft: randomUUID().slice(0, 30), token: TOKEN, speed: 7 }
  const made = await call(product(), connections.create, token, { body: { type: 'sample', name: 'Pombal', config } })
  expect(made.status).toBe(200)
  return (await call(product(), connections.start, token, { params: { id: made.body.id } })).body
}
const edit = ({ token }: Company, id: number, body: object) =>
  call(product(), connections.update, token, { params: { id }, body })
const remove = ({ token }: Company, id: number) => call(product(), connections.remove, token, { params: { id } })
const list = async (token: string, query: object = {}) =>
  (await call(product(), connections.list, token, { query })).body
const rowsOf = (tenantId: number, connectionId: number) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('connection_id', '=', connectionId).orderBy('id').execute(),
  )
const say = (of: Company, connectionId: number, from: string, body = 'Oi') =>
  receive(product().platform, { tenantId: of.tenantId, connectionId }, [textEvent({ from, body })])

describe('what is changed of a connection', () => {
  it('is what the edit names: a new name leaves queue, form and secret alone', async () => {
    const us = await company()
    const queueId = await m().queue(us.tenantId)
    const { id, config } = await connected(us)
    await edit(us, id, { queueId })
    const renamed = await edit(us, id, { name: 'Torre' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Torre', queueId, config, status: 'CONNECTED' } })
    expect((await edit(us, id, { queueId: null })).body).toMatchObject({ name: 'Torre', queueId: null })
    expect((await edit(us, id, { ignoreBussinesHours: 'enabled' })).body.ignoreBussinesHours).toBe('enabled')
    expect((await edit(us, id, { name: 'Farol' })).body.ignoreBussinesHours).toBe('enabled')
    expect((await edit(us, id, { ignoreBussinesHours: true })).status).toBe(400)
    expect((await edit(us, id, { type: 'test' })).status).toBe(400)
    expect((await edit(us, id, { queueId: 999_999 })).body).toMatchObject({ error: 'ERR_NO_QUEUE_FOUND' })
  })
})

describe('“Testar” in the form of a connection', () => {
  const tried = ({ token }: Company, body: object) =>
    call(product(), connections.test, token, { body: { type: 'sample', ...body } }) as Promise<Reply<never>>
  const filled = (over: object = {}) => ({ address: gateway.address, loft: 'novo', token: TOKEN, speed: 7, ...over })

  it('asks the provider about what is not saved yet, and saves nothing', async () => {
    const us = await company()
    expect(await tried(us, { config: filled() })).toMatchObject({ status: 200, body: { ok: true } })
    expect(await tried(us, { config: filled({ token: 'outro' }) })).toMatchObject({ status: 200, body: { ok: false } })
    expect(await tried(us, { config: filled({ token: '' }) })).toMatchObject({
      status: 400,
      body: { details: { 'config.token': expect.any(String) } },
    })
    expect((await list(us.token)).connections).toEqual([])
  })

  it('takes the stored secret where it comes back masked, of the company’s own connections alone', async () => {
    const [us, others] = [await company(), await company()]
    const { id, config } = await connected(us)
    expect(await tried(us, { id, config })).toMatchObject({ status: 200, body: { ok: true } })
    expect(await tried(us, { id, config: { ...config, address: 'http://127.0.0.1:1' } })).toMatchObject({
      status: 400,
      body: { details: { 'config.token': expect.any(String) } },
    })
    expect(await tried(others, { id, config })).toMatchObject({ body: { error: 'ERR_NO_WAPP_FOUND' } })
    expect(await tried(us, { id, type: 'telegram' })).toMatchObject({ body: { error: 'ERR_NO_WAPP_FOUND' } })
    expect((await list(us.token)).connections).toMatchObject([{ id, status: 'CONNECTED' }])
  })

  it('says so where there is no provider to ask', async () => {
    const us = await company()
    expect(await tried(us, { type: 'webchat' })).toMatchObject({ status: 200, body: { ok: false } })
    expect(await tried(us, { type: 'pombo' })).toMatchObject({ status: 400 })
  })
})

describe('the list', () => {
  it('tells who sees connections what is open on each and what may be made; nobody else', async () => {
    const us = await company()
    const { id } = await connected(us)
    await say(us, id, '5511988887777')
    await until(async () => (await rowsOf(us.tenantId, id)).length === 1)
    const agent = await m().user(us.tenantId, { profile: 'user' })
    expect(await list(us.token)).toEqual({ connections: [expect.not.objectContaining({ openTickets: 1 })] })
    const details = await list(us.token, { details: 'true' })
    expect(details.connections).toMatchObject([{ id, openTickets: 1 }])
    expect(details.types).toEqual(expect.arrayContaining(['sample', 'webchat']))
    expect(details.maxConnections).toBeGreaterThan(0)
    // Just connected: unknown in the hours before, and no outage since.
    const before = details.connections[0]!.health!
    expect(before).toMatchObject({ outages: 0, awayMs: 0 })
    expect(before.hours.slice(0, 35)).toEqual(Array<string>(35).fill('unknown'))
    const at = (ago: number) => new Date(product().platform.now().getTime() - ago * 3_600_000)
    await product().platform.db.write(us.tenantId, async (db) => {
      await db
        .updateTable('connections')
        .set({ first_connected_at: at(3.5) })
        .where('id', '=', id)
        .execute()
      const outage = {
        tenant_id: us.tenantId,
        connection_id: id,
        cause: 'network',
        began_at: at(1.75),
        ended_at: at(1.25),
      }
      await db.insertInto('connection_outages').values(outage).execute()
    })
    const health = (await list(us.token, { details: 'true' })).connections[0]!.health!
    expect(health.hours.slice(-4)).toEqual(['up', 'up', 'down', 'up'])
    expect(health).toMatchObject({ outages: 1, awayMs: 1_800_000 })
    expect(await list(await m().token(agent), { details: 'true' })).toEqual(await list(await m().token(agent)))
  })
})

describe('a connection that is removed', () => {
  it('is gone from lists, resolves what was open and keeps its history; its secrets and its address are forgotten', async () => {
    const us = await company()
    const { id, webhookPath } = await connected(us)
    for (const from of ['5511988880001', '5511988880002', '5511988880003']) await say(us, id, from, 'Guarde isto')
    await until(async () => (await rowsOf(us.tenantId, id)).length === 3)
    const [open] = await rowsOf(us.tenantId, id)
    await call(product(), tickets.update, us.token, {
      params: { id: open!.id },
      body: { status: 'open', userId: us.admin.id },
    })
    expect((await remove(us, id)).status).toBe(200)
    await until(async () => (await rowsOf(us.tenantId, id)).every(({ status }) => status === 'closed'))
    expect((await list(us.token)).connections).toEqual([])
    expect((await remove(us, id)).body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
    expect((await edit(us, id, { name: 'x' })).body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
    const said = await call(product(), messages.list, us.token, { params: { ticketId: open!.id } })
    expect(JSON.stringify(said.body)).toContain('Guarde isto')
    const logs = await product().platform.db.read(us.tenantId, (db) =>
      db.selectFrom('ticket_logs').select('type').where('type', '=', 'connectionRemoved').execute(),
    )
    expect(logs).toHaveLength(3)
    const body = JSON.stringify({ events: [] })
    const headers = { 'x-signature': signatureOf(TOKEN, body) }
    expect((await fetch(product().address + webhookPath, { method: 'POST', headers, body })).status).toBe(404)
    const row = await product().platform.db.read(us.tenantId, (db) =>
      db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({ is_deleted: true, secrets: {}, webhook: null, account: null })
  })

  it('takes nothing in that was still on its way, and fails what was on its way out', async () => {
    const us = await company()
    const { id } = await connected(us)
    await say(us, id, '5511988887777')
    await until(async () => (await rowsOf(us.tenantId, id)).length === 1)
    const [ticket] = await rowsOf(us.tenantId, id)
    await remove(us, id)
    await until(async () => (await rowsOf(us.tenantId, id))[0]!.status === 'closed')
    await say(us, id, '5511988889999', 'Tarde demais')
    await ingestIdle(product().platform)
    expect(await rowsOf(us.tenantId, id)).toHaveLength(1)
    await call(product(), tickets.update, us.token, {
      params: { id: ticket!.id },
      body: { status: 'open', userId: us.admin.id },
    })
    const sent = await call(product(), messages.send, us.token, {
      params: { ticketId: ticket!.id },
      body: { body: 'Ainda aí?', idFront: randomUUID() } as never,
    })
    const messageId = sent.body.messages[0]!.id
    const status = () =>
      product().platform.db.read(us.tenantId, (db) =>
        db.selectFrom('messages').select('status').where('id', '=', messageId).executeTakeFirstOrThrow(),
      )
    await until(async () => (await status()).status === 'failed')
  })

  it('frees its place in the plan, and its account', async () => {
    const us = await company()
    const { id, config } = await connected(us)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ max_connections: 1 }).where('id', '=', us.tenantId).execute(),
    )
    const again = () =>
      call(product(), connections.create, us.token, {
        body: { type: 'sample', name: 'Outro', config: { ...config, token: TOKEN } },
      })
    expect((await again()).body).toMatchObject({ error: 'ERR_MAX_CONNECTIONS' })
    await remove(us, id)
    expect((await again()).status).toBe(200)
  })

  it('of a webchat is gone from its sites: its token and its visitors', async () => {
    const us = await company()
    const look = { title: 'Loja', welcome: '', away: '', color: null, position: 'right', theme: 'auto' } as const
    const made = await call(product(), webchatChannels.create, us.token, {
      body: { name: 'Site', queueId: null, look, domains: [], requiresProof: false },
    })
    const { id, token } = made.body
    const open = () => call(product(), webchat.session, null, { body: { token } })
    const { visitorToken } = (await open()).body
    const send = () => call(product(), webchat.send, visitorToken, { body: { idFront: randomUUID(), text: 'Oi' } })
    expect((await send()).status).toBe(200)
    await remove(us, id)
    expect((await open()).body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
    expect((await send()).body).toMatchObject({ error: 'ERR_SESSION_EXPIRED' })
  })

  it('once, however often it is asked for at the same time; and never by who may not', async () => {
    const us = await company()
    const them = await company()
    const { id } = await connected(us)
    const agent = await m().token(await m().user(us.tenantId, { profile: 'super' }))
    expect((await call(product(), connections.remove, agent, { params: { id } })).status).toBe(403)
    expect((await remove(them, id)).status).toBe(404)
    const replies = await Promise.all(Array.from({ length: 20 }, () => remove(us, id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(19)
  })
})
