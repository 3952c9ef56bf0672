import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { providers } from '#features/connections/providers-contract.ts'
import { journaled } from '#test/journaled.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, withProduct } from '#test/server.ts'

const product = withProduct()
let meta: Awaited<ReturnType<typeof startMeta>>
let company: { tenantId: number; adminId: number; token: string }
let body: string
let id = 0
beforeAll(async () => {
  meta = await startMeta(() => product().platform.now().getTime())
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  company = { tenantId, adminId: admin.id, token: await m.token(admin) }
  await (await metaCompany(product(), meta, company)).start()
})
afterAll(() => meta.close())
beforeEach(() => {
  const message = { from: '5511988887777', id: `wamid.${++id}`, timestamp: '1', type: 'text', text: { body: 'ação' } }
  body = meta.written(meta.entryOf({ messages: [message] }))
})

const refused = async () =>
  Number(
    (
      (await call(product(), providers.get, company.token, { params: { id: 'meta' } })).body as {
        refusedCalls: number
      }
    ).refusedCalls,
  )
const kept = async () => (await product().platform.db.read(company.tenantId, journaled)).length

/** Sends raw request lines; returns the status of the first response (null: the connection was closed without one). */
async function raw(lines: readonly string[], sent: string): Promise<number | null> {
  const { hostname, port, pathname } = new URL(meta.state.callback)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => {})
  const head = [`POST ${pathname} HTTP/1.1`, `host: ${hostname}`, 'connection: close', ...lines]
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`)
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(await textOf(socket).catch(() => '')) ?? []
  return status === undefined ? null : Number(status)
}
const signature = (of = body, secret?: string) => `x-hub-signature-256: ${meta.signatureOf(of, secret)}`
const length = (of = body) => `content-length: ${Buffer.byteLength(of)}`
const chunked = (of: string) => `${Buffer.byteLength(of).toString(16)}\r\n${of}\r\n0\r\n\r\n`

test('a body in pieces is read like any other', async () => {
  const before = await kept()
  expect(await raw(['transfer-encoding: chunked', signature()], chunked(body))).toBe(200)
  expect(await kept()).toBe(before + 1)
})

const unsigned: readonly [name: string, lines: () => string[], sent?: () => string][] = [
  ['no signature', () => [length()]],
  ['an empty one', () => [length(), 'x-hub-signature-256:']],
  ['two', () => [length(), signature(), signature(body, 'outra')]],
  ['one of another kind', () => [length(), signature().replace('-256: sha256', ': sha1')]],
  ['one without its name', () => [length(), signature().replace('sha256=', '')]],
  ['one in capital letters', () => [length(), signature().replace(/=.*/, (hex) => hex.toUpperCase())]],
  ['one over nothing', () => [length(), signature('')]],
  ['one over other bytes in pieces', () => ['transfer-encoding: chunked', signature()], () => chunked(`${body} `)],
]
test.each(unsigned)('with %s it is a 401: nothing is kept, and it is counted', async (_, lines, sent = () => body) => {
  const [before, counted] = [await kept(), await refused()]
  expect(await raw(lines(), sent())).toBe(401)
  expect([await kept(), await refused()]).toEqual([before, counted + 1])
})

const malformed: readonly [name: string, statuses: readonly (number | null)[], lines: () => string[], sent?: string][] =
  [
    ['a body that would be huge', [413], () => ['content-length: 999999999', signature()]],
    [
      'a body in pieces that is too large',
      [413, null],
      () => ['transfer-encoding: chunked', signature()],
      chunked('x'.repeat(3 * 1024 * 1024 + 1)),
    ],
    ['both lengths', [400], () => [length(), 'transfer-encoding: chunked', signature()]],
    ['a length that is none', [400], () => ['content-length: -1', signature()]],
    ['signed bytes that are no JSON', [400], () => [length('{'), signature('{')], '{'],
    ['signed JSON that is nobody’s', [400], () => [length('null'), signature('null')], 'null'],
  ]
test.each(malformed)('%s keeps nothing, and the product goes on', async (_, statuses, lines, sent) => {
  const before = await kept()
  expect(statuses).toContain(await raw(lines(), sent ?? body))
  expect(await kept()).toBe(before)
  expect((await meta.post(body)).status).toBe(200)
})

test('a path that is nobody’s is not there, whoever signed', async () => {
  const { callback } = meta.state
  meta.state.callback = callback.replace(/.{22}$/, 'x'.repeat(22))
  expect(await raw([length(), signature()], body)).toBe(404)
  meta.state.callback = callback
})

test('whoever wants data deleted is answered at the same address, and can ask what became of it', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ask = (request: string) =>
    fetch(meta.state.callback, { method: 'POST', headers, body: `signed_request=${request}` })
  expect((await ask('forged.e30')).status).toBe(401)
  const payload = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', user_id: '218471' })).toString('base64url')
  const signed = createHmac('sha256', meta.app.appSecret).update(payload).digest('base64url')
  const answer = await ask(`${signed}.${payload}`)
  expect(answer.status).toBe(200)
  const { confirmation_code: code } = (await answer.json()) as { confirmation_code: string }
  const state = await fetch(`${meta.state.callback}?code=${code}`)
  expect([state.status, await state.text()]).toEqual([200, expect.stringContaining('Pedido concluído')])
  expect((await fetch(`${meta.state.callback}?code=x`)).status).toBe(403)
})

test('twenty of the same body at once are one message', async () => {
  const before = await kept()
  const all = await Promise.all(Array.from({ length: 20 }, () => raw([length(), signature()], body)))
  expect(new Set(all)).toEqual(new Set([200]))
  expect(await kept()).toBe(before + 1)
})
