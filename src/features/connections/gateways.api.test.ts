import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { certificate, certificateKey } from '#features/lab/server/whatsapp/certificate.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { gatewayCalls, tried } from '#providers/channels/gateway-calls.ts'
import type { Tx } from '#server/db/db.ts'
import { outboundFetch } from '#server/outbound.ts'
import { linkedByGateway, OTAVIO } from '#test/channels/gateway-end.ts'
import { make } from '#test/make.ts'
import { startEvolution } from '#test/peers/evolution.ts'
import { startUazapi } from '#test/peers/uazapi.ts'
import { startWuzapi } from '#test/peers/wuzapi.ts'
import { startZapi } from '#test/peers/zapi.ts'
import { call, type Product, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const jid = `${OTAVIO.number}@s.whatsapp.net`
const closes: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closes.map((close) => close())))

/** Creates a company with a phone at an Evolution API, in conversation with a person. */
async function company(at: Product = product()) {
  const evolution = await startEvolution()
  closes.push(evolution.close)
  evolution.people.set(OTAVIO.number, OTAVIO.name)
  const m = make(at.platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  const settings = { url: evolution.address, key: evolution.key }
  const connection = await linkedByGateway(at, token, {
    ...{ type: 'evo', provider: 'evolution', settings, scan: evolution.scan },
  })
  await connection.link()
  const say = (id: string, body: string, fromMe = false) =>
    evolution.tell('messages.upsert', {
      key: { remoteJid: jid, fromMe, id },
      ...{ pushName: OTAVIO.name, message: { conversation: body }, source: 'android' },
      messageTimestamp: Math.floor(at.platform.now().getTime() / 1000),
    })
  await say(randomUUID(), 'Oi')
  const rows = () =>
    at.platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['id', 'body', 'status', 'provider_id', 'from_me']).orderBy('seq').execute(),
    )
  await until(async () => (await rows()).length === 1)
  const ticket = await at.platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('id').executeTakeFirstOrThrow(),
  )
  const body = { status: 'open', userId: admin.id } as const
  await call(at, tickets.update, token, { params: { id: ticket.id }, body })
  const send = async (text: string) => {
    const form = { idFront: randomUUID(), body: text }
    const reply = await call(at, messages.send, token, { params: { ticketId: ticket.id }, body: form as never })
    return reply.body.messages[0]!.id
  }
  const becomes = (id: string, status: string) =>
    until(async () => (await rows()).some((one) => one.id === id && one.status === status))
  /** Makes the connection poll the gateway, as it does each minute. */
  const look = () => at.platform.bus.stale(`news ${tenantId}:${connection.id}`)
  return { ...connection, evolution, tenantId, token, send, becomes, rows, say, look }
}

