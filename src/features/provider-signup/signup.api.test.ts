import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import type { Operation } from '#kit/contract.ts'
import { META_ERRORS } from '#providers/channels/meta-errors.ts'
import { make } from '#test/make.ts'
import { appSettings, fillInApp } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, withProduct } from '#test/server.ts'
import { providerSignups, type SignupAccount } from './contract.ts'

let ahead = 0
const now = () => new Date(Date.now() + ahead)
const product = withProduct({ now })
const m = () => make(product().platform)
let meta: Awaited<ReturnType<typeof startMeta>>
let admin: string
let colleague: string
let stranger: string
let agent: string
let tenantId: number

beforeAll(async () => {
  meta = await startMeta()
  tenantId = await m().tenant()
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  colleague = await m().token(await m().user(tenantId, { profile: 'admin' }))
  agent = await m().token(await m().user(tenantId))
  stranger = await m().token(await m().user(await m().tenant(), { profile: 'admin' }))
  await fillInApp(product(), meta, admin)
})
afterAll(() => meta.close())

const ask = (operation: Operation, body: object, by = admin, id?: number) =>
  call(product(), operation, by, { body, ...(id ? { params: { id } } : {}) } as never)
const begin = (by = admin) => ask(providerSignups.begin, { provider: 'meta' }, by)

/** Goes through the login as a browser; returns the address of the redirect and its parameters. */
async function logIn(by = admin) {
  const { url } = (await begin(by)).body as { url: string }
  const { headers } = await fetch(url, { redirect: 'manual' })
  const back = new URL(headers.get('location')!)
  return { at: `${back.origin}${back.pathname}`, ...Object.fromEntries(back.searchParams) } as Record<string, string>
}
const finish = ({ state, code }: Record<string, string>, by = admin) =>
  ask(providerSignups.finish, { state, code: code ?? 'x' }, by)

test('without the id of a login’s configuration there is none; nor for whoever may not connect channels', async () => {
  expect(await begin()).toMatchObject({ status: 422, body: { error: 'ERR_SIGNUP_SETTINGS' } })
  expect((await begin(agent)).status).toBe(403)
  expect((await ask(providerSignups.begin, { provider: 'webchat' })).status).toBe(404)
  const body = { ...appSettings(meta), configId: 'cfg-1' }
  expect((await call(product(), providers.save, admin, { params: { id: 'meta' }, body })).status).toBe(200)
})

test('the login leads back to the screen, and what it opens is connected, subscribed and registered', async () => {
  const back = await logIn()
  expect(back['at']).toBe(`${product().address}/configuracoes/meta`)
  const { status, body } = await finish(back)
  expect([status, body]).toMatchObject([
    200,
    {
      accounts: [
        { account: meta.app.phoneId, type: 'waba', name: 'Empório', label: meta.app.display, whatsappId: null },
      ],
    },
  ])
  expect(JSON.stringify(body)).not.toContain(meta.app.token)
  const id = body['id'] as number
  const form = { account: meta.app.phoneId, name: 'Loja', pin: '123456' }
  expect((await ask(providerSignups.connect, form, colleague, id)).status).toBe(404)
  expect((await ask(providerSignups.connect, form, stranger, id)).status).toBe(404)
  expect((await ask(providerSignups.connect, { ...form, account: '1' }, admin, id)).status).toBe(404)
  const made = await ask(providerSignups.connect, form, admin, id)
  expect([made.status, made.body['problem']]).toEqual([200, null])
  expect([meta.state.isSubscribed, meta.number.state.pin]).toEqual([true, '123456'])
  const whatsappId = made.body['whatsappId'] as number
  const read = await call(product(), connections.get, admin, { params: { id: whatsappId } })
  const { name, status: stands, number, config } = read.body
  expect([name, stands, number]).toEqual(['Loja', 'CONNECTED', '551130004000'])
  expect(config).toMatchObject({ wabaId: meta.app.wabaId, bmToken: `••••${meta.app.token.slice(-4)}` })
  const stored = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('provider_signups').selectAll().execute(),
  )
  expect(JSON.stringify(stored)).not.toContain(meta.app.token)
})

test('whoever logs in again gives the number that is there a new token; a PIN that is wrong is said, and it stays connected', async () => {
  const { body } = await finish(await logIn())
  const [account] = body['accounts'] as SignupAccount[]
  const form = { account: account!.account, name: 'Outra', pin: '654321' }
  const again = await ask(providerSignups.connect, form, admin, body['id'] as number)
  expect(again.body).toEqual({ whatsappId: account!.whatsappId, problem: META_ERRORS[133_005]!.text })
  const { body: list } = await call(product(), connections.list, admin, {})
  expect(list.connections).toMatchObject([{ name: 'Loja', status: 'CONNECTED' }])
})

test('a state counts once, for who began, for ten minutes; of twenty at once one', async () => {
  const refused = { status: 422, body: { error: 'ERR_SIGNUP_STATE' } }
  const back = await logIn()
  expect(await finish(back, colleague)).toMatchObject(refused)
  expect(await finish(back, stranger)).toMatchObject(refused)
  const all = await Promise.all(Array.from({ length: 20 }, () => finish(back)))
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 422)])
  expect(await finish({ ...back, state: 'outra' })).toMatchObject(refused)
  const late = await logIn()
  ahead = 601_000
  expect(await finish(late)).toMatchObject(refused)
  ahead = 0
})

test('a code that Meta does not know, and a login that opens no account, are said in words', async () => {
  const back = await logIn()
  expect(await finish({ ...back, code: 'AQ-outro' })).toMatchObject({
    ...{
      status: 422,
      body: { error: 'ERR_SIGNUP_REFUSED', details: { reason: expect.stringContaining('Comece de novo') } },
    },
  })
  meta.login.state.accounts = []
  expect(await finish(await logIn())).toMatchObject({
    body: { details: { reason: expect.stringContaining('nenhuma conta') } },
  })
  meta.login.state.accounts = [meta.app.wabaId]
})
