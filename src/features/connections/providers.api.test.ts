import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '#features/audit/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import { keysOfProviders } from '#server/providers/queries.ts'
import { make } from '#test/make.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, withProduct } from '#test/server.ts'
import { connections } from './contract.ts'
import { providers } from './providers-contract.ts'
import { adapterOf } from './server/adapters.ts'

const KEY = 'uma-chave-que-termina-em-1234'
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)
let gateway: Awaited<ReturnType<typeof startSampleGateway>>
let tenantId: number
let token: string
let owner: string
beforeAll(async () => {
  gateway = await startSampleGateway(KEY)
  tenantId = await m().tenant()
  token = await m().token(await m().user(tenantId, { profile: 'admin' }))
  owner = await m().token(await m().user(await m().tenant(), { profile: 'superadmin' }))
})
afterAll(() => gateway.close())

const params = { id: 'sample' }
const ask = (operation: Operation, body?: object, by = token, id = 'sample') =>
  call(product(), operation, by, { params: { id }, ...(body ? { body } : {}) } as never)
const values = () => ({ url: gateway.address, key: KEY })
const stored = () =>
  product().platform.db.read(tenantId, (db) => db.selectFrom('provider_settings').selectAll().execute())
const listed = async (by = token) => (await call(product(), providers.list, by)).body.providers
const sourceOf = async (by = token) => (await listed(by)).filter(({ id }) => id === 'sample')
/** Returns the key that a connection of the company uses at its provider. */
async function keyInUse(name: string): Promise<string> {
  const config = { address: gateway.address, loft: name, token: KEY }
  const { body } = await call(product(), connections.create, token, {
    body: { type: 'sample', name, config },
  })
  return keyOf(body.id)
}
async function keyOf(id: number): Promise<string> {
  const { test } = await adapterOf(product().platform, tenantId, id)
  await test!()
  return gateway.calls.at(-1)!.key
}

test('only providers that are set once are listed; another one is not there', async () => {
  expect(await sourceOf()).toEqual([{ id: 'sample', name: 'Pombal central', types: ['sample'], source: null }])
  const set = channelConfigs.flatMap(({ id, settings }) => (settings ? [{ id, name: settings.name }] : []))
  expect(set.length).toBeGreaterThan(8)
  const ids = set.sort((a, b) => a.name.localeCompare(b.name, 'pt-BR')).map(({ id }) => id)
  expect((await listed()).map(({ id }) => id)).toEqual(ids)
  for (const id of ['lab', 'stream', 'telex', '../sample', 'x'.repeat(61)])
    expect([id, (await ask(providers.get, undefined, token, id)).status]).toEqual([id, id.length > 60 ? 400 : 404])
})

test('what is missing or unknown is named; a masked secret where there is none is asked for', async () => {
  expect(await ask(providers.save, { url: 'ftp://x', key: '', wings: 2 })).toMatchObject({
    status: 400,
    body: { details: { url: expect.any(String), wings: 'Campo desconhecido.' } },
  })
  expect(await ask(providers.save, { ...values(), key: '••••1234' })).toMatchObject({
    status: 400,
    body: { details: { key: 'Informe o segredo de novo.' } },
  })
  expect(await stored()).toEqual([])
})

test('the installation’s values serve whoever has none, and are shown to nobody but the superadmin', async () => {
  expect((await ask(providers.save, values(), owner)).body).toEqual({ url: gateway.address, key: '••••1234' })
  expect(await sourceOf()).toMatchObject([{ source: 'installation' }])
  expect((await ask(providers.get)).body).toEqual({ key: '' })
  expect(await ask(providers.test, {})).toMatchObject({ status: 200, body: { ok: true } })
  expect(await keyInUse('da instalação')).toBe(KEY)
  const { rows } = await product().platform.db.asPlatform(async (db) => ({
    rows: await db.selectFrom('installation').select('data').execute(),
  }))
  expect(JSON.stringify(rows)).not.toContain(KEY)
  expect(await product().platform.db.asPlatform(keysOfProviders)).toHaveLength(1)
})

test('a company’s own are kept encrypted, answered masked, stay when they come back unchanged, and are used at once', async () => {
  const { body } = await call(product(), connections.create, token, {
    body: {
      type: 'sample',
      name: 'Pombal',
      config: { address: gateway.address, loft: 'próprio', token: KEY },
    },
  })
  const { id } = body
  const mine = { url: gateway.address, key: 'a-chave-da-empresa-9876' }
  expect(await keyOf(id)).toBe(KEY)
  const saved = await ask(providers.save, mine)
  expect(saved).toMatchObject({ status: 200, body: { url: gateway.address, key: '••••9876' } })
  expect(await keyOf(id)).toBe(mine.key)
  const [before] = await stored()
  expect(JSON.stringify(before)).not.toContain(mine.key)
  // Twenty concurrent saves change nothing, and none waits for a second client.
  const again = await Promise.all(Array.from({ length: 20 }, () => ask(providers.save, saved.body)))
  expect(again.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect((await stored())[0]!.secrets).toEqual(before!.secrets)
  expect((await ask(providers.get)).body).toEqual(saved.body)
  expect(await sourceOf()).toMatchObject([{ source: 'company' }])
  // The secret would be sent to another server.
  expect((await ask(providers.save, { ...saved.body, url: 'https://outro.example' })).body).toMatchObject({
    details: { key: 'Informe o segredo de novo.' },
  })
  const rows = (await call(product(), audit.list, token, { query: {} })).body
  expect(JSON.stringify(rows)).not.toContain(mine.key)
  expect(JSON.stringify(rows)).toContain('providers.save')
})

test('a test says what is wrong, of what is saved and of what is not yet', async () => {
  expect((await ask(providers.test, {})).body).toEqual({ ok: false, text: 'O pombal não conhece esta chave.' })
  // An unchanged form gives the same result.
  expect((await ask(providers.test, (await ask(providers.get)).body)).body).toMatchObject({
    text: 'O pombal não conhece esta chave.',
  })
  expect((await ask(providers.test, values())).body).toEqual({
    ok: true,
    text: 'O provedor respondeu e aceitou os dados.',
  })
  const away = await ask(providers.test, { url: 'http://127.0.0.1:9', key: 'x' })
  expect(away.body).toEqual({ ok: false, text: 'O endereço chamado não respondeu como se esperava.' })
  expect((await ask(providers.test, { url: 'http://169.254.169.254/', key: 'x' })).body).toEqual({
    ok: false,
    text: 'Este endereço não pode ser chamado daqui.',
  })
  expect((await ask(providers.get)).body).toMatchObject({ key: '••••9876' })
})

test('a plan without its channel has it not, and it is nobody’s but administrators’', async () => {
  const other = await m().tenant()
  await product().platform.db.asPlatform((db) =>
    db
      .updateTable('tenants')
      .set({ allowed_channels: ['lab'] })
      .where('id', '=', other)
      .execute(),
  )
  product().platform.bus.stale(`settings ${other}`)
  const admin = await m().token(await m().user(other, { profile: 'admin' }))
  expect(await sourceOf(admin)).toEqual([])
  expect((await ask(providers.get, undefined, admin)).body).toMatchObject({ error: 'ERR_CHANNEL_NOT_ALLOWED' })
  const lead = await m().token(await m().user(tenantId, { profile: 'super' }))
  expect((await call(product(), providers.get, lead, { params })).status).toBe(403)
})
