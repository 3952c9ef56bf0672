import { randomUUID } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contacts } from '#features/contacts/contract.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { queues } from '#features/queues/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { webchatChannels } from '#features/webchat/contract.ts'
import { allRoutes } from '#server/app.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

let clock = Date.now()
const product = withProduct({ now: () => new Date(clock) })
const made = () => make(product().platform)
let one: Awaited<ReturnType<typeof company>>
let other: Awaited<ReturnType<typeof company>>

async function company() {
  const m = made()
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const admin = await m.user(tenantId, { profile: 'admin' })
  const about = { connection_id: connectionId, channel: 'test', user_id: admin.id }
  const contactId = await m.contact(tenantId)
  const ticketId = await m.ticket(tenantId, { ...about, contact_id: contactId })
  const messageId = await m.message(tenantId, ticketId, { body: `segredo ${tenantId}` })
  const token = await m.token(admin)
  return { tenantId, connectionId, admin, token, contactId, ticketId, messageId, queueId: await m.queue(tenantId) }
}

beforeAll(async () => {
  testChannel(product().platform)
  one = await company()
  other = await company()
})
afterEach(() => {
  clock = Date.now()
})

const errorOf = (reply: Reply) => reply.body as { error: string; details?: Record<string, string>; requestId: string }

describe('texts that a database cannot keep', () => {
  it('do not stop the messages of others', async () => {
    const bad = `a\0b\ud800c`
    const events = [
      textEvent({ from: '551190001', body: bad, name: bad }),
      textEvent({ from: '551190002', body: 'oi' }),
    ]
    await Promise.all(events.map((event) => receive(product().platform, one, [event])))
    const bodies = async () =>
      (
        await product().platform.db.read(one.tenantId, (db) =>
          db.selectFrom('messages').select('body').where('body', 'in', ['oi', 'ab\ufffdc']).execute(),
        )
      ).length
    await until(async () => (await bodies()) === 2)
  })

  it('are cleaned in bodies, and refused or harmless in addresses', async () => {
    const sent = await call(product(), messages.send, one.token, {
      params: { ticketId: one.ticketId },
      body: { idFront: randomUUID(), body: 'x\0y\udfff', isNote: true },
    })
    expect(sent.status).toBe(200)
    expect(sent.body.messages[0]!.body).toBe('xy\ufffd')
    const configs = { filtrosAtendimento: { 'a\0': 'b\0' } }
    const saved = await call(product(), users.setConfigs, one.token, { params: { id: one.admin.id }, body: configs })
    expect(saved.body).toMatchObject({ configs: { filtrosAtendimento: { a: 'b' } } })
    expect((await call(product(), queues.list, one.token, { query: { searchParam: 'a\0b' } })).status).toBe(200)
  })

  it.each([
    ['alone', ''],
    ['behind what has to be cleaned', '"x":"\\u0000",'],
  ])('data nested without end is refused, %s', async (_, before) => {
    const body = `{"filtrosAtendimento":{${before}"y":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}`
    const reply = await fetch(`${product().address}/api/users/${one.admin.id}/configs`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
      body,
    })
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([400, 'ERR_VALIDATION'])
  })
})

describe('what the server did not ask for', () => {
  it('does not make anybody an administrator', async () => {
    const agent = await made().user(one.tenantId)
    const token = await made().token(agent)
    const body = { isDark: true, profile: 'superadmin', tenantId: other.tenantId } as never
    const reply = await call(product(), users.setConfigs, token, { params: { id: agent.id }, body })
    expect([reply.status, errorOf(reply).details]).toEqual([
      400,
      { profile: 'Campo desconhecido.', tenantId: 'Campo desconhecido.' },
    ])
    const prototype = await fetch(`${product().address}/api/users/${agent.id}/configs`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"__proto__":{"profile":"admin"},"isDark":true}',
    })
    expect(prototype.status).toBe(400)
  })

  it('in an address is ignored; a tenant is never taken from there or from a header', async () => {
    const headers = { 'x-tenant-id': `${other.tenantId}`, 'x-forwarded-host': 'outra.dev', forwarded: 'host=outra.dev' }
    const query = { tenantId: other.tenantId, tenant_id: other.tenantId, qualquer: 'x' } as never
    const reply = await call(product(), queues.list, one.token, { query, headers })
    expect(reply.status).toBe(200)
    expect(reply.body.items.map(({ id }) => id)).toEqual([one.queueId])
  })
})