describe.concurrent('a phone at a gateway', () => {
  it('whose answer was lost: its own word settles the message, once, whenever it comes', async () => {
    const { evolution, send, becomes, rows } = await company()
    Object.assign(evolution.faults, { lostAnswers: 1, holdEchoes: true })
    const late = await send('Segue o orçamento')
    await becomes(late, 'uncertain')
    await evolution.release()
    await becomes(late, 'sent')
    // Before the lost response is detected.
    Object.assign(evolution.faults, { lostAnswers: 1, holdEchoes: false })
    await becomes(await send('E o desconto'), 'sent')
    await becomes(await send('Até logo'), 'sent')
    expect(evolution.got.map(({ body }) => body)).toEqual(['Segue o orçamento', 'E o desconto', 'Até logo'])
    expect((await rows()).filter(({ from_me }) => from_me).map(({ body, provider_id }) => [body, provider_id])).toEqual(
      evolution.got.map(({ body, id }) => [body, id]),
    )
  })

  it('that does not answer is not asked anew for each message behind, and nothing of it counts as failed', async () => {
    const wuzapi = await startWuzapi()
    closes.push(wuzapi.close)
    wuzapi.people.set(OTAVIO.number, OTAVIO.name)
    const m = make(product().platform)
    const tenantId = await m.tenant()
    const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
    const settings = { url: wuzapi.address, key: wuzapi.key }
    const { id, link } = await linkedByGateway(product(), token, {
      ...{ type: 'meow', provider: 'wuzapi', settings, scan: wuzapi.scan },
    })
    await link()
    const contactId = await m.contact(tenantId, { number: OTAVIO.number })
    const begun = { contactId, whatsappId: id, isActiveDemand: true } as never
    const { id: ticketId } = (await call(product(), tickets.create, token, { body: begun })).body
    wuzapi.faults.isSilent = true
    const words = ['um', 'dois', 'três', 'quatro', 'cinco', 'seis', 'sete']
    for (const body of words)
      await call(product(), messages.send, token, {
        params: { ticketId },
        body: { idFront: randomUUID(), body } as never,
      })
    const trail = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('message_trail').select('at').where('step', '=', 'waiting').execute(),
      )
    await until(async () => (await trail()).length > 0, 60_000)
    for (const body of words)
      await call(product(), messages.send, token, {
        params: { ticketId },
        body: { idFront: randomUUID(), body } as never,
      })
    expect((await trail()).length).toBeLessThan(3)
    wuzapi.faults.isSilent = false
    await until(() => wuzapi.got.length === 2 * words.length, 60_000)
    expect(wuzapi.got.map(({ body }) => body)).toEqual([...words, ...words])
  }, 130_000)

  it('that gives our id back settles by it also what was said twice', async () => {
    const uazapi = await startUazapi()
    closes.push(uazapi.close)
    uazapi.people.set(OTAVIO.number, OTAVIO.name)
    const m = make(product().platform)
    const tenantId = await m.tenant()
    const admin = await m.user(tenantId, { profile: 'admin' })
    const token = await m.token(admin)
    const settings = { url: uazapi.address, key: uazapi.key }
    const { id, link } = await linkedByGateway(product(), token, {
      ...{ type: 'uazapi', provider: 'uazapi', settings, scan: uazapi.scan },
    })
    await link()
    const contactId = await m.contact(tenantId, { number: OTAVIO.number })
    const begun = { contactId, whatsappId: id, isActiveDemand: true } as never
    const ticket = (await call(product(), tickets.create, token, { body: begun })).body
    Object.assign(uazapi.faults, { lostAnswers: 2, holdEchoes: true })
    for (const idFront of [randomUUID(), randomUUID()])
      await call(product(), messages.send, token, {
        params: { ticketId: ticket.id },
        body: { idFront, body: 'Oi?' } as never,
      })
    const sent = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').select(['status', 'provider_id']).where('body', '=', 'Oi?').orderBy('seq').execute(),
      )
    await until(async () => (await sent()).every(({ status }) => status === 'uncertain'))
    await uazapi.release()
    await until(async () => (await sent()).every(({ status }) => status === 'sent'))
    expect((await sent()).map(({ provider_id }) => provider_id)).toEqual(uazapi.got.map((one) => one.id))
  })

  it('of two that say the same and lost their answers neither is settled, and nothing is shown twice', async () => {
    const { evolution, send, becomes, rows, say } = await company()
    Object.assign(evolution.faults, { lostAnswers: 2, holdEchoes: true })
    const both = [await send('Oi?'), await send('Oi?')]
    for (const id of both) await becomes(id, 'uncertain')
    await evolution.release()
    await say('B2', 'Sim?')
    await until(async () => (await rows()).some(({ body }) => body === 'Sim?'))
    expect((await rows()).filter(({ body }) => body === 'Oi?')).toMatchObject([
      { status: 'uncertain', provider_id: null },
      { status: 'uncertain', provider_id: null },
    ])
  })

  it('shows what was written on the phone itself, once however often it is told', async () => {
    const { rows, say } = await company()
    await say('F1', 'Escrito no celular', true)
    await say('F1', 'Escrito no celular', true)
    await say('C1', 'Depois')
    await until(async () => (await rows()).some(({ body }) => body === 'Depois'))
    expect((await rows()).filter(({ from_me }) => from_me)).toMatchObject([{ body: 'Escrito no celular' }])
  })

  it('that does not answer is said to be away, and what is sent waits until it is back', async () => {
    const { evolution, read, is, send, becomes, look } = await company()
    evolution.faults.isSilent = true
    look()
    await is('TIMEOUT')
    expect(await read()).toMatchObject({ cause: 'network' })
    const id = await send('Espera')
    await becomes(id, 'pending')
    evolution.faults.isSilent = false
    await is('CONNECTED')
    await becomes(id, 'sent')
    expect(evolution.got).toHaveLength(1)
  })

  it('that is away a moment before anybody noticed: what is sent then waits for it as well', async () => {
    const { evolution, send, becomes, look, is } = await company()
    evolution.only().state = 'connecting'
    const id = await send('Espera também')
    await until(() => evolution.calls.some(({ path }) => path.startsWith('/message/')))
    await becomes(id, 'pending')
    evolution.only().state = 'open'
    look()
    await is('CONNECTED')
    await becomes(id, 'sent')
    expect(evolution.got).toHaveLength(1)
  })

  it('whose owner takes back on it what was said, takes it back here', async () => {
    const { evolution, rows, say, tenantId } = await company()
    await say('F9', 'Engano meu', true)
    await until(async () => (await rows()).some(({ body }) => body === 'Engano meu'))
    await evolution.tell('messages.delete', { id: 'F9', remoteJid: jid, fromMe: true, status: 'DELETED' })
    await until(async () =>
      product()
        .platform.db.read(tenantId, (db) =>
          db.selectFrom('messages').select('is_deleted').where('provider_id', '=', 'F9').executeTakeFirstOrThrow(),
        )
        .then((row) => row.is_deleted),
    )
  })

  it('that is there no more waits for a person, and messages with it', { timeout: 60_000 }, async () => {
    const gone = await company()
    const { url } = gone.evolution.only().webhook!
    const { name: instance } = gone.evolution.only()
    gone.evolution.instances.clear()
    gone.look()
    await gone.is('DISCONNECTED')
    expect(await gone.read()).toMatchObject({ cause: 'unlinked' })
    // A gateway that takes longer to find it still reports messages of contacts.
    const message = { conversation: 'Cheguei no meio' }
    const data = { key: { remoteJid: jid, fromMe: false, id: 'M1' }, message, messageTimestamp: 1_772_000_000 }
    const told = JSON.stringify({ event: 'messages.upsert', instance, data })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(url, { method: 'POST', headers, body: told })).status).toBe(200)
    await until(async () => (await gone.rows()).some(({ body }) => body === 'Cheguei no meio'))
    const id = await gone.send('Espera')
    // Connected again: now another phone reads a code.
    await gone.link()
    await gone.becomes(id, 'sent')
  })

  it('whose key is another one waits for a person; what contacts write comes in meanwhile', async () => {
    const { evolution, is, read, look, say, rows, send, becomes } = await company()
    evolution.changeKey()
    look()
    await is('DISCONNECTED')
    expect(await read()).toMatchObject({ cause: 'token' })
    await becomes(await send('Também espera'), 'pending')
    await say('D1', 'Tem alguém aí?')
    await until(async () => (await rows()).some(({ body }) => body === 'Tem alguém aí?'))
  })

  it('is spoken to by what is filled in now: a new key takes effect without anybody starting it anew', async () => {
    const { evolution, tenantId, token, look, is, read, send, becomes } = await company()
    const ofCompany = <T>(work: (db: Tx) => Promise<T>) => product().platform.db.write(tenantId, work)
    const { key } = evolution
    const old = await ofCompany((db) => db.selectFrom('provider_settings').selectAll().executeTakeFirstOrThrow())
    evolution.changeKey()
    const body = { url: evolution.address, key: evolution.key } as never
    await call(product(), providers.save, token, { params: { id: 'evolution' }, body })
    const id = await send('Com a chave nova')
    look()
    await becomes(id, 'sent')
    await is('CONNECTED')
    expect(await read()).toMatchObject({ cause: null })
    // Also if the new one is refused before the change of settings was published.
    await ofCompany((db) =>
      db
        .updateTable('provider_settings')
        .set({ secrets: JSON.stringify(old.secrets) })
        .execute(),
    )
    evolution.changeKey(key)
    look()
    await becomes(await send('Com a de antes'), 'sent')
    await is('CONNECTED')
  })

  it('calls where we say, also when somebody had it call elsewhere; a call about another instance is refused', async () => {
    const { evolution, params, token, read } = await company()
    const { webhook } = evolution.only()
    const { webhookUrl } = await read()
    expect(webhook).toMatchObject({ url: webhookUrl, byEvents: false, base64: false })
    Object.assign(webhook!, { url: 'https://outro.example', enabled: false })
    expect((await call(product(), connections.setWebhook, token, { params })).status).toBe(200)
    expect(evolution.only().webhook).toMatchObject({ url: webhookUrl, enabled: true })
    const post = (body: string) =>
      fetch(webhookUrl!, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await post(JSON.stringify({ event: 'messages.upsert', instance: 'outra', data: {} }))).status).toBe(401)
    expect((await post('<html>')).status).toBe(400)
    // An event without a key does not block others; it is counted, like refused ones.
    const whole = {
      key: { id: 'A1', remoteJid: `${OTAVIO.number}@s.whatsapp.net`, fromMe: false },
      ...{ pushName: 'Otávio', message: { conversation: 'Inteira' }, messageTimestamp: 1_761_040_800 },
    }
    const data = [{ message: { conversation: 'Sem chave' } }, whole]
    const { name } = evolution.only()
    expect((await post(JSON.stringify({ event: 'messages.upsert', instance: name, data }))).status).toBe(200)
    expect((await post(JSON.stringify({ event: 'labels.edit', instance: name, data: {} }))).status).toBe(200)
    const empty = JSON.stringify({ event: 'messages.upsert', instance: name, data: [{}] })
    await Promise.all(Array.from({ length: 20 }, () => post(empty)))
    expect(await read()).toMatchObject({
      ...{ refusedCalls: 1, unreadFields: 'messages.upsert incomplete (21), labels.edit (1)' },
    })
    evolution.faults.isSilent = true
    expect((await call(product(), connections.setWebhook, token, { params })).body).toMatchObject({
      ...{ error: 'ERR_CONNECTION_TEST', details: { config: expect.stringContaining('caiu antes da resposta') } },
    })
  })

  it('is unlinked when it is ended, and nothing of it stays at the gateway', async () => {
    const { evolution, params, token } = await company()
    await call(product(), connections.end, token, { params })
    await until(() => evolution.instances.size === 0)
  })
})

