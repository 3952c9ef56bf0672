import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '#features/access/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { companies } from '#features/tenants/companies.ts'
import { tickets } from '#features/tickets/contract.ts'
import { signatureOf } from '#test/channels/sample/adapter.ts'
import { journaled } from '#test/journaled.ts'
import { make } from '#test/make.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
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
let counter = 0

async function company() {
  const tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  return { tenantId, admin, token: await m().token(admin) }
}
type Company = Awaited<ReturnType<typeof company>>

const valuesOf = (loft: string) => ({ address: gateway.address, loft, token: TOKEN, speed: 7, sings: true })
const create = ({ token }: Pick<Company, 'token'>, config: object = valuesOf(`pombal-${++counter}`), type = 'sample') =>
  call(product(), connections.create, token, { body: { type, name: 'Pombal', config } as never })
const start = ({ token }: Company, id: number) => call(product(), connections.start, token, { params: { id } })
async function connected(of: Company, values?: object): Promise<ConnectionDetail> {
  const { body } = await create(of, values)
  expect((await start(of, body.id)).status).toBe(200)
  return body
}
const hook = (path: string, init: RequestInit) => fetch(`${product().address}${path}`, init)
const event = (body: object) => JSON.stringify({ events: [body] })
const say = (path: string, body: string, signature = signatureOf(TOKEN, body)) =>
  hook(path, { method: 'POST', headers: { 'x-signature': signature, 'content-type': 'text/weird' }, body })
const words = (about: object = {}) => ({
  id: `v${++counter}`,
  from: '5511988887777',
  text: 'Olá',
  at: Date.now(),
  ...about,
})
const ticketsOf = ({ tenantId }: Company) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select(['id', 'channel', 'connection_id', 'conversation_key']).orderBy('id').execute(),
  )
const journalOf = ({ tenantId }: Company) => product().platform.db.read(tenantId, journaled)
const stored = ({ tenantId }: Company, id: number) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