describe('ids of another company', () => {
  const get = (op: Parameters<typeof call>[1], params: object) =>
    call(product(), op, one.token, { params } as never).then(({ status }) => status)

  it('do not exist', async () => {
    expect(await get(tickets.get, { id: other.ticketId })).toBe(404)
    expect(await get(tickets.logs, { id: other.ticketId })).toBe(404)
    expect(await get(messages.list, { ticketId: other.ticketId })).toBe(404)
    expect(await get(contacts.get, { id: other.contactId })).toBe(404)
    expect(await get(queues.get, { id: other.queueId })).toBe(404)
    expect(await get(users.get, { id: other.admin.id })).toBe(404)
    const change = await call(product(), tickets.update, one.token, {
      params: { id: one.ticketId },
      body: { queueId: other.queueId },
    })
    expect(change.status).toBe(404)
  })

  it.each(['one company', 'two companies'])(
    'a quotation does not reach what its writer does not see (%s)',
    async (who) => {
      const m = made()
      const agent = await m.user(one.tenantId, { queues: [one.queueId] })
      const mine = await m.ticket(one.tenantId, {
        connection_id: one.connectionId,
        channel: 'test',
        user_id: agent.id,
        queue_id: one.queueId,
      })
      const quotedMsgId = who === 'one company' ? one.messageId : other.messageId
      const reply = await call(product(), messages.send, await m.token(agent), {
        params: { ticketId: mine },
        body: { idFront: randomUUID(), body: 'cito', isNote: false, quotedMsgId },
      })
      expect([reply.status, errorOf(reply).error]).toEqual([404, 'ERR_FETCH_WAPP_MSG'])
      expect(JSON.stringify(reply.body)).not.toContain('segredo')
    },
  )

  it('tell nothing of the tables', async () => {
    const reply = await call(product(), messages.send, one.token, {
      params: { ticketId: one.ticketId },
      body: { idFront: randomUUID(), body: 'cito', isNote: false, quotedMsgId: randomUUID() },
    })
    expect(JSON.stringify(reply.body)).not.toMatch(/fkey|tenant_id|constraint/)
  })
})

describe('a position in a list that was tampered with', () => {
  const cursor = (...values: unknown[]) => btoa(encodeURIComponent(JSON.stringify(values)))
  it.each([
    ['x', 'NaN'],
    ['x', { a: 1 }],
    ['x', 1e300],
    ['x', null],
    [{ toString: 1 }, 1],
    ['\0', 1],
    ["'; drop table queues; --", 1],
  ])('is answered with 200 or 400 (%j)', async (...values) => {
    for (const op of [queues.list, users.list, contacts.list, tickets.list]) {
      const reply = await call(product(), op, one.token, { query: { cursor: cursor(...values) } })
      expect([200, 400]).toContain(reply.status)
    }
    const inside = { params: { ticketId: one.ticketId }, query: { cursor: cursor(...values) } }
    expect([200, 400]).toContain((await call(product(), messages.list, one.token, inside)).status)
  })
})

describe('a request that cannot be read', () => {
  /** Sends bytes as they are: browsers and fetch would mend them. */
  const raw = (path: string, headers: Record<string, string> = {}, body = '', method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(product().address)
      const sent = rawRequest({ hostname, port, path, method, headers }, (reply) => {
        let text = ''
        reply.on('data', (chunk) => {
          text += chunk
        })
        reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers, body: text }))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  it.each([
    ['an address that is no text', '/api/tickets/%zz', {}, '', 'GET'],
    ['a page address that is no text', '/%zz', {}, '', 'GET'],
    ['an address with a broken letter', '/api/tickets/%ff', {}, '', 'GET'],
    [
      'a body that is no JSON',
      '/api/auth/login',
      { 'content-type': 'application/json' },
      '{"email": "fulano@x.y',
      'POST',
    ],
    ['a form without a boundary', '/api/webchat/upload', { 'content-type': 'multipart/form-data' }, 'x', 'POST'],
    ['an endless name', `/api/files/a/${'a'.repeat(5000)}`, {}, '', 'GET'],
  ] as const)('%s is answered as every error is', async (_, path, headers, body, method) => {
    const reply = await raw(path, headers, body, method)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    const { error, message, requestId } = JSON.parse(reply.body)
    expect(error).toMatch(/^ERR_/)
    expect(message).toMatch(/\.$/)
    expect(requestId).toBe(reply.headers['x-request-id'])
    expect(reply.headers['x-guiche-version']).toBe(product().platform.version)
    expect(reply.body).not.toMatch(/fulano|FST_|SyntaxError|Unexpected|node_modules/)
  })

  it('a broken form is the sender’s error', async () => {
    const headers = { authorization: `Bearer ${one.token}` }
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="medias"; filename="a.txt"\r\n\r\nabc',
      ],
      ['multipart/form-data; boundary=b', '--b\r\nnonsense'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nabc\r\n--b--\r\n',
      ],
    ] as const) {
      const reply = await raw(`/api/messages/${one.ticketId}`, { ...headers, 'content-type': type }, body, 'POST')
      expect([reply.status, JSON.parse(reply.body).error]).toEqual([400, 'ERR_VALIDATION'])
    }
  })

  it('an unforeseen error shows nothing of itself', async () => {
    product().app.platform.settings.delete(String(one.tenantId))
    const { platform } = product()
    const read = platform.settings.get
    platform.settings.get = () => Promise.reject(new Error('relation "fulano" at 10.0.0.7:5432 password=abc'))
    try {
      const reply = await call(product(), queues.list, one.token)
      expect(reply.status).toBe(500)
      expect(reply.body).toEqual({
        error: 'ERR_UNIDENTIFIED',
        message: 'Ocorreu um erro não identificado.',
        requestId: reply.headers.get('x-request-id'),
      })
    } finally {
      platform.settings.get = read
    }
  })

  it('says by field and in Portuguese what is wrong', async () => {
    const reply = await call(product(), queues.create, one.token, { body: { queue: '', color: 'roxo' } })
    expect([reply.status, errorOf(reply).details]).toEqual([
      400,
      { queue: 'Preencha este campo.', color: 'Escolha uma cor.' },
    ])
    const english = allRoutes().flatMap(({ op }) => {
      const issues = op.body?.safeParse({})?.error?.issues ?? []
      return issues
        .filter(({ message }) => /\b(expected|required|invalid|must|string)\b/i.test(message))
        .map(() => op.name)
    })
    expect(english).toEqual([])
    expect(z.string().safeParse(1).error?.issues[0]?.message).toBe('Informe um texto.')
    const whole = z.coerce.number().int().min(1).max(9)
    const told = [undefined, 'x', 0, 10].map((given) => whole.safeParse(given).error?.issues[0]?.message)
    expect(told).toEqual(['Informe um número.', 'Informe um número.', 'Use 1 ou mais.', 'Use 9 ou menos.'])
    expect(z.object({ a: z.string() }).safeParse({}).error?.issues[0]?.message).toBe('Preencha este campo.')
  })

  it('a JSON of more than 2 MiB is 413', async () => {
    const body = JSON.stringify({ idFront: randomUUID(), body: 'x'.repeat(2 * 1024 * 1024), isNote: false })
    const reply = await raw(
      `/api/messages/${one.ticketId}`,
      { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
      body,
      'POST',
    )
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([413, 'ERR_FILE_TOO_LARGE'])
  })
})

