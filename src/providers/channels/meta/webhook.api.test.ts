import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { DISK_FULL, installFaults } from '#test/faults.ts'
import { journaled } from '#test/journaled.ts'
import { make } from '#test/make.ts'
import { appSettings, fillInApp, metaCompany, VERIFY_TOKEN } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
const m = () => make(product().platform)
const params = { id: 'meta' }
let owner: string
beforeAll(async () => {
  owner = await m().token(await m().user(await m().tenant(), { profile: 'superadmin' }))
})

let meta: Awaited<ReturnType<typeof startMeta>>
beforeEach(async () => {
  meta = await startMeta(() => product().platform.now().getTime())
  return meta.close
})

const ana = { number: '5511988887777', name: 'Ana' }
const text = { type: 'text', text: { body: 'Olá, ação ☂' } }

async function company({ isAppTheirs = true, of = meta, type = 'waba' as 'waba' | 'messenger' } = {}) {
  const tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  const token = await m().token(admin)
  const made = await metaCompany(product(), of, { tenantId, adminId: admin.id, token }, { isAppTheirs, type })
  const read = <T>(find: Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]) =>
    product().platform.db.read(tenantId, find) as Promise<T>
  return {
    ...{ ...made, tenantId, token },
    keys: async () => (await read<{ dedupe_key: string }[]>(journaled)).map(({ dedupe_key }) => dedupe_key).sort(),
    bodies: async () =>
      (await read<{ body: string }[]>((db) => db.selectFrom('messages').select('body').orderBy('seq').execute())).map(
        ({ body }) => body,
      ),
    settings: async (by = token) => (await call(product(), providers.get, by, { params })).body,
  }
}

test('a number without an app is not started: nothing would come in', async () => {
  const us = await company({ isAppTheirs: false })
  expect((await us.start()).body).toMatchObject({ details: { config: expect.stringContaining('aplicativo da Meta') } })
})

test('the settings answer the address, once made the same for ever, and take back what they answered', async () => {
  const us = await company()
  const first = await us.settings()
  expect(first).toMatchObject({
    ...{ appId: meta.app.appId, version: 'v24.0', refusedCalls: 0, unclaimedEvents: 0, unreadFields: '' },
    appSecret: `••••${meta.app.appSecret.slice(-4)}`,
    webhookUrl: expect.stringMatching(/\/api\/hooks\/[\w-]{22}$/),
  })
  const again = await call(product(), providers.save, us.token, { params, body: first } as never)
  expect([again.status, again.body]).toEqual([200, first])
  const stored = await product().platform.db.asPlatform((db) =>
    db.selectFrom('provider_webhooks').selectAll().execute(),
  )
  expect(JSON.stringify(stored)).not.toContain(String(first['webhookUrl']).split('/').at(-1))
  const stranger = await m().token(await m().user(await m().tenant(), { profile: 'admin' }))
  expect(await us.settings(stranger)).toMatchObject({ webhookUrl: null, appSecret: '' })
  const tried = await call(product(), providers.test, us.token, { params, body: first } as never)
  expect(tried.body).toMatchObject({ ok: true })
})

test('numbers, accounts and pages are offered, and what is set once for them all stands in one place', async () => {
  const us = await company()
  const listed = await call(product(), connections.list, us.token, { query: { details: true } })
  const ofMeta = ['waba', 'instagram', 'messenger']
  expect((listed.body as { types: string[] }).types).toEqual(expect.arrayContaining(ofMeta))
  const { body } = await call(product(), providers.list, us.token)
  const ids = body.providers.map(({ id }) => id)
  expect(ids.filter((id) => ['meta', ...ofMeta].includes(id))).toEqual(['meta'])
})

test('the handshake is answered as plain text, with another word by 403', async () => {
  await company()
  const right = await meta.shake(VERIFY_TOKEN)
  expect([right.status, right.headers.get('content-type'), await right.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    '1158201444',
  ])
  expect((await meta.shake('outra')).status).toBe(403)
  expect((await meta.shake('')).status).toBe(403)
  const other = `hub.mode=unsubscribe&hub.verify_token=${encodeURIComponent(VERIFY_TOKEN)}&hub.challenge=1`
  expect((await fetch(`${meta.state.callback}?${other}`)).status).toBe(403)
})

