import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { make, type Person } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { startReceiver } from '#test/peers/receiver.ts'
import { startStreamServer } from '#test/peers/stream-server.ts'
import { call, withProduct } from '#test/server.ts'
import { streamCompany } from '#test/stream-company.ts'
import { until } from '#test/until.ts'
import { apiKeys } from './contract.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)

let channel: TestChannel
let receiver: Awaited<ReturnType<typeof startReceiver>>
let tenantId: number
let connectionId: number
let admin: Person

beforeAll(async () => {
  channel = testChannel(product().platform)
  receiver = await startReceiver()
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin' })
})
afterAll(() => receiver.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
type Any = any
async function ask(who: Person, op: Any, input: object = {}): Promise<Any> {
  return (await call(product(), op, who.token, input as never)).body
}
type Key = { id: string; token: string }
const create = (more: object = {}, who = admin): Promise<Key> =>
  ask(who, apiKeys.create, { body: { name: 'Loja virtual', sessionId: connectionId, ...more } })

async function external({ id, token }: Key, path: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await fetch(`${product().address}/v2/api/external/${id}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: reply.status, body: (await reply.json()) as Any }
}
const sentTo = (number: string) => channel.sent.filter(({ conversationKey }) => conversationKey === number)

describe('a key', () => {
  it('is shown once, kept as a hash, and holds for its own address alone', async () => {
    const key = await create()
    expect(key.token).toMatch(/^[\w-]{43}$/)
    const listed = (await ask(admin, apiKeys.list)).items
    expect(listed[0]).toMatchObject({ id: key.id, hint: key.token.slice(-4), perMinute: 120, lastUsedAt: null })
    expect(JSON.stringify(listed)).not.toContain(key.token)
    expect((await external(key, '/showChannel', {})).body).toMatchObject({ id: connectionId })
    expect((await ask(admin, apiKeys.get, { params: { id: key.id } })).lastUsedAt).not.toBeNull()
    const other = await create()
    expect((await external({ ...key, token: other.token }, '/showChannel', {})).status).toBe(401)
    expect((await external({ ...key, token: 'x' }, '/showChannel', {})).status).toBe(401)
    expect((await external({ ...key, token: admin.token }, '/showChannel', {})).status).toBe(401)
    await ask(admin, apiKeys.update, { params: { id: key.id }, body: { isActive: false } })
    expect((await external(key, '/showChannel', {})).body.error).toBe('ERR_API_KEY_OFF')
    await ask(admin, apiKeys.remove, { params: { id: other.id } })
    expect((await external(other, '/showChannel', {})).status).toBe(401)
  })

  it('is renewed with a day in which both tokens hold', async () => {
    const key = await create()
    const renewed: Key = await ask(admin, apiKeys.renew, { params: { id: key.id } })
    for (const one of [key, renewed]) expect((await external(one, '/showChannel', {})).status).toBe(200)
    shiftMs += 24 * 3_600_000 + 1000
    admin.token = await m().token(admin)
    expect((await external(key, '/showChannel', {})).status).toBe(401)
    expect((await external(renewed, '/showChannel', {})).status).toBe(200)
  })

  it('does what its owner may and its scopes name, from where it is allowed', async () => {
    const reading = await create({ scopes: ['connections:read', 'contacts:read'] })
    expect((await external(reading, '', { number: '11912345670', body: 'Oi' })).body.error).toBe('ERR_NO_PERMISSION')
    const near = await create({ networks: ['127.0.0.0/8', '::1'] })
    expect((await external(near, '/showChannel', {})).status).toBe(200)
    const far = await create({ networks: ['203.0.113.0/24'] })
    expect((await external(far, '/showChannel', {})).body.error).toBe('ERR_API_KEY_ADDRESS')
    for (const body of [{ scopes: ['platform:write'] }, { scopes: ['nada'] }, { networks: ['aqui'] }, { perMinute: 0 }])
      expect((await ask(admin, apiKeys.create, { body: { name: 'x', sessionId: connectionId, ...body } })).error).toBe(
        'ERR_VALIDATION',
      )
    const owner = await m().person(tenantId, { profile: 'admin' })
    const key = await create({}, owner)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ is_active: false }).where('id', '=', owner.id).execute(),
    )
    product().platform.bus.stale(`actors ${tenantId}:${owner.id}`)
    expect((await external(key, '/showChannel', {})).status).toBe(401)
    const agent = await m().person(tenantId)
    expect((await call(product(), apiKeys.list, agent.token)).status).toBe(403)
    const stranger = await m().person(await m().tenant(), { profile: 'admin' })
    const foreign = await call(product(), apiKeys.get, stranger.token, { params: { id: key.id } })
    expect(foreign.status).toBe(404)
  })

  it('takes its token out of an address only where it says so', async () => {
    const key = await create()
    const path = `/params?number=11955550001&body=Ola&token=${key.token}`
    expect((await external({ ...key, token: '' }, path)).status).toBe(401)
    await ask(admin, apiKeys.update, { params: { id: key.id }, body: { takesQuery: true } })
    expect((await external({ ...key, token: '' }, path)).body).toMatchObject({ messageId: expect.any(String) })
  })
})

describe('a program', () => {
  it('sends in any spelling of a number to one contact, and leaves no ticket waiting', async () => {
    const key = await create()
    const spellings = [
      '11 98234-5678',
      '+55 (11) 98234-5678',
      '5511982345678',
      11982345678,
      '011982345678',
      '1182345678',
    ]
    const answers: Any[] = []
    for (const [n, number] of spellings.entries())
      answers.push((await external(key, '', { number, body: `Aviso ${n}` })).body)
    expect(new Set(answers.map(({ contactId }) => contactId)).size).toBe(1)
    expect(new Set(answers.map(({ ticketId }) => ticketId)).size).toBe(1)
    await until(() => sentTo('5511982345678').length === spellings.length)
    const { status } = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select('status').where('id', '=', answers[0].ticketId).executeTakeFirstOrThrow(),
    )
    expect(status).toBe('closed')
    const wrong = await external(key, '', { number: '123', body: 'x' })
    expect([wrong.status, Object.keys(wrong.body.details)]).toEqual([400, ['number']])
    expect((await external(key, '', { number: '11912345678' })).body.details).toHaveProperty('body')
  })

  it('that repeats itself gets the first answer, also many times at once; another text under the same key is refused', async () => {
    const key = await create()
    const body = { number: '11912345611', body: 'Pedido enviado', externalKey: 'pedido-1' }
    const many = await Promise.all(Array.from({ length: 20 }, () => external(key, '', body)))
    expect(new Set(many.map((one) => one.body.messageId)).size).toBe(1)
    await until(() => sentTo('5511912345611').length > 0)
    expect((await external(key, '', { ...body, body: 'Outro texto' })).status).toBe(409)
    shiftMs += 25 * 3_600_000
    admin.token = await m().token(admin)
    expect((await external(key, '', body)).body.messageId).toBe(many[0]!.body.messageId)
    expect(sentTo('5511912345611')).toHaveLength(1)
    expect((await external(await create(), '', body)).body.messageId).not.toBe(many[0]!.body.messageId)
  })

  it('sends files from an address and as base64, opens tickets, and is told why a file does not come', async () => {
    const key = await create()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const mediaUrl = receiver.at('/foto.png', (_, response) => response.writeHead(200).end(png))
    const number = '11912345622'
    const sent = await external(key, '/url', { number, mediaUrl, body: 'Veja' })
    expect(sent.body).toMatchObject({ messageId: expect.any(String) })
    const base64Data = png.toString('base64')
    expect((await external(key, '/base64', { number, base64Data, fileName: 'f.png' })).status).toBe(200)
    const missing = await external(key, '/url', { number, mediaUrl: receiver.at('/nada', 404) })
    expect([missing.status, missing.body.error]).toEqual([422, 'ERR_FILE_FETCH'])
    const refused = await external(key, '/url', { number, mediaUrl: 'http://169.254.169.254/x' })
    expect(refused.body.error).toBe('ERR_ADDRESS_REFUSED')
    const opened = await external(key, '/createTicket', { number: '11912345633', body: 'Podemos ajudar?' })
    const found = await external(key, '/showticket', { number: '11 91234-5633' })
    expect(found.body).toMatchObject({ id: opened.body.ticketId, status: 'open', userId: admin.id })
  })

  it('makes contacts, moves tickets, tags and reads', async () => {
    const key = await create({
      scopes: ['tickets:read', 'tickets:write', 'tickets:start', 'contacts:read', 'contacts:write', 'tags:read'],
    })
    const queueId = await m().queue(tenantId)
    const tag = await m().tag(tenantId, { tag: 'Cliente ouro' })
    const contact = { name: 'Carla Souza', number: '11912345644', externalKey: 'c-1' }
    const many = await Promise.all(Array.from({ length: 20 }, () => external(key, '/createContact', contact)))
    const [made] = many
    expect(made!.body).toMatchObject({ name: 'Carla Souza', externalKey: 'c-1' })
    expect(new Set(many.map(({ body }) => body.id))).toEqual(new Set([made!.body.id]))
    const { ticketId } = (await external(key, '/createTicket', { number: '11912345644', body: 'Olá' })).body
    expect((await external(key, '/updatequeue', { ticketId, queueId })).body).toMatchObject({ queueId })
    const tagged = await external(key, '/updatetag', { ticketId, tag: 'cliente ouro' })
    expect(tagged.body.tags.map((one: { id: number }) => one.id)).toEqual([tag])
    expect((await external(key, '/updateticketinfo', { ticketId, status: 'closed' })).body.status).toBe('closed')
    const { messages } = (await external(key, '/showAllMessages', { ticket: ticketId })).body
    expect(messages[0]).toMatchObject({ body: 'Olá', fromMe: true })
    expect((await external(key, '/showallticket', { number: '11912345644' })).body.tickets).toHaveLength(1)
    expect((await external(key, '/showticketchatbot', { number: '11912345644' })).status).toBe(404)
    expect((await external(key, '/showticket', { number: '11900000000' })).status).toBe(404)
    const others = await m().ticket(await m().tenant())
    expect((await external(key, '/updatequeue', { ticketId: others, queueId })).status).toBe(404)
  })

  it('is called back about what it sent, and about what was answered to it', async () => {
    const key = await create({ urlMessageStatus: receiver.at('/callback'), authToken: 'segredo' })
    const number = '11912345655'
    const { messageId } = (await external(key, '', { number, body: 'Chegou?', externalKey: 'k-9' })).body
    const bodies = () => receiver.to('/callback').map(({ body }) => JSON.parse(body))
    await until(() => bodies().some((one) => one.type === 'hookMessageStatus'))
    expect(bodies()[0]).toMatchObject({ type: 'hookMessageStatus', messageId, externalKey: 'k-9' })
    expect(receiver.to('/callback')[0]!.headers['authorization']).toBe('segredo')
    await receive(product().platform, { tenantId, connectionId }, [textEvent({ from: '5511912345655', body: 'Sim!' })])
    await ingestIdle(product().platform)
    await until(() => bodies().some((one) => one.type === 'hookMessage'))
    expect(bodies().find((one) => one.type === 'hookMessage')).toMatchObject({
      message: 'Sim!',
      externalKey: 'k-9',
    })
    await ask(admin, apiKeys.remove, { params: { id: key.id } })
  })

  it('is called back about its channel, with each code to read', async () => {
    const server = await startStreamServer()
    const us = await streamCompany(product(), server)
    server.set(us.account, { linked: false })
    const body = { name: 'Painel', sessionId: us.id, urlServiceStatus: receiver.at('/channel') }
    expect((await call(product(), apiKeys.create, us.token, { body })).status).toBe(200)
    const bodies = () => receiver.to('/channel').map(({ body: told }) => JSON.parse(told))
    const isTold = (qrcode: string) => until(() => bodies().some((one) => one.qrcode === qrcode))
    await us.start({})
    await isTold('codigo-1')
    const about = { qrcode: 'outro', seconds: 60 }
    server.say(us.account, { type: 'status', status: 'qrcode', about })
    await isTold('outro')
    expect(bodies().at(-1)).toMatchObject({ type: 'hookSessionStatus', status: 'qrcode', qrcode: 'outro' })
    await us.end()
    await until(() => bodies().at(-1).status === 'DISCONNECTED')
    expect(bodies().at(-1).qrcode).toBe('')
    await server.close()
  })
})

it('the external API is described', async () => {
  const reply = await fetch(`${product().address}/v2/api/external/openapi.json`)
  const { paths } = (await reply.json()) as { paths: object }
  expect(Object.keys(paths)).toHaveLength(17)
})
