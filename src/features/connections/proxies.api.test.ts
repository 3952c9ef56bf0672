import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { type ProxyPeer, startProxyPeer } from '#test/peers/proxy.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { whatsappCompany, whatsappEnvironment } from '#test/whatsapp-company.ts'
import { type ConnectionDetail, connections } from './contract.ts'
import { proxies } from './proxies-contract.ts'
import { keysOfProxies } from './server/queries-proxies.ts'

const credentials = { username: 'lojista', password: 'senha-que-termina-em-4821' }
const product = withProduct()
let server: WhatsAppServer
let peer: ProxyPeer
beforeAll(async () => {
  server = await startWhatsAppServer()
  peer = await startProxyPeer({ credentials })
  Object.assign(product().platform.env, whatsappEnvironment(server))
})
afterAll(async () => {
  await server.close()
  await peer.close()
})

let token: string
let tenantId: number
beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  token = await m.token(await m.user(tenantId, { profile: 'admin' }))
})

const ask = (operation: Operation, about: object = {}, by = token) => call(product(), operation, by, about)
const form = (about: object = {}) => ({
  ...{ name: `Saída ${crypto.randomUUID().slice(0, 8)}`, type: 'socks5', host: peer.host, port: peer.port },
  ...{ ...credentials, isActive: true },
  ...about,
})
const add = (about: object = {}, by = token) => ask(proxies.create, { body: form(about) }, by)
const tried = (body: object, by = token) => ask(proxies.test, { body }, by)
const took = 'O proxy respondeu e deixou chegar ao canal.'

test('a password is kept encrypted, answered masked, stays when it comes back, and is asked for again elsewhere', async () => {
  const made = await add({ name: 'Principal' })
  expect(made).toMatchObject({ status: 200, body: { name: 'Principal', password: '••••4821', connectionCount: 0 } })
  const params = { id: made.body.id }
  const body = form({ name: 'Principal', password: '••••4821', isActive: false })
  expect((await ask(proxies.update, { params, body })).body).toMatchObject({ isActive: false, password: '••••4821' })
  const [row] = await product().platform.db.read(tenantId, (db) => db.selectFrom('proxies').selectAll().execute())
  expect(JSON.stringify(row)).not.toContain(credentials.password)
  expect(await product().platform.db.asPlatform(keysOfProxies)).toHaveLength(1)
  // The password is still valid, also for a disabled proxy.
  expect((await tried({ id: params.id })).body).toEqual({ ok: true, text: took })
  expect((await ask(proxies.get, { params })).body).toMatchObject({ testedAt: expect.any(Number), failure: null })
  expect(await ask(proxies.update, { params, body: { ...body, port: 9 } })).toMatchObject({
    status: 400,
    body: { details: { password: 'Informe a senha de novo: o endereço mudou.' } },
  })
  expect((await add({ name: 'Principal' })).body.error).toBe('ERR_DUPLICATED')
  expect((await add({ password: '••••4821' })).status).toBe(400)
})

test.each([
  [{ name: '' }, 'name'],
  [{ type: 'socks4' }, 'type'],
  [{ host: 'http://proxy' }, 'host'],
  [{ port: 0 }, 'port'],
  [{ port: 70_000 }, 'port'],
])('%j is refused at its field', async (part, field) => {
  expect(Object.keys((await add(part)).body['details'] as object)).toEqual([field])
})

test('a test says in words what is wrong, of what is saved and of what is not, and is counted', async () => {
  const { id } = (await add({ password: 'errada' })).body
  const wrong = 'O proxy recusou o usuário ou a senha.'
  expect((await tried({ id })).body).toEqual({ ok: false, text: wrong })
  expect((await ask(proxies.get, { params: { id } })).body).toMatchObject({ failure: wrong })
  expect((await tried({ id, values: form({ type: 'http' }) })).body).toEqual({ ok: true, text: took })
  expect((await tried({ values: form({ port: 9 }) })).body).toEqual({
    ok: false,
    text: 'Ninguém responde neste endereço e porta. Confira os dois.',
  })
  expect((await tried({ values: form({ host: '169.254.169.254' }) })).body).toEqual({
    ok: false,
    text: 'Este endereço não pode ser chamado daqui.',
  })
  expect((await tried({})).body).toMatchObject({ ok: false })
  expect((await ask(proxies.stats)).body).toEqual({ total: 2, active: 1, failed: 1 })
  expect((await ask(proxies.list, { query: { isActive: ['true'] } })).body).toMatchObject({ items: [{ id }] })
})

