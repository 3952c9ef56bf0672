import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { make, type Person } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { assistants, connectionAssistants } from './contract.ts'

const ORIGIN = 'https://guiche.loja.test'
const product = ownProduct('knows its own address', { env: { OUTBOUND_ALLOW: ['127.0.0.1'], PUBLIC_URL: ORIGIN } })
const m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let channel: TestChannel
let tenantId: number
let connectionId: number
let admin: Person
let from: string
let number = 5_511_966_000_000

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  peer.state.reply = () => 'Workflow was started'
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin' })
  from = String(++number)
  const filled = peer.filled['n8n']!
  const body = { provider: 'n8n', name: 'Fluxo', ...filled, config: { ...filled.config, waitSeconds: 0 } }
  const made = await call(product(), assistants.create, admin.token, { body: body as never })
  const choice = { params: { id: connectionId }, body: { assistantId: made.body.id } }
  await call(product(), connectionAssistants.set, admin.token, choice)
})

const statuses = async () =>
  (await product().platform.db.read(tenantId, (db) => db.selectFrom('assistant_turns').select('status').execute())).map(
    ({ status }) => status,
  )

/** Asks the workflow, and returns the address to which it may respond. */
async function asked(): Promise<string> {
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: 'Oi' })])
  await until(async () => (await statuses()).includes('later'))
  const { callbackUrl } = peer.asked().at(-1)!.body as { callbackUrl: string }
  expect(callbackUrl.startsWith(`${ORIGIN}/api/`)).toBe(true)
  return callbackUrl.replace(ORIGIN, product().address)
}
const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

it('a workflow answers later, in whatever form, and only once', async () => {
  const url = await asked()
  expect((await post(url, [{ json: { output: 'Seu pedido saiu.' } }])).status).toBe(200)
  await until(() => channel.sent.length > 0)
  expect(channel.sent.map(({ body }) => body)).toEqual(['Seu pedido saiu.'])
  expect((await post(url, { output: 'De novo' })).status).toBe(404)
  expect(await statuses()).toEqual(['answered'])
})

it('whom nobody asked is not heard: a changed address, and what a person has taken over', async () => {
  const url = await asked()
  expect((await post(`${url}x`, { output: 'Falso' })).status).toBe(404)
  await product().platform.db.asPlatform((db) =>
    db.updateTable('tickets').set({ status: 'open' }).where('tenant_id', '=', tenantId).execute(),
  )
  expect((await post(url, { output: 'Tarde demais' })).status).toBe(404)
  expect(channel.sent).toEqual([])
  expect(await statuses()).toEqual(['canceled'])
})

it.each([
  ['null fields', { output: null, text: [null], json: null }, 200],
  ['nothing', null, 200],
  ['10 MB', { output: 'x'.repeat(10 * 1024 * 1024) }, 413],
])('what says %s reaches no customer', async (_, body, status) => {
  const url = await asked()
  expect((await post(url, body)).status).toBe(status)
  expect(channel.sent).toEqual([])
  expect(await statuses()).toEqual([status === 200 ? 'answered' : 'later'])
})
