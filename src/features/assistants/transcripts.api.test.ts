import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { ledgerOf } from '#features/ledger/server/messages/ledger.ts'
import { messages } from '#features/messages/contract.ts'
import { make, type Person } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { assistants, connectionAssistants, transcripts } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)
const SPOKEN = 'Quero encomendar um bolo de laranja'

let peer: Awaited<ReturnType<typeof startAssistants>>
let channel: TestChannel
let tenantId: number
let connectionId: number
let admin: Person
let from: string
let number = 5_511_977_000_000

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin' })
  from = String(++number)
})

async function connect(provider: string, config: object = {}): Promise<number> {
  const filled = peer.filled[provider]!
  const body = { provider, name: 'Robô', ...filled, config: { ...filled.config, waitSeconds: 0, ...config } }
  const made = await call(product(), assistants.create, admin.token, { body: body as never })
  expect(made.status).toBe(200)
  return made.body.id
}
const choose = (body: object) =>
  call(product(), connectionAssistants.set, admin.token, { params: { id: connectionId }, body })
async function speak(): Promise<void> {
  const bytes = readFileSync(join(import.meta.dirname, '../../../test/media/tone.mp3'))
  const stored = await ledgerOf(product().platform, tenantId, connectionId).store({
    ...{ name: 'voz.mp3', bytes, maxBytes: 1_000_000 },
  })
  const event = textEvent({ from, body: '' })
  const message = { ...event.message, type: 'audio', fileId: stored!.id } as const
  await receive(product().platform, { tenantId, connectionId }, [{ ...event, message }])
}
const recording = async () => {
  const find = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['id', 'data']).where('media_type', '=', 'audio').executeTakeFirst(),
    )
  await until(async () => (await find()) !== undefined)
  return (await find())!
}
const transcribe = async (by: Person, recordingId: string) =>
  call(product(), transcripts.make, by.token, { params: { recordingId } })
const found = async (searchParam: string) => {
  const { body } = await call(product(), messages.search, admin.token, { query: { searchParam } as never })
  return JSON.stringify(body).includes(from)
}

it('writes down by itself where the connection wants it, and the assistant answers what was said', async () => {
  await connect('groqcloud', { audioPrice: 60 })
  await choose({ assistantId: await connect('claude'), transcribeAudio: true })
  await speak()
  await until(async () => ((await recording()).data as { transcript?: string } | null)?.transcript === SPOKEN)
  await until(() => channel.sent.some(({ body }) => body.includes(SPOKEN)))
  const asked = peer.asked().filter(({ path }) => path.endsWith('/audio/transcriptions'))
  expect(asked).toHaveLength(1)
  expect(String(asked[0]!.body['multipart'])).toContain('whisper-large-v3-turbo')
  expect(await found('laranja')).toBe(true)
})

it('does it for a person who asks, once, and only of what they see', async () => {
  await connect('chatgpt')
  await speak()
  const { id } = await recording()
  expect(await found('laranja')).toBe(false)
  const stranger = await m().person(await m().tenant())
  expect((await transcribe(stranger, id)).status).toBe(404)
  const [first, second] = await Promise.all([transcribe(admin, id), transcribe(admin, id)])
  expect([first.body, second.body]).toEqual([{ text: SPOKEN }, { text: SPOKEN }])
  expect((await transcribe(admin, id)).body).toEqual({ text: SPOKEN })
  expect(peer.asked()).toHaveLength(1)
  expect(await found('laranja')).toBe(true)
})

it('says why it cannot, and keeps nothing', async () => {
  await speak()
  const { id } = await recording()
  expect((await transcribe(admin, id)).body).toMatchObject({ error: 'ERR_NO_ACCOUNT_FOR_THIS' })
  await connect('chatgpt')
  peer.state.fault = 500
  expect((await transcribe(admin, id)).body).toMatchObject({ error: 'ERR_TRANSCRIPTION' })
  expect((await recording()).data).toBeNull()
})

it('answers by voice where its account does so, with the text below; what could not be spoken is written', async () => {
  await choose({ assistantId: await connect('chatgpt', { voice: true, speechPrice: 1000 }) })
  const write = () => receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: 'Oi' })])
  await write()
  const calls = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('assistant_calls').select(['purpose', 'cost', 'error']).orderBy('created_at').execute(),
    )
  await until(async () => (await calls()).some(({ purpose }) => purpose === 'voice'))
  expect((await recording()).data).toEqual({ transcript: 'Resposta a: Oi' })
  expect(Number((await calls()).find(({ purpose }) => purpose === 'voice')!.cost)).toBeGreaterThan(0)
  Object.assign(peer.state, { fault: 500, faultAt: /speech/ })
  await write()
  await until(() => channel.sent.some(({ body }) => body === 'Resposta a: Oi'))
})