describe('a repeated request', () => {
  const create = (key: string, body: object, op = queues.create) =>
    call(product(), op, one.token, { body: body as never, headers: { 'idempotency-key': key } })
  const named = async (queue: string) =>
    (await call(product(), queues.list, one.token, { query: { searchParam: queue } })).body

  it('with the same key and body gets the first answer, with another body 409', async () => {
    const key = randomUUID()
    const first = await create(key, { queue: 'Vendas' })
    expect(first.status).toBe(200)
    expect((await create(key, { queue: 'Vendas' })).body).toEqual(first.body)
    const otherBody = await create(key, { queue: 'Compras' })
    expect([otherBody.status, errorOf(otherBody).error]).toEqual([409, 'ERR_IDEMPOTENCY_MISMATCH'])
    expect((await named('Vendas')).count).toBe(1)
  })

  it('twice at once has one effect', async () => {
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(key, { queue: 'Juntos' })))
    for (const reply of replies) expect([reply.status, reply.body]).toEqual([200, replies[0]!.body])
    expect((await named('Juntos')).count).toBe(1)
  })

  it('after a failure begins anew', async () => {
    const key = randomUUID()
    await create(randomUUID(), { queue: 'Dupla' })
    expect((await create(key, { queue: 'Dupla' })).status).toBe(409)
    expect((await create(key, { queue: 'Outra coisa' })).status).toBe(200)
  })

  it('of an answer with moments in time is the same answer', async () => {
    const m = made()
    const contactId = await m.contact(one.tenantId)
    const key = randomUUID()
    const body = { contactId, whatsappId: one.connectionId, status: 'open', userId: one.admin.id }
    const first = await create(key, body, tickets.create as never)
    expect(first.status).toBe(200)
    const again = await create(key, body, tickets.create as never)
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  it('for another record is another request', async () => {
    const channel = async () => {
      const look = { title: 'a', welcome: '', away: '', color: null, position: 'left', theme: 'auto' } as const
      const body = { name: 'Site', queueId: null, look, domains: [], requiresProof: false }
      return (await call(product(), webchatChannels.create, one.token, { body })).body
    }
    const [first, second] = [await channel(), await channel()]
    const headers = { 'idempotency-key': randomUUID() }
    const renew = (id: number) => call(product(), webchatChannels.renew, one.token, { params: { id }, headers })
    expect((await renew(first.id)).status).toBe(200)
    expect((await renew(second.id)).status).toBe(409)
  })

  it('is forgotten after a day, belongs to one person, and has a key of a sensible length', async () => {
    const key = randomUUID()
    expect((await create(key, { queue: 'Ontem' })).status).toBe(200)
    const colleague = await made().token(await made().user(one.tenantId, { profile: 'admin' }))
    const theirs = await call(product(), queues.create, colleague, {
      body: { queue: 'De outra pessoa' },
      headers: { 'idempotency-key': key },
    })
    expect(theirs.status).toBe(200)
    await product().platform.db.asPlatform((db) =>
      db
        .updateTable('idempotency_keys')
        .set({ created_at: new Date(Date.now() - 25 * 3600_000) })
        .where('key', '=', key)
        .execute(),
    )
    expect((await create(key, { queue: 'Hoje' })).status).toBe(200)
    expect((await create('k'.repeat(201), { queue: 'Longa' })).status).toBe(400)
  })
})
