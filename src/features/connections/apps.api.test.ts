import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signatureOf } from '#test/channels/sample/adapter.ts'
import { journaled } from '#test/journaled.ts'
import { make } from '#test/make.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { providerApps } from './apps-contract.ts'
import { connections } from './contract.ts'

const TOKEN = 'um-token-que-termina-em-1234'
const APP_TOKEN = 'segredo-do-aplicativo-5678'
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let gateway: Awaited<ReturnType<typeof startSampleGateway>>
let owner: string
beforeAll(async () => {
  gateway = await startSampleGateway(TOKEN)
  owner = await m().token(await m().user(await m().tenant(), { profile: 'superadmin' }))
})
afterAll(() => gateway.close())

const m = () => make(product().platform)
let counter = 0

const createApp = (values: object = { token: APP_TOKEN }, channel = 'sample', token = owner) =>
  call(product(), providerApps.create, token, {
    body: { channel, name: `Aplicativo ${++counter}`, values } as never,
  })

/** Creates a company with a connection of this account, started by default. */
async function company(loft: string, isStarted = true) {
  const tenantId = await m().tenant()
  const token = await m().token(await m().user(tenantId, { profile: 'admin' }))
  const made = await call(product(), connections.create, token, {
    body: {
      type: 'sample',
      name: 'Pombal',
      config: { address: gateway.address, loft, token: TOKEN, speed: 1 },
    },
  })
  const { id, config } = made.body
  const us = {
    ...{ tenantId, token, id, config },
    start: () => call(product(), connections.start, token, { params: { id } }),
    end: () => call(product(), connections.end, token, { params: { id } }),
    journal: async () => (await product().platform.db.read(tenantId, journaled)).map(({ dedupe_key }) => dedupe_key),
  }
  if (isStarted) expect((await us.start()).status).toBe(200)
  return us
}

const words = (id: string, loft?: string) => ({ id, from: '5511988887777', text: 'Olá', at: 1_760_000_000_000, loft })
const bring = (path: string, events: object[], token = APP_TOKEN) => {
  const body = JSON.stringify({ events })
  const headers = { 'x-signature': signatureOf(token, body) }
  return fetch(`${product().address}${path}`, { method: 'POST', headers, body })
}
const unclaimed = async (id: number) =>
  (await call(product(), providerApps.list, owner)).body.apps.find((app) => app.id === id)!.unclaimedEvents

it('one address serves the accounts of several companies; what is of nobody is counted, and no error to the provider', async () => {
  const { body: app } = await createApp()
  const [us, them, shut] = [await company('apps-nosso'), await company('apps-deles'), await company('apps-fechado')]
  const notYet = await company('apps-ainda-nao', false)
  await product().platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', shut.tenantId).execute(),
  )
  const reply = await bring(app.webhookPath, [
    words('1', 'apps-nosso'),
    words('2', 'apps-deles'),
    words('3', 'apps-nosso'),
    words('4', 'de-ninguem'),
    words('5'),
    words('6', 'apps-ainda-nao'),
    words('7', 'apps-fechado'),
    words('8', 'sample:apps-nosso'),
  ])
  expect([reply.status, await reply.text()]).toEqual([200, 'ok'])
  expect([await us.journal(), await them.journal(), await notYet.journal(), await shut.journal()]).toEqual([
    ['1', '3'],
    ['2'],
    [],
    [],
  ])
  await until(async () => (await unclaimed(app.id)) === 5)
  await until(async () => {
    const tickets = await product().platform.db.read(them.tenantId, (db) =>
      db.selectFrom('tickets').select('connection_id').execute(),
    )
    return tickets.length === 1 && tickets[0]!.connection_id === them.id
  })
  await them.end()
  expect((await bring(app.webhookPath, [words('9', 'apps-deles'), words('10', 'apps-nosso')])).status).toBe(200)
  expect([await us.journal(), await them.journal()]).toEqual([['1', '3', '10'], ['2']])
  // Ended by its channel, without a notification here.
  await product().platform.db.asPlatform((db) =>
    db.updateTable('connections').set({ status: 'DISCONNECTED' }).where('id', '=', us.id).execute(),
  )
  product().platform.bus.stale(`connection ${us.tenantId}:${us.id}`)
  expect((await bring(app.webhookPath, [words('11', 'apps-nosso')])).status).toBe(200)
  expect(await us.journal()).toHaveLength(3)
})

