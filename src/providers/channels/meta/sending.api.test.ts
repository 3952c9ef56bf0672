import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adapterOf } from '#features/connections/server/adapters.ts'
import { watchOnce } from '#features/connections/server/watch.ts'
import { sendJob, sendTurn } from '#features/ledger/server/outbox/outbox.ts'
import { recoverSends } from '#features/ledger/server/outbox/wake.ts'
import { messages } from '#features/messages/contract.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { META_ERRORS, refusalOf } from '../meta-errors.ts'

const HOUR = 3_600_000
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const product = withProduct({ now, env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let meta: Awaited<ReturnType<typeof startMeta>>
let us: Awaited<ReturnType<typeof metaCompany>>
let company: { tenantId: number; adminId: number; token: string }
let login: () => Promise<string>
let email: string
let ticketId: number
let written = 0
const ana = { number: '5511988887777', name: 'Ana' }
const text = { type: 'text', text: { body: 'Olá' } }

beforeAll(async () => {
  meta = await startMeta(() => now().getTime())
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  login = () => m.token(admin)
  email = admin.email
  company = { tenantId, adminId: admin.id, token: await login() }
  us = await metaCompany(product(), meta, company)
  await us.start()
  await meta.write(ana, text)
  ticketId = await us.accept(ana.number)
})
afterAll(() => meta.close())
beforeEach(async () => {
  ahead = 0
  meta.state.refusals.length = 0
  meta.taken.length = 0
  // A test that failed may have left it stopped.
  if ((await us.read()).status === 'DISCONNECTED') await us.start()
})

const known = (provider: string) =>
  product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('messages').select('id').where('provider_id', '=', provider).executeTakeFirst(),
  )
const statusOf = async (id: string) => (await us.messageOf(id)).status
const is = (id: string, status: string) => until(async () => (await statusOf(id)) === status)
/** Retries waiting messages at once until a message has this status. */
const resumes = (id: string, status: string) =>
  until(async () => {
    if ((await statusOf(id)) === status) return true
    await recoverSends(product().platform, 0)
    return false
  })
async function send(body = 'Oi') {
  const reply = await us.reply(ticketId, body)
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  return reply.body.messages[0]!.id
}

/** Returns the retries of a message that were scheduled. */
const waitsOf = (id: string) =>
  product().platform.db.read(company.tenantId, (db) =>
    db
      .selectFrom('message_trail')
      .select(['id', 'detail'])
      .where('message_id', '=', id)
      .where('step', '=', 'waiting')
      .execute(),
  )
/** Retries a message until it was put back `times` times or more: a turn that just ends puts off the next one anew. */
const triesTo = (id: string, times: number) =>
  until(async () => {
    const { length } = await waitsOf(id)
    if (length >= times) return true
    if (length > 0) await recoverSends(product().platform, 0)
    return false
  })
const conversation = () => ({ connectionId: us.id, conversationKey: ana.number })
/** Runs the send job of the conversation. */
const turn = () =>
  sendJob.run(product().platform, { tenantId: company.tenantId, ...conversation() }, { requireOwnership: () => {} })
/** Redirects calls to Meta to another URL. */
function leadTo(address: string) {
  product().platform.env.META_GRAPH_URL = address
  product().platform.bus.stale(`connection ${company.tenantId}:${us.id}`)
}

// What each code means is in meta-errors.test.ts; here is what follows of it: one code of each kind.
test.each([131_026, 131_042])('%i fails its message in words, at once and as a status', async (code) => {
  const { text: sentence } = refusalOf(code)
  meta.state.refusals.push({ code })
  const now = await send(`Código ${code}`)
  await is(now, 'failed')
  expect(await us.reasonOf(now)).toBe(sentence)
  const after = await send(`Depois, código ${code}`)
  await is(after, 'sent')
  const { provider_id } = await us.messageOf(after)
  await meta.confirm('failed', provider_id!, { errors: [{ code, title: 'Title' }] })
  await is(after, 'failed')
  expect(await us.reasonOf(after)).toBe(sentence)
})

test('130429 makes the message wait, and come again', async () => {
  meta.state.refusals.push({ code: 130_429, status: 429 })
  const id = await send()
  await until(async () => (await us.reasonOf(id)) === refusalOf(130_429).text)
  await is(id, 'pending')
  await resumes(id, 'sent')
})

test.each([
  [190, 'token'],
  [368, 'banned'],
] as const)(
  '%i stops the connection: messages wait a day for whoever helps, what comes in goes on',
  async (code, stops) => {
    meta.state.refusals.push({ code, status: 401 })
    const id = await send()
    await until(async () => (await us.read()).status === 'DISCONNECTED')
    expect(await us.read()).toMatchObject({ cause: stops })
    await is(id, 'pending')
    await meta.write(ana, { ...text, text: { body: `Chegou ${code}?` } })
    await until(async () => {
      const rows = await product().platform.db.read(company.tenantId, (db) =>
        db.selectFrom('messages').select('id').where('body', '=', `Chegou ${code}?`).execute(),
      )
      return rows.length > 0
    })
    // With repeated attempts meanwhile, its next turn would be minutes away.
    await triesTo(id, 4)
    expect((await us.read()).cause).toBe(stops)
    expect((await us.start()).status).toBe(200)
    await is(id, 'sent')
  },
)

test('administrators learn of a token that is worth nothing: after a minute, and by mail after ten, which says what still goes', async () => {
  const { platform } = product()
  const smtp = await startSmtp()
  const mailer = { smtp: 'enabled', emailHost: '127.0.0.1', emailPort: smtp.port, emailSecure: 'none' }
  const by = { emailUser: '', emailName: 'Guichê', emailFrom: 'sistema@guiche.test', sealed: null }
  await platform.db.asPlatform((db) => changeInstallation(db, 'mail', { ...mailer, ...by }))
  platform.installation.clear()
  meta.state.refusals.push({ code: 190, status: 401 })
  const id = await send()
  await until(async () => (await us.read()).cause === 'token')
  const noticed = () =>
    platform.db.read(company.tenantId, (db) =>
      db.selectFrom('connection_outages').select('cause').where('noticed_at', 'is not', null).execute(),
    )
  ahead = 59_000
  await watchOnce(platform, [])
  expect(await noticed()).toEqual([])
  ahead = 62_000
  await watchOnce(platform, [])
  expect(await noticed()).toEqual([{ cause: 'token' }])
  ahead = 602_000
  await watchOnce(platform, [])
  const { subject, text: letter } = (await smtp.nextTo(email)).read
  expect(subject).toBe('O canal “Empório” está sem conexão')
  expect(letter).toContain('nada sai por “Empório”. O token não vale mais.')
  ahead = 0
  expect((await us.start()).status).toBe(200)
  await is(id, 'sent')
  platform.installation.clear()
  await smtp.close()
})

test('who says how long to wait is left alone for so long', async () => {
  meta.state.refusals.push({ code: 4, status: 429, retryAfter: 120 })
  const id = await send()
  await until(async () => (await waitsOf(id)).length === 1)
  expect(await waitsOf(id)).toMatchObject([{ detail: { seconds: 120 } }])
  await resumes(id, 'sent')
})

test.each([
  [503, {}],
  [429, { 'retry-after': '90' }],
] as const)('an answer %i that is no JSON and has no code makes the message wait', async (status, headers) => {
  const { META_GRAPH_URL } = product().platform.env
  const proxy = createServer((_, response) => response.writeHead(status, headers).end('<html>'))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  leadTo(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  const id = await send()
  await until(async () => (await us.reasonOf(id)) === refusalOf(null, status).text)
  expect(await waitsOf(id)).toMatchObject([{ detail: { seconds: status === 429 ? 90 : expect.any(Number) } }])
  leadTo(META_GRAPH_URL)
  proxy.close()
  await resumes(id, 'sent')
})

test('too many messages to one contact wait for that contact alone', async () => {
  const bia = { number: '5511966665555', name: 'Bia' }
  await meta.write(bia, text)
  const other = await us.accept(bia.number)
  meta.state.refusals.push({ code: 131_056 })
  const waits = await send('Depressa demais')
  await triesTo(waits, 1)
  const { body } = await us.reply(other, 'Para outra pessoa')
  await is(body.messages[0]!.id, 'sent')
  expect([await statusOf(waits), (await us.read()).status]).toEqual(['pending', 'CONNECTED'])
  await resumes(waits, 'sent')
})

test.each([
  ['delivered', true],
  ['read', false],
  ['failed', true],
] as const)(
  'a status %s that comes before the answer to the send stays, with our id: %s',
  async (status, tellsOurId) => {
    Object.assign(meta.state, { tellsFirst: status, tellsOurId })
    const id = await send(`Antes da resposta: ${status}`)
    await is(id, status)
    meta.state.tellsFirst = ''
    const behind = await send('Depois')
    await is(behind, 'sent')
    const { wamid } = meta.taken.find(({ text: said }) => said?.body === `Antes da resposta: ${status}`)!
    expect(await us.messageOf(id)).toMatchObject({ status, provider_id: wamid })
  },
)

test('ticks only rise, in whatever order Meta tells of them', async () => {
  const id = await send('Fora de ordem')
  await is(id, 'sent')
  const { provider_id } = await us.messageOf(id)
  for (const status of ['read', 'delivered', 'sent']) await meta.confirm(status, provider_id!)
  await meta.write(ana, text, `wamid.${++written}`)
  await until(async () => (await known(`wamid.${written}`)) !== undefined)
  expect(await statusOf(id)).toBe('read')
})

test('what waits as it was told is not hurried by what is written behind it; given up, it holds nothing back', async () => {
  meta.state.refusals.push(...Array.from({ length: 9 }, () => ({ code: 130_429, status: 429 })))
  const first = await send('Primeira')
  await triesTo(first, 3)
  const behind: string[] = []
  for (let n = 0; n < 5; n++) {
    behind.push(await send(`Atrás ${n}`))
    await turn()
  }
  // Without the delay it would have failed five times by now, permanently.
  expect(await statusOf(first)).toBe('pending')
  meta.state.refusals.length = 0
  await call(product(), messages.cancel, company.token, { params: { id: first } })
  for (const id of behind) await is(id, 'sent')
  expect(meta.taken.map(({ text: said }) => said?.body)).toEqual(behind.map((_, n) => `Atrás ${n}`))
})

test('a refusal of the old token does not stop what a new one was filled in for meanwhile', async () => {
  const { META_GRAPH_URL } = product().platform.env
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const old = createServer(async (_, response) => {
    asked.resolve()
    await answer.promise
    response.writeHead(401).end(JSON.stringify({ error: { code: 190 } }))
  }).listen(0, '127.0.0.1')
  await once(old, 'listening')
  leadTo(`http://127.0.0.1:${(old.address() as AddressInfo).port}`)
  const id = await send('Com o token de antes')
  await asked.promise
  leadTo(META_GRAPH_URL)
  expect((await us.start()).status).toBe(200)
  answer.resolve()
  await until(async () => (await waitsOf(id)).length === 1)
  expect((await us.read()).status).toBe('CONNECTED')
  old.close()
  await resumes(id, 'sent')
})

test('a process that has not heard of the new token stops the connection no second time', async () => {
  const { platform } = product()
  meta.state.refusals.push({ code: 190, status: 401 })
  const first = await send()
  await until(async () => (await us.read()).cause === 'token')
  const stale = await adapterOf(platform, company.tenantId, us.id)
  await us.start()
  await is(first, 'sent')
  const id = await make(platform).message(company.tenantId, ticketId, {
    ...{ connection_id: us.id, conversation_key: ana.number, from_me: true, status: 'pending', body: 'Sem tarefa' },
  })
  await sendTurn(platform, company.tenantId, conversation(), { adapter: stale, requireOwnership: () => {} })
  expect((await waitsOf(id)).length).toBe(1)
  expect((await us.read()).status).toBe('CONNECTED')
  await resumes(id, 'sent')
})

test('a status that gives our id back settles what was lost, whatever it says, and what waits behind goes on', async () => {
  for (const [status, becomes] of [
    ['read', 'read'],
    ['failed', 'failed'],
  ] as const) {
    meta.state.lostBody = `Perdida ${status}`
    const id = await send(meta.state.lostBody)
    await until(() => meta.taken.some(({ text: said }) => said?.body === `Perdida ${status}`))
    const behind = await send(`Atrás de ${status}`)
    expect(await statusOf(behind)).toBe('pending')
    const { wamid, biz_opaque_callback_data } = meta.taken.at(-1)!
    expect(biz_opaque_callback_data).toBe(id)
    const errors = status === 'failed' ? { errors: [{ code: 131026, title: 'Title' }] } : {}
    for (let twice = 0; twice < 2; twice++) await meta.confirm(status, wamid, { biz_opaque_callback_data, ...errors })
    await is(id, becomes)
    await is(behind, 'sent')
  }
  meta.state.lostBody = ''
})

test.each([130_429, 131_031])(
  '%i as a status, after Meta had taken the message, fails it in words that fit',
  async (code) => {
    const { after, stops } = refusalOf(code)
    const id = await send(`Depois, código ${code}`)
    await is(id, 'sent')
    const { provider_id } = await us.messageOf(id)
    await meta.confirm('failed', provider_id!, { errors: [{ code, title: 'Title' }] })
    await is(id, 'failed')
    expect(await us.reasonOf(id)).toBe(after)
    if (!stops) return
    await until(async () => (await us.read()).cause === stops)
    await us.start()
  },
)

test('Meta’s own words are told to administrators alone', async () => {
  meta.state.refusals.push({ code: 131053 })
  const id = await send('Recusada')
  await is(id, 'failed')
  const m = make(product().platform)
  const agent = await m.token(await m.user(company.tenantId, { profile: 'user' }))
  await product().platform.db.write(company.tenantId, (db) =>
    db.updateTable('tickets').set({ user_id: null, status: 'pending' }).where('id', '=', ticketId).execute(),
  )
  const trailOf = async (token: string) => (await call(product(), messages.trail, token, { params: { id } })).body
  expect((await trailOf(company.token)).steps.at(-1)!.detail).toMatchObject({ providerText: '(#131053) Title' })
  const theirs = await trailOf(agent)
  expect(theirs.steps?.at(-1)?.detail ?? {}).not.toHaveProperty('providerText')
  expect(theirs.steps.length).toBeGreaterThan(0)
  await product().platform.db.write(company.tenantId, (db) =>
    db.updateTable('tickets').set({ user_id: company.adminId, status: 'open' }).where('id', '=', ticketId).execute(),
  )
})

test('a file is uploaded once for a number, and used 29 days; what Meta has no more is uploaded again', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const picture = async (becomes = 'sent') => {
    const form = new FormData()
    form.append('idFront', crypto.randomUUID())
    form.append('medias', new Blob([png], { type: 'image/png' }), 'foto.png')
    const headers = { authorization: `Bearer ${company.token}` }
    const reply = await fetch(`${product().address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
    const { id } = ((await reply.json()) as { messages: { id: string }[] }).messages[0]!
    await is(id, becomes)
    return (meta.taken.at(-1)!['image'] as { id: string }).id
  }
  const first = await picture()
  expect(await picture()).toBe(first)
  meta.media.delete(first)
  const second = await picture()
  expect(second).not.toBe(first)
  const { used_until } = await product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('channel_uploads').select('used_until').executeTakeFirstOrThrow(),
  )
  expect(Math.round((used_until.getTime() - now().getTime()) / HOUR)).toBe(29 * 24)
  await product().platform.db.write(company.tenantId, (db) =>
    db.updateTable('channel_uploads').set({ used_until: now() }).execute(),
  )
  const third = await picture()
  expect([first, second]).not.toContain(third)
  // A file missing at Meta is forgotten, whatever the result of the next upload.
  meta.media.delete(third)
  meta.state.refusedUploads = 1
  await picture('failed')
  const known = await product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('channel_uploads').selectAll().execute(),
  )
  expect(known).toEqual([])
})

test('what waited a day for a new token fails', async () => {
  meta.state.refusals.push({ code: 190, status: 401 })
  const id = await send()
  await until(async () => (await us.read()).status === 'DISCONNECTED')
  ahead = 23.5 * HOUR
  await product().platform.db.write(company.tenantId, (db) =>
    db
      .updateTable('messages')
      .set({ timestamp: new Date(Date.now() - HOUR) })
      .where('id', '=', id)
      .execute(),
  )
  await resumes(id, 'failed')
  ahead = 0
  await us.start()
})

test('where Meta is not reached nothing was sent: it waits; where the answer is lost and nothing settles it, a person decides', async () => {
  const { META_GRAPH_URL } = product().platform.env
  leadTo('http://127.0.0.1:9')
  const waits = await send()
  await until(async () => (await us.reasonOf(waits)) === 'A Meta não respondeu.')
  await is(waits, 'pending')
  leadTo(META_GRAPH_URL)
  await resumes(waits, 'sent')
  meta.state.lostAnswers = 1
  const lost = await send('Sem resposta')
  await until(() => meta.taken.length === 2)
  const behind = await send('Atrás')
  ahead = 55_000
  await recoverSends(product().platform, 0)
  expect([await statusOf(lost), await statusOf(behind)]).toEqual(['queued', 'pending'])
  ahead = 61_000
  await resumes(lost, 'uncertain')
  await resumes(behind, 'sent')
  expect(meta.taken).toHaveLength(3)
})

test('outside of the window nothing is taken, and what waited until then fails, with the way out', async () => {
  await meta.write(ana, text)
  meta.state.refusals.push({ code: 4 })
  const waits = await send('Espera')
  await until(async () => (await us.reasonOf(waits)) === META_ERRORS[4]!.text)
  ahead = 24 * HOUR - 59_000
  await resumes(waits, 'failed')
  expect(await us.messageOf(waits)).toMatchObject({ error_code: 'ERR_WINDOW_CLOSED' })
})

test('no free word reaches Meta outside of its window, and none inside is refused, whatever time passes', async () => {
  const day = 24 * HOUR
  const waits = fc.oneof(fc.integer({ min: 0, max: 3 * day }), fc.integer({ min: day - 120_000, max: day + 120_000 }))
  await fc.assert(
    fc.asyncProperty(waits, async (waited) => {
      await meta.write(ana, text, `wamid.${++written}`)
      await until(async () => (await known(`wamid.${written}`)) !== undefined)
      const said = meta.lastInbound.get(ana.number)!
      ahead = said + waited - Date.now()
      company.token = await login()
      const { status, body } = await us.reply(ticketId, 'Oi')
      const passed = now().getTime() - said
      // A limit passed during the request is not asserted.
      if (passed < day - 90_000) await is(body.messages[0]!.id, 'sent')
      if (passed >= day - 60_000) expect([status, body.error]).toEqual([422, 'ERR_WINDOW_CLOSED'])
      // A taken message gets its result before the clock advances.
      else await until(async () => (await us.messageOf(body.messages[0]!.id)).status !== 'pending')
    }),
    { numRuns: 12 },
  )
  expect(meta.outside).toEqual([])
})