test('a signature over other bytes is a 401: nothing is kept, and the call is counted', async () => {
  const us = await company()
  await us.start()
  const body = meta.written(meta.entryOf({ messages: [{ from: ana.number, id: 'wamid.x', timestamp: '1', ...text }] }))
  expect(body).toContain('\\u2602')
  const decoded = JSON.stringify(JSON.parse(body))
  for (const [sent, signature] of [
    [body, meta.signatureOf(decoded)],
    [body, meta.signatureOf(body, 'outra chave')],
    [body, ''],
    [`${body} `, meta.signatureOf(body)],
  ] as const)
    expect((await meta.post(sent, signature)).status).toBe(401)
  expect([await us.keys(), (await us.settings())['refusedCalls']]).toEqual([[], 4])
})

test('every message and status is an event of its own; played again, all at once or shuffled, they change nothing', async () => {
  const us = await company()
  await us.start()
  meta.lastInbound.set(ana.number, product().platform.now().getTime())
  const at = (n: number) => String(1_760_000_000 + n)
  const messages = Array.from({ length: 10 }, (_, n) => ({
    ...{ from: ana.number, id: `wamid.${n}`, timestamp: at(n), type: 'text' },
    text: { body: `${n}` },
  }))
  const statuses = ['sent', 'delivered'].map((status) => ({ id: 'wamid.s', status, timestamp: at(50) }))
  const body = meta.written(meta.entryOf({ messages, statuses }))
  const backwards = meta.written(meta.entryOf({ messages: messages.toReversed(), statuses }))
  const replies = await Promise.all([body, backwards, body, body].map((one) => meta.post(one)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await until(async () => (await us.bodies()).length === 10)
  await meta.post(backwards)
  await expect.poll(async () => (await us.keys()).length).toBe(12)
  expect((await us.bodies()).toSorted()).toEqual(messages.map(({ text: said }) => said.body))
})

test('one app of the installation serves several companies; an unknown number is a 200, and shown', async () => {
  const other = await startMeta(() => product().platform.now().getTime())
  await fillInApp(product(), meta, owner)
  const us = await company({ isAppTheirs: false })
  expect((await us.start()).status).toBe(200)
  // Another number of the same app.
  Object.assign(other.app, { appId: meta.app.appId, appSecret: meta.app.appSecret })
  other.state.callback = meta.state.callback
  Object.assign(product().platform.env, { META_GRAPH_URL: other.address })
  const them = await company({ isAppTheirs: false, of: other })
  expect((await them.start()).status).toBe(200)
  const [mine, theirs] = [await meta.write(ana, text), await other.write(ana, text)]
  expect([await us.keys(), await them.keys()]).toEqual([[mine], [theirs]])
  other.app.phoneId = '999'
  await other.write(ana, text)
  expect(await us.settings(owner)).toMatchObject({ unclaimedEvents: 1, webhookUrl: expect.any(String) })
  expect(await us.settings()).toMatchObject({ webhookUrl: null })
  await other.close()
})

test('of one body each page’s events go to whoever has connected it; where one company’s are not kept, all come again and are there once', async () => {
  const other = await startMeta(() => product().platform.now().getTime())
  await fillInApp(product(), meta, owner)
  const us = await company({ isAppTheirs: false, type: 'messenger' })
  expect((await us.start()).status).toBe(200)
  Object.assign(other.app, { appId: meta.app.appId, appSecret: meta.app.appSecret })
  Object.assign(product().platform.env, { META_GRAPH_URL: other.address })
  const them = await company({ isAppTheirs: false, of: other, type: 'messenger' })
  expect((await them.start()).status).toBe(200)
  const entry = [meta.direct.accounts.page.id, other.direct.accounts.page.id, '999'].map((id) => {
    const message = { mid: `m_${id}`, text: 'Oi' }
    return { id, messaging: [{ sender: { id: '77' }, recipient: { id }, timestamp: 1_760_000_000_000, message }] }
  })
  const body = meta.written({ object: 'page', entry })
  const unclaimed = async () => Number((await us.settings(owner))['unclaimedEvents'])
  const before = await unclaimed()
  const faults = await installFaults(product().ownerUrl)
  await faults.raise('journal', DISK_FULL, `company ${us.tenantId}`)
  expect((await meta.post(body)).status).toBe(503)
  expect([await us.keys(), await them.keys()]).toEqual([[], [`m_${entry[1]!.id}`]])
  await faults.heal()
  for (let twice = 0; twice < 2; twice++) expect((await meta.post(body)).status).toBe(200)
  // An event repeated while it is being processed waits briefly until it is recognized.
  await expect
    .poll(async () => [await us.keys(), await them.keys()])
    .toEqual([[`m_${entry[0]!.id}`], [`m_${entry[1]!.id}`]])
  await until(async () => (await us.bodies()).length + (await them.bodies()).length === 2)
  expect(await unclaimed()).toBe(before + 2)
  await Promise.all([faults.close(), other.close()])
})

test('a company’s own app brings events to its own numbers alone', async () => {
  const us = await company()
  await us.start()
  const spy = await startMeta()
  const them = await company({ of: spy })
  // Signed with its own secret, for our number.
  spy.app.phoneId = meta.app.phoneId
  await spy.write(ana, text)
  expect([await us.keys(), await them.keys()]).toEqual([[], []])
  expect(await them.settings()).toMatchObject({ unclaimedEvents: 1 })
  await spy.close()
})

test('what is of no kind that is read is counted by its name, and loses nothing beside it', async () => {
  const us = await company()
  await us.start()
  await meta.push({ event: 'PARTNER_ADDED' }, 'security')
  await meta.push({ event: 'PARTNER_ADDED' }, 'security')
  await meta.push({ messages: [{ from: ana.number, id: 'a', timestamp: '1', type: 'system' }] })
  expect((await us.settings())['unreadFields']).toBe('whatsapp_business_account.security (2), message.system (1)')
})

test('a company that is inactive, and a path that is nobody’s, are not there', async () => {
  const us = await company()
  await product().platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', us.tenantId).execute(),
  )
  expect((await meta.shake(VERIFY_TOKEN)).status).toBe(404)
})

const withoutScope = (scope: string) => meta.state.scopes.splice(meta.state.scopes.indexOf(scope), 1)
const missing: readonly [name: string, sentence: RegExp, breaks: () => void, isAppTheirs: boolean][] = [
  ['the app', /não conhece este aplicativo/, () => {}, false],
  [
    'a token of its app',
    /token é de outro aplicativo/,
    () => void Object.assign(meta.state, { isTokenOfOtherApp: true }),
    true,
  ],
  ['a token', /token não vale mais/, () => void Object.assign(meta.state, { isTokenValid: false }), true],
  [
    'a permission',
    /permissão whatsapp_business_messaging/,
    () => void withoutScope('whatsapp_business_messaging'),
    true,
  ],
  ['its number', /não é desta conta/, () => void Object.assign(meta.app, { phoneId: '42' }), true],
  ['its account', /não alcança esta conta/, () => void Object.assign(meta.app, { wabaId: '43' }), true],
  ['its secret', /não conhece este aplicativo/, () => void Object.assign(meta.app, { appSecret: 'outra' }), true],
]
test.each(missing)('starting says what is missing: %s', async (_, sentence, breaks, isAppTheirs) => {
  Object.assign(product().platform.env, { META_GRAPH_URL: meta.address })
  await call(product(), providers.save, owner, { params, body: { ...appSettings(meta), appSecret: 'x' } })
  const us = await company({ isAppTheirs })
  breaks()
  const reply = await us.start()
  expect(reply).toMatchObject({
    status: 422,
    body: { error: 'ERR_CONNECTION_TEST', details: { config: expect.stringMatching(sentence) } },
  })
  expect(await us.read()).toMatchObject({ status: 'DISCONNECTED' })
})

test('starting subscribes the app, and shows the number', async () => {
  const us = await company()
  expect((await us.start()).body).toMatchObject({ status: 'CONNECTED', number: '551130004000' })
  expect(meta.state.isSubscribed).toBe(true)
})