describe('a channel that is one folder and two lines', () => {
  it('is made from its form: the secret is kept encrypted, answered masked, and stays when it comes back unchanged', async () => {
    const us = await company()
    const { status, body } = await create(us, valuesOf('mascarado'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'sample', status: 'DISCONNECTED' })
    expect(body.config).toEqual({
      address: gateway.address,
      loft: 'mascarado',
      token: '••••1234',
      speed: 7,
      bird: 'pigeon',
      sings: true,
    })
    const before = await stored(us, body.id)
    expect(JSON.stringify(before)).not.toContain(TOKEN)
    expect(JSON.stringify(before)).not.toContain(body.webhookPath!.split('/').at(-1))
    const save = (values: object) =>
      call(product(), connections.update, us.token, {
        params: { id: body.id },
        body: { name: 'Outro', config: values } as never,
      })
    expect(await save(body.config)).toMatchObject({ status: 200, body: { name: 'Outro', config: body.config } })
    expect((await stored(us, body.id)).secrets).toEqual(before.secrets)
    expect((await save({ ...body.config, token: 'um-token-novo-que-termina-em-9876' })).body).toMatchObject({
      config: { token: '••••9876' },
    })
    const { body: again } = await call(product(), connections.get, us.token, { params: { id: body.id } })
    expect(again).toMatchObject({ config: { token: '••••9876' }, webhookPath: body.webhookPath })
  })

  it('names each wrong field, and asks for a secret again that would be told to somebody else', async () => {
    const us = await company()
    const wrong = await create(us, { address: 'ftp://x', token: '••••9999', speed: 900, bird: 'ostrich', wings: 2 })
    expect(wrong).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    const { details } = wrong.body as never as { details: Record<string, string> }
    expect(Object.keys(details).sort()).toEqual(
      ['config.address', 'config.bird', 'config.loft', 'config.speed', 'config.wings'].sort(),
    )
    expect((await create(us, { ...valuesOf('x'), token: '••••9999' })).body).toMatchObject({
      details: { 'config.token': 'Informe o segredo de novo.' },
    })
    const { body } = await create(us)
    const moved = await call(product(), connections.update, us.token, {
      params: { id: body.id },
      body: { name: 'Pombal', config: { ...body.config, address: 'https://outro.example' } },
    })
    expect(moved.body).toMatchObject({ details: { 'config.token': 'Informe o segredo de novo.' } })
    expect((await create(us, {}, 'telex')).body).toMatchObject({ details: { type: 'Canal desconhecido.' } })
    expect((await create(us, {}, 'webchat')).status).toBe(400)
  })

  it('is started when its provider takes what was filled in, and not before', async () => {
    const us = await company()
    const { body } = await create(us, { ...valuesOf('errado'), token: 'um-token-que-ninguem-conhece' })
    expect((await start(us, body.id)).body).toMatchObject({
      error: 'ERR_CONNECTION_TEST',
      details: { config: 'O pombal não conhece este token.' },
    })
    expect((await stored(us, body.id)).status).toBe('DISCONNECTED')
    await call(product(), connections.update, us.token, {
      params: { id: body.id },
      body: { name: 'Pombal', config: { ...body.config, token: TOKEN } },
    })
    expect((await start(us, body.id)).body).toMatchObject({ status: 'CONNECTED' })
  })

  it('brings a signed call into the journal before it answers, and a ticket after; the reply leaves by the adapter', async () => {
    const us = await company()
    const { id, webhookPath } = await connected(us)
    const body = event(words({ id: 'primeira', text: 'Coo' }))
    const replies = await Promise.all(Array.from({ length: 20 }, () => say(webhookPath!, body)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    // An event received while the first is being processed is dropped when taken.
    await until(async () => (await journalOf(us)).length === 1)
    expect(await journalOf(us)).toMatchObject([{ connection_id: id, payload: { dedupeKey: 'primeira' } }])
    await until(async () => (await ticketsOf(us)).length === 1)
    const [ticket] = await ticketsOf(us)
    expect(ticket).toMatchObject({ channel: 'sample', connection_id: id, conversation_key: '5511988887777' })
    const params = { id: ticket!.id }
    await call(product(), tickets.update, us.token, { params, body: { status: 'open', userId: us.admin.id } })
    const long = await call(product(), messages.send, us.token, {
      params: { ticketId: ticket!.id },
      body: { body: 'x'.repeat(161), idFront: crypto.randomUUID() } as never,
    })
    expect(long.body).toMatchObject({ error: 'ERR_MESSAGE_TOO_LONG' })
    await call(product(), messages.send, us.token, {
      params: { ticketId: ticket!.id },
      body: { body: 'Volte logo', idFront: crypto.randomUUID() } as never,
    })
    await until(() => gateway.calls.some(({ body }) => body.text?.includes('Volte logo')))
    expect(gateway.calls.at(-1)).toMatchObject({ path: '/send', token: TOKEN, body: { to: '5511988887777' } })
    const detail = await call(product(), tickets.get, us.token, { params })
    expect(detail.body).toMatchObject({
      capabilities: {
        media: true,
        quote: false,
        presence: false,
        maxTextLength: 160,
        maxFileBytes: 1000,
        files: { image: { maxBytes: 1000, mimes: ['image/png'] } },
        windowHours: 24,
      },
    })
  })

  it('is a feature of the plan by being there', async () => {
    const owner = await m().user(await m().tenant(), { profile: 'superadmin' })
    const us = await company()
    const token = await m().token(owner)
    const { body } = await call(product(), access.get, us.token, { params: { id: us.admin.id } })
    expect(body.person.features).toContain('channel:sample')
    await call(product(), companies.update, token, {
      params: { id: us.tenantId },
      body: { allowedChannels: ['webchat'] },
    })
    expect(await create(us)).toMatchObject({ status: 403, body: { error: 'ERR_CHANNEL_NOT_ALLOWED' } })
    await call(product(), companies.update, token, {
      params: { id: us.tenantId },
      body: { allowedChannels: ['sample'] },
    })
    expect((await create(us)).status).toBe(200)
  })

  it('is counted: twenty at once on the last free place are one', async () => {
    const us = await company()
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ max_connections: 2 }).where('id', '=', us.tenantId).execute(),
    )
    await create(us)
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(us)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.find(({ status }) => status !== 200)?.body).toMatchObject({ error: 'ERR_MAX_CONNECTIONS' })
  })
})

