import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { auth } from '#features/auth/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { queues } from '#features/queues/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { sendFailure } from '#providers/channels/port.ts'
import { createLog, withoutData } from '#server/log.ts'
import { make, PASSWORD } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, type Product, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

// Personal data that must not appear in a log.
const NUMBER = '5511987654321'
const EMAIL = 'fulana.de.tal@segredo.test'
const NAME = 'Fulana Reservada'
const BODY = 'o exame deu positivo'
const FILE = 'laudo-confidencial'
const WRONG = 'senha-errada-77'

let lines = ''
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines += chunk
    done()
  },
})
let product: Product
let channel: TestChannel
const secrets: string[] = [NUMBER, EMAIL, NAME, BODY, FILE, WRONG, PASSWORD]

beforeAll(async () => {
  product = await startProduct({ log: createLog({ LOG_LEVEL: 'debug' }, sink) })
  channel = testChannel(product.platform)
})
afterAll(() => product?.close())

const expectClean = () => {
  for (const secret of secrets) expect(lines.includes(secret), secret).toBe(false)
}

it('a day of the product leaves ids in its log and nobody’s data', async () => {
  const made = make(product.platform)
  const tenantId = await made.tenant()
  const connectionId = await made.connection(tenantId, { type: 'test' })
  const admin = await made.user(tenantId, { profile: 'admin', email: EMAIL, name: NAME })
  const login = (password: string) => call(product, auth.login, null, { body: { email: EMAIL, password } })
  expect((await login(WRONG)).status).toBe(401)
  const entered = await login(PASSWORD)
  const { token } = entered.body as { token: string }
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
  const renewed = await call(product, auth.refresh, null, { headers: { cookie } })
  secrets.push(token, cookie.split('=')[1]!, renewed.headers.getSetCookie()[0]!.split(/[=;]/)[1]!)

  await receive(product.platform, { tenantId, connectionId }, [textEvent({ from: NUMBER, body: BODY, name: NAME })])
  await ingestIdle(product.platform)
  const list = await call(product, tickets.list, token, { query: { searchParam: NAME } })
  const [ticket] = list.body.tickets
  const params = { id: ticket!.id }
  await call(product, tickets.update, token, { params, body: { status: 'open', userId: admin.id } })

  // Sent, refused with the provider's own error text, and lost on the way.
  const send = () =>
    call(product, messages.send, token, {
      params: { ticketId: ticket!.id },
      body: { idFront: randomUUID(), body: BODY, isNote: false },
    })
  await send()
  await until(() => channel.sent.length === 1)
  channel.behave(async () => {
    throw sendFailure('refused', `${NUMBER} (${NAME}) refused: ${BODY}`)
  })
  await send()
  await until(() => lines.includes('a send failed'))
  channel.behave(async () => {
    throw new Error(`connect to ${NUMBER} with ${token}`, { cause: new SyntaxError(`Unexpected token in ${BODY}`) })
  })
  await send()
  await until(() => lines.split('a send failed').length === 3)
  // The line is written a moment before what it is about is committed.
  const said = () =>
    product.platform.db.read(tenantId, (db) =>
      db.selectFrom('message_trail').select('detail').where('step', '=', 'waiting').executeTakeFirst(),
    )
  await until(async () => (await said()) !== undefined)
  expect((await said())!.detail).toMatchObject({ reason: 'falha inesperada no canal' })

  const form = new FormData()
  form.append('idFront', randomUUID())
  form.append('body', BODY)
  form.append('medias', new Blob(['<svg onload=1>']), `${FILE}.png`)
  const headers = { authorization: `Bearer ${token}` }
  const refused = await fetch(`${product.address}/api/messages/${ticket!.id}`, { method: 'POST', headers, body: form })
  expect(refused.status).toBe(415)

  expectClean()
  expect(lines).toContain('"route":"/api/auth/login"')
  expect(lines).toMatch(/"tenantId":\d+/)
})

it('unforeseen errors are named, placed and counted, without what they quote', async () => {
  const made = make(product.platform)
  const tenantId = await made.tenant()
  const token = await made.token(await made.user(tenantId, { profile: 'admin' }))
  const { platform } = product
  const read = platform.settings.get
  const failures: [string, () => unknown][] = [
    ['22P02', () => platform.db.read(tenantId, (db) => sql`select ${`${EMAIL} ${NUMBER}`}::text::bigint`.execute(db))],
    [
      '23514',
      () =>
        platform.db.write(tenantId, (db) =>
          sql`insert into queues (tenant_id, queue) values (app.tenant(), substr(${NAME}, 1, 0))`.execute(db),
        ),
    ],
    ['42703', () => platform.db.read(tenantId, (db) => sql`select ${sql.ref(FILE)}, ${NAME}::text`.execute(db))],
    ['SyntaxError', () => JSON.parse(`{"a": ${EMAIL}}`)],
    ['ZodError', () => z.object({ [NUMBER]: z.enum(['a']) }).parse({ [NUMBER]: BODY })],
    ['ERR_INVALID_URL', () => new URL(`http://${NAME}`)],
    [
      '"type":"Error"',
      () => Promise.reject(Object.assign(new Error(BODY), { detail: NUMBER, client: { password: WRONG } })),
    ],
    ['"type":"string"', () => Promise.reject(BODY)],
    ['AggregateError', () => Promise.reject(new AggregateError([new Error(EMAIL)], BODY))],
  ]
  for (const [mark, fail] of failures) {
    const before = lines.length
    platform.settings.get = async () => (await fail()) as never
    const reply = await call(product, queues.list, token)
    platform.settings.get = read
    expect([400, 500]).toContain(reply.status)
    const written = lines.slice(before)
    expect(written).toContain(mark)
    expect(written).toContain(reply.headers.get('x-request-id'))
    expect(JSON.stringify(reply.body)).not.toContain(NUMBER)
  }
  expectClean()
})

it('jobs and background work that fail are logged by id', async () => {
  const before = lines.length
  const made = make(product.platform)
  const tenantId = await made.tenant()
  const event = textEvent({ from: NUMBER, body: BODY, name: NAME })
  await receive(product.platform, { tenantId, connectionId: await made.connection(tenantId, { type: 'test' }) }, [
    { ...event, message: { ...event.message, type: `${BODY}` as 'text', timestamp: `${EMAIL}` as unknown as number } },
  ])
  await ingestIdle(product.platform)
  expect(lines.slice(before)).toMatch(/"journalId"/)
  await product.platform.db.asPlatform((db) =>
    sql`select app.add_job('messages:send', ${JSON.stringify({ tenantId: NUMBER, connectionId: EMAIL })}::json)`.execute(
      db,
    ),
  )
  await until(() => lines.slice(before).includes('"task":"messages:send"'))
  expectClean()
})

it('keeps what helps: kind, code, place in the code, constraint, cause', () => {
  const cause = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect', port: 5432 })
  const told = withoutData(new TypeError("Cannot read properties of undefined (reading 'id')", { cause }))
  expect(told).toMatchObject({
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'id')",
    cause: { type: 'Error', code: 'ECONNREFUSED', syscall: 'connect', port: 5432 },
  })
  // A provider's error code may be a sentence, or a phone number.
  for (const code of [BODY, EMAIL, NUMBER, `${NAME}:1`])
    expect(withoutData(Object.assign(new Error('x'), { code, kind: code }))).not.toHaveProperty('code')
  expect((told as { at: string[] }).at[0]).toContain('logs.test.ts')
  const tricky = new Error(`a\n    at ${EMAIL} (file.ts:1:1)`)
  expect(JSON.stringify(withoutData(tricky))).not.toContain(EMAIL)
})