it('brings large files one after the other: what is not its turn is not read', async () => {
  const wuzapi = await startWuzapi()
  closes.push(wuzapi.close)
  const m = make(product().platform)
  const token = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  const settings = { url: wuzapi.address, key: wuzapi.key }
  const { start, read } = await linkedByGateway(product(), token, {
    ...{ type: 'meow', provider: 'wuzapi', settings, scan: async () => {} },
  })
  await start()
  const { webhookPath } = await read()
  const { hostname, port } = new URL(product().address)
  const blank = Buffer.alloc(30 * 1024 * 1024, ' ')
  const calling = (bytes: Buffer) => {
    const socket = connect(Number(port), hostname)
    const heads = [`POST ${webhookPath} HTTP/1.1`, 'host: x', 'connection: close', 'content-type: application/json']
    socket.write(`${heads.join('\r\n')}\r\ncontent-length: ${blank.length}\r\n\r\n`)
    const piece = 256 * 1024
    for (let at = 0; at < bytes.length; at += piece) socket.write(bytes.subarray(at, at + piece))
    return { socket, answer: text(socket) }
  }
  const first = [calling(blank.subarray(1)), calling(blank.subarray(1))]
  await until(() => first.every(({ socket }) => socket.writableLength === 0))
  const last = calling(blank)
  // 60 of 64 MB are used: of further bytes only the network's own buffers are filled.
  const waiting = () => last.socket.writableLength
  for (let before = -1; before !== waiting(); ) {
    before = waiting()
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  expect(waiting()).toBeGreaterThan(0)
  // Small calls do not wait for them.
  const small = { method: 'POST', headers: { 'content-type': 'application/json' }, body: ' ' }
  expect((await fetch(product().address + webhookPath, small)).status).toBe(400)
  first[0]!.socket.write(' ')
  expect((await last.answer).slice(0, 12)).toBe('HTTP/1.1 400')
  first[1]!.socket.write(' ')
  expect((await Promise.all(first.map(({ answer }) => answer))).map((one) => one.slice(0, 12))).toEqual([
    'HTTP/1.1 400',
    'HTTP/1.1 400',
  ])
})

describe('what is filled in of a gateway', () => {
  let admin: string
  beforeAll(async () => {
    const m = make(product().platform)
    admin = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  })
  const test = async (id: string, body: object) =>
    (await call(product(), providers.test, admin, { params: { id }, body: body as never })).body

  const gateways = { evolution: startEvolution, wuzapi: startWuzapi, uazapi: startUazapi, zapi: startZapi }
  it.each(Object.keys(gateways))('of %s is tried, and what is wrong is said', async (id) => {
    const peer = await gateways[id as keyof typeof gateways]()
    closes.push(peer.close)
    const { address: url, key } = peer
    expect(await test(id, { url, key })).toMatchObject({ ok: true })
    expect(await test(id, { url, key: 'outra' })).toMatchObject({ ok: false, text: expect.stringContaining('a chave') })
    const wrong = async (address: string) => (await test(id, { url: address, key })).text
    expect(await wrong('http://127.0.0.1:1')).toBe('Ninguém atende em 127.0.0.1:1. Confira o endereço e a porta.')
    expect(await wrong(url.replace('http:', 'https:'))).toMatch(/^Em 127.0.0.1:\d+ não se fala https/)
    expect(await wrong('http://nao-existe.invalid')).toMatch(/nao-existe.invalid não foi encontrado/)
    expect(await wrong('http://10.1.2.3')).toContain('OUTBOUND_ALLOW')
    expect(await wrong(product().address)).toMatch(/^Em 127.0.0.1:\d+ não responde/)
    peer.faults.isSilent = true
    expect(await wrong(url)).toContain('caiu antes da resposta')
  })

  it('is said to have a certificate of nobody’s, to take too long, or to want us to wait', async () => {
    const servers = [
      createTlsServer({ cert: certificate, key: certificateKey }, (_, reply) => void reply.end('{}')),
      createServer(() => {}),
      createServer((_, reply) => void reply.writeHead(429).end('{}')),
    ]
    const said = async (server: (typeof servers)[number], scheme: string) => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      closes.push(async () => void server.close().closeAllConnections())
      const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
      const asked = () => outboundFetch({ allow: ['127.0.0.1'] }, url, { answerMs: 300 })
      const gateway = { name: 'a WuzAPI', url, headers: {} }
      const result = await tried(gateway, () => gatewayCalls({ fetch: asked }, gateway)('/'))
      return result.ok ? '' : result.problem
    }
    expect(await said(servers[0]!, 'https')).toMatch(/^O certificado de 127.0.0.1:\d+ não é confiável/)
    expect(await said(servers[1]!, 'http')).toMatch(/não respondeu a tempo/)
    expect(await said(servers[2]!, 'http')).toBe('A WuzAPI pediu para esperar. Tente de novo daqui a pouco.')
  })

  it('names the instance of Z-API with its token: where it is unknown, that is said', async () => {
    const zapi = await startZapi()
    closes.push(zapi.close)
    Object.assign(product().platform.env, { PUBLIC_URL: product().address })
    const body = { url: zapi.address, key: zapi.key } as never
    await call(product(), providers.save, admin, { params: { id: 'zapi' }, body })
    const config = { wabaId: 'outra', tokenAPI: 'um token' }
    const made = await call(product(), connections.create, admin, {
      body: { type: 'zapi', name: 'Z', config },
    })
    const params = { id: made.body.id }
    expect((await call(product(), connections.start, admin, { params })).body).toMatchObject({
      details: { config: expect.stringContaining('não conhece esta instância') },
    })
  })

  it('is asked for before anything is connected, and so is the address by which we are called', async () => {
    const made = await call(product(), connections.create, admin, { body: { type: 'meow', name: 'Sem nada' } })
    const params = { id: made.body.id }
    const start = async () => (await call(product(), connections.start, admin, { params })).body
    expect(await start()).toMatchObject({ details: { config: expect.stringContaining('Preencha antes a WuzAPI') } })
    const peer = await startWuzapi()
    closes.push(peer.close)
    const body = { url: peer.address, key: peer.key } as never
    await call(product(), providers.save, admin, { params: { id: 'wuzapi' }, body })
    Object.assign(product().platform.env, { PUBLIC_URL: undefined })
    await call(product(), connections.update, admin, { params, body: { name: 'Sem endereço' } })
    expect(await start()).toMatchObject({ details: { config: expect.stringContaining('PUBLIC_URL') } })
    expect(peer.users).toEqual([])
    const linked = await call(product(), connections.create, admin, {
      body: { type: 'baileys', name: 'Direto' },
    })
    const id = linked.body.id
    expect((await call(product(), connections.setWebhook, admin, { params: { id } })).body).toMatchObject({
      error: 'ERR_NO_WEBHOOK',
    })
  })
})