it('answers the handshake with the app’s secret, 401 to a company’s, and 404 once the app is gone', async () => {
  const { body: app } = await createApp()
  const us = await company('aperto')
  const hello = (token: string) => fetch(`${product().address}${app.webhookPath}?token=${token}&challenge=pru`)
  const right = await hello(APP_TOKEN)
  expect([right.status, await right.text()]).toEqual([200, 'pru'])
  expect((await hello(TOKEN)).status).toBe(401)
  expect((await bring(app.webhookPath, [words('1', 'aperto')], TOKEN)).status).toBe(401)
  expect(await us.journal()).toEqual([])
  expect((await call(product(), providerApps.remove, owner, { params: { id: app.id } })).status).toBe(200)
  expect((await bring(app.webhookPath, [words('1', 'aperto')])).status).toBe(404)
  expect((await call(product(), providerApps.remove, owner, { params: { id: app.id } })).status).toBe(404)
})

it('an account is of the company whose credentials its provider took first, until that one lets go', async () => {
  const { body: app } = await createApp()
  const us = await company('disputado')
  const them = await company('disputado', false)
  expect((await them.start()).body).toMatchObject({ error: 'ERR_ACCOUNT_TAKEN' })
  await bring(app.webhookPath, [words('1', 'disputado')])
  expect([await us.journal(), await them.journal()]).toEqual([['1'], []])
  await us.end()
  expect((await them.start()).status).toBe(200)
  expect((await us.start()).body).toMatchObject({ error: 'ERR_ACCOUNT_TAKEN' })
  await bring(app.webhookPath, [words('2', 'disputado')])
  expect([await us.journal(), await them.journal()]).toEqual([['1'], ['2']])
  const many = await Promise.all(Array.from({ length: 6 }, () => company('cobicado', false)))
  const started = await Promise.all(many.map((one) => one.start()))
  expect(started.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

it('whoever names another account gets nothing of it before its provider has taken the credentials', async () => {
  const { body: app } = await createApp()
  const us = await company('primeiro')
  const { body } = await call(product(), connections.update, us.token, {
    params: { id: us.id },
    body: { name: 'Pombal', config: { ...us.config, loft: 'segundo', token: TOKEN } },
  })
  expect(body).toMatchObject({ status: 'DISCONNECTED', config: { loft: 'segundo' } })
  await bring(app.webhookPath, [words('1', 'primeiro'), words('2', 'segundo')])
  expect(await us.journal()).toEqual([])
  await us.start()
  await bring(app.webhookPath, [words('3', 'primeiro'), words('4', 'segundo')])
  expect(await us.journal()).toEqual(['4'])
})

it('twenty of the same call at once are taken once; a company that takes no more keeps nobody else from theirs', async () => {
  const { body: app } = await createApp()
  const [us, full] = [await company('vinte'), await company('cheio')]
  const replies = await Promise.all(Array.from({ length: 20 }, () => bring(app.webhookPath, [words('1', 'vinte')])))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  // An event received while the first was being processed stays in the journal until it is taken, then is dropped.
  await expect.poll(us.journal).toEqual(['1'])
  const database = new pg.Client({ connectionString: product().ownerUrl })
  await database.connect()
  await database.query(
    `insert into journal (tenant_id, id, connection_id, dedupe_key, payload, received_at)
     select $1, gen_random_uuid(), $2, n::text, '{"type": "later"}', now() from generate_series(1, 10001) n`,
    [full.tenantId, full.id],
  )
  await database.end()
  const reply = await bring(app.webhookPath, [words('2', 'cheio'), words('3', 'vinte')])
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await us.journal()).toEqual(['1', '3'])
})

it('is the superadmin’s alone, its secret encrypted and masked', async () => {
  const { status, body: app } = await createApp()
  expect([status, app.values]).toEqual([200, { token: '••••5678' }])
  expect(app.webhookPath).toMatch(/^\/api\/hooks\/[\w-]{22}$/)
  const stored = await product().platform.db.asPlatform((db) => db.selectFrom('provider_apps').selectAll().execute())
  expect(JSON.stringify(stored)).not.toContain(APP_TOKEN)
  expect(JSON.stringify(stored)).not.toContain(app.webhookPath.split('/').at(-1))
  const save = (values: object) =>
    call(product(), providerApps.update, owner, { params: { id: app.id }, body: { name: 'Outro', values } as never })
  expect((await save(app.values)).body).toMatchObject({
    name: 'Outro',
    values: app.values,
    webhookPath: app.webhookPath,
  })
  const hello = await fetch(`${product().address}${app.webhookPath}?token=${APP_TOKEN}&challenge=pru`)
  expect(await hello.text()).toBe('pru')
  expect((await createApp({ token: '' })).body).toMatchObject({ details: { 'values.token': expect.any(String) } })
  expect((await createApp({}, 'lab')).body).toMatchObject({ details: { channel: 'Este canal não tem aplicativos.' } })
  const admin = await m().token(await m().user(await m().tenant(), { profile: 'admin' }))
  expect((await createApp({ token: 'x' }, 'sample', admin)).status).toBe(403)
  expect((await call(product(), providerApps.list, admin)).status).toBe(403)
})