describe('the way in', () => {
  it('answers a handshake, and 401 to whoever does not know the secret', async () => {
    const us = await company()
    const { id, webhookPath: path } = await connected(us)
    const hello = await hook(`${path}?token=${TOKEN}&challenge=pru`, {})
    expect([hello.status, await hello.text()]).toEqual([200, 'pru'])
    expect((await hook(`${path}?token=outro&challenge=pru`, {})).status).toBe(401)
    const body = event(words())
    for (const signature of ['', 'f'.repeat(64), signatureOf('outro', body), signatureOf(TOKEN, `${body} `)]) {
      const reply = await say(path!, body, signature)
      expect([reply.status, await reply.json()]).toMatchObject([401, { error: 'ERR_WEBHOOK_SIGNATURE' }])
    }
    const { body: detail } = await call(product(), connections.get, us.token, { params: { id } })
    expect(detail).toMatchObject({ refusedCalls: 5, unreadFields: '' })
  })

  it('answers 404 to a path that nobody has, to an ended connection and to a company that is shut', async () => {
    const us = await company()
    const { id, webhookPath: path } = await connected(us)
    const body = event(words())
    const { connection } = m()
    const withoutHook = await connection(us.tenantId)
    for (const other of [
      'AAAAAAAAAAAAAAAAAAAAAA',
      'x',
      '..%2f..%2fwhatsapp',
      `${withoutHook}`,
      'ã'.repeat(22),
      'a'.repeat(2900),
    ])
      expect((await say(`/api/hooks/${other}`, body)).status).toBe(404)
    expect((await hook(path!, { method: 'DELETE' })).status).toBe(404)
    await call(product(), connections.end, us.token, { params: { id } })
    expect((await say(path!, body)).status).toBe(404)
    await start(us, id)
    expect((await say(path!, body)).status).toBe(200)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', us.tenantId).execute(),
    )
    expect((await say(path!, body)).status).toBe(404)
    expect(await journalOf(us)).toHaveLength(1)
  })

  it('takes no more bytes than the channel says, told beforehand or not, and says so to what it cannot read', async () => {
    const us = await company()
    const { webhookPath: path } = await connected(us)
    const huge = event(words({ text: 'x'.repeat(5000) }))
    expect((await say(path!, huge)).status).toBe(413)
    const stream = new Blob([huge]).stream()
    const headers = { 'x-signature': signatureOf(TOKEN, huge) }
    expect((await hook(path!, { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit)).status).toBe(
      413,
    )
    for (const body of ['', 'x', 'null', '{}', '{"events":[null]}', '{"events":3}'])
      expect([body, (await say(path!, body)).status]).toEqual([body, 400])
    expect(await journalOf(us)).toEqual([])
  })

  it('reads the bytes whatever kind they are said to be, also where nobody says so', async () => {
    const us = await company()
    const { webhookPath: path } = await connected(us)
    const { hostname, port } = new URL(product().address)
    for (const type of [
      '',
      'content-type: application/json\r\n',
      'content-type: application/x-www-form-urlencoded\r\n',
    ]) {
      const body = event(words())
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${type}x-signature: ${signatureOf(TOKEN, body)}\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
      expect([type, (await text(socket)).slice(0, 12)]).toEqual([type, 'HTTP/1.1 200'])
    }
    expect(await journalOf(us)).toHaveLength(3)
  })

  it('hands events to the connection of the account that they name, never to another company’s', async () => {
    const [us, them] = [await company(), await company()]
    const ours = await connected(us, valuesOf('nosso'))
    const other = await connected(us, valuesOf('outro'))
    await connected(them, valuesOf('deles'))
    const body = JSON.stringify({
      events: [words({ loft: 'outro' }), words({ loft: 'nosso' }), words({ loft: 'deles' }), words()],
    })
    expect((await say(ours.webhookPath!, body)).status).toBe(200)
    expect((await journalOf(us)).map(({ connection_id }) => connection_id).sort()).toEqual(
      [ours.id, ours.id, other.id].sort(),
    )
    expect(await journalOf(them)).toEqual([])
    expect(await create(us, valuesOf('nosso'))).toMatchObject({ status: 409, body: { error: 'ERR_DUPLICATED' } })
  })

  it('is limited for each connection', async () => {
    const limited = await startProduct(
      { env: { RATE_LIMITS: true, OUTBOUND_ALLOW: ['127.0.0.1'] } },
      product().ownerUrl,
    )
    const us = await company()
    const { id, webhookPath: path } = await connected(us)
    for (let used = 0; used < 6000; used++) await limited.platform.limits.isWithin('webhook', `${us.tenantId}:${id}`)
    const body = event(words())
    const headers = { 'x-signature': signatureOf(TOKEN, body) }
    const reply = await fetch(`${limited.address}${path}`, { method: 'POST', headers, body })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    await limited.close()
  })
})
