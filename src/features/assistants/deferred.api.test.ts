import { readFileSync } from 'node:fs'
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

const JSON_TYPE = 'application/json'
const form = (fields: Record<string, string>, files: readonly File[] = []) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const file of files) data.append('data', file)
  return data
}
const bytes = (text: string) => new TextEncoder().encode(text)

it.each<[string, BodyInit, string | null, string]>([
  ['plain text', 'Seu pedido saiu.', 'text/plain', 'Seu pedido saiu.'],
  ['a form', 'output=Seu+pedido+saiu.&id=7', 'application/x-www-form-urlencoded', 'Seu pedido saiu.'],
  ['a form with parts', form({ output: 'Seu pedido\nsaiu.' }), null, 'Seu pedido\nsaiu.'],
  ['JSON of a wrong type', '[{"output":"Seu pedido saiu."}]', 'application/x-www-form-urlencoded', 'Seu pedido saiu.'],
  ['JSON without a type', bytes('{"text":"Seu pedido saiu."}'), null, 'Seu pedido saiu.'],
  ['JSON under no type', '{"text":"Seu pedido saiu."}', 'json', 'Seu pedido saiu.'],
  ['text under the type of JSON', 'Seu pedido saiu.', JSON_TYPE, 'Seu pedido saiu.'],
])('may answer with %s', async (_, body, type, said) => {
  const url = await asked()
  const headers = type === null ? {} : { headers: { 'content-type': type } }
  const response = await fetch(url, { method: 'POST', body, ...headers })
  expect([response.status, await response.text()]).toMatchObject([200, expect.stringContaining('ok')])
  await until(() => channel.sent.length > 0)
  expect(channel.sent.map(({ body: sent }) => sent)).toEqual([said])
})

it('may answer with files beside the words', async () => {
  const url = await asked()
  const files = [
    new File([readFileSync('test/media/tone.mp3')], 'aviso.mp3', { type: 'audio/mpeg' }),
    new File(['Pedido 7'], 'pedido.txt', { type: 'text/plain' }),
  ]
  const response = await fetch(url, { method: 'POST', body: form({ output: 'Veja o anexo' }, files) })
  expect(response.status).toBe(200)
  await until(() => channel.sent.length > 2)
  const sent = channel.sent.map(({ type, body, file }) => [type, body, file?.name])
  expect(sent).toEqual([
    ['text', 'Veja o anexo', undefined],
    ['audio', '', 'aviso.mp3'],
    ['document', '', 'pedido.txt'],
  ])
})

it.each<[string, BodyInit, string | null, number, string]>([
  ['broken JSON', '{"output":"Seu pedido\nsaiu."}', JSON_TYPE, 400, 'JSON válido'],
  ['bytes', new Uint8Array([0x89, 0x50, 0xff, 0xfe]), 'image/png', 415, 'formulário'],
  ['a program', form({}, [new File(['MZ\u0090\0'], 'virus.exe')]), null, 415, 'não é aceito'],
  ['a form that is none', 'x', 'multipart/form-data', 400, 'formulário'],
  ['too large a file', form({}, [new File([new Uint8Array(17 * 1024 * 1024)], 'a.txt')]), null, 413, 'grande'],
])('is told why %s is not taken', async (_, body, type, status, sentence) => {
  const url = await asked()
  const headers = type === null ? {} : { headers: { 'content-type': type } }
  const response = await fetch(url, { method: 'POST', body, ...headers })
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(sentence)])
  expect([channel.sent, await statuses()]).toEqual([[], ['later']])
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