test('only channels that go by proxies take one, of the same company; one in use stays', async () => {
  const { id } = (await add()).body
  const create = (type: string, proxyId: number) =>
    ask(connections.create, { body: { type, name: `Canal ${proxyId}`, config: {}, proxyId } })
  expect((await create('webchat', id)).status).toBe(400)
  expect((await create('lab-device', id)).body).toMatchObject({
    details: { proxyId: 'Este canal não sai por um proxy.' },
  })
  const m = make(product().platform)
  const stranger = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  expect((await create('baileys', (await add({}, stranger)).body.id)).body.error).toBe('ERR_NO_PROXY_FOUND')
  // Also by the old name of its type.
  const made = await create('whatsapp', id)
  expect(made.body).toMatchObject({ type: 'baileys', proxyId: id })
  expect((await ask(proxies.remove, { params: { id } })).body.error).toBe('ERR_PROXY_IN_USE')
  expect((await ask(proxies.get, { params: { id } })).body).toMatchObject({ connectionCount: 1 })
  await ask(connections.remove, { params: { id: made.body.id } })
  expect((await ask(proxies.remove, { params: { id } })).status).toBe(200)
})

test.each(['socks5', 'http'] as const)(
  'a linked number goes by its %s proxy with all it has, and by no other way',
  async (type) => {
    const own = await startProxyPeer({ credentials })
    const digits = type === 'http' ? '1' : '2'
    const shop = await server.addPhone({ number: `55113000060${digits}`, name: `Loja ${type}` })
    const contact = await server.addPhone({ number: `551198888060${digits}`, name: 'Iracema' })
    const us = await whatsappCompany(product(), shop)
    const params = { id: us.id }
    const proxy = await add({ type, port: own.port }, us.token)
    const saved = await ask(connections.update, { params, body: { proxyId: proxy.body.id } }, us.token)
    expect(saved.body).toMatchObject({ proxyId: proxy.body.id })
    const before = server.visitors.length
    await us.link()
    // In, with a file; out, with a file.
    const bytes = Buffer.from('%PDF-1.4 contrato')
    await contact.file(shop.jid, 'documentMessage', bytes, {
      mimetype: 'application/pdf',
      fileName: 'contrato.pdf',
      caption: 'Leia',
    })
    await until(async () => (await us.message('Leia')).file_id !== null)
    const ticketId = await us.accept(contact.account.number)
    const sent = new FormData()
    sent.set('idFront', crypto.randomUUID())
    sent.set('body', 'Assinado')
    sent.set('medias', new Blob([bytes], { type: 'application/pdf' }), 'assinado.pdf')
    const answer = await fetch(`${product().address}/api/messages/${ticketId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${us.token}` },
      body: sent,
    })
    expect(answer.status).toBe(200)
    await until(() => contact.inbox.length > 0)
    // Fetched by the library: a part of the phone's history that is not in the message.
    await shop.tellHistory()
    await until(() => own.asked.includes('mmg.whatsapp.net:443'))
    const mine = server.visitors.slice(before)
    expect(mine.length).toBeGreaterThan(3)
    expect(mine.filter((port) => !own.ports.has(port))).toEqual([])

    // Proxy down: no connection, and no other route.
    await own.stop()
    await us.is('TIMEOUT')
    await until(async () => (await us.row()).cause === 'proxy')
    const reached = server.visitors.length
    await us.reply(ticketId, 'Ainda aí?')
    await contact.text(shop.jid, 'Enquanto isso')
    await new Promise((done) => setTimeout(done, 2500))
    expect(server.visitors).toHaveLength(reached)
    expect((await us.row()).cause).toBe('proxy')
    expect(await ask(connections.get, { params }, us.token)).toMatchObject({
      body: { status: 'TIMEOUT', cause: 'proxy' },
    })

    // Proxy back: the connection continues.
    await own.start()
    await us.is('CONNECTED')
    await us.message('Enquanto isso')
    await until(() => contact.inbox.length > 1)

    // With a disabled proxy the connection waits; without a proxy it is direct, as requested.
    const { id } = proxy.body
    const off = { ...form({ type, port: own.port }), name: 'Saída', isActive: false }
    await ask(proxies.update, { params: { id }, body: off }, us.token)
    await until(async () => (await us.row()).cause === 'proxy')
    await ask(connections.update, { params, body: { proxyId: null } }, us.token)
    await us.is('CONNECTED')
    expect(own.ports.has(server.visitors.at(-1)!)).toBe(false)
    expect(((await ask(connections.get, { params }, us.token)).body as unknown as ConnectionDetail).proxyId).toBeNull()
    await own.close()
  },
  90_000,
)
