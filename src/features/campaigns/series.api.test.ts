import { afterAll, beforeAll, expect, it } from 'vitest'
import { flows } from '#features/flows/contract.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import type { Input } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { startReceiver } from '#test/peers/receiver.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Campaign, campaigns } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'], PUBLIC_URL: 'https://guiche.exemplo.com.br' } })
const m = () => make(product().platform)
let channel: TestChannel
let receiver: Awaited<ReturnType<typeof startReceiver>>
let tenantId: number
let token: string
let sessionId: number
let next = 5_521_980_000_000

beforeAll(async () => {
  channel = testChannel(product().platform)
  receiver = await startReceiver()
  tenantId = await m().tenant()
  token = await m().token(await m().user(tenantId, { profile: 'admin' }))
  sessionId = await m().connection(tenantId, { type: 'test', status: 'CONNECTED' })
})
afterAll(() => receiver.close())

type Form = Input<typeof campaigns.create>['body']
const always = { windowStart: '00:00', windowEnd: '24:00', weekdays: [0, 1, 2, 3, 4, 5, 6], skipsHolidays: false }
const create = async (rest: Partial<Form> = {}): Promise<Campaign> => {
  const body = {
    ...{ name: 'Ofertas', start: new Date().toISOString(), sessionId, delay: 0, ...always },
    ...{ message1: 'Oi', perWeek: null, ...rest },
  }
  const reply = await call(product(), campaigns.create, token, { body: body as never })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const person = async (rest: object = {}) => {
  const number = String(next++)
  return { id: await m().contact(tenantId, { number, name: `Pessoa ${number}`, ...rest }), number }
}
const add = (id: number, body: object) =>
  call(product(), campaigns.addContacts, token, { params: { id }, body: body as never })
const start = (id: number) => call(product(), campaigns.start, token, { params: { id } })
const stateOf = async (id: number) => (await call(product(), campaigns.get, token, { params: { id } })).body
const listed = async () => (await call(product(), campaigns.list, token, { query: {} as never })).body.campaigns
const countOf = async (query: object) =>
  (await call(product(), campaigns.audience, token, { query: query as never })).body.count
const beginNow = (id: number) =>
  product().platform.db.write(tenantId, (db) =>
    db.updateTable('dispatches').set({ start_at: new Date() }).where('id', '=', id).execute(),
  )
const sentTo = (number: string) => channel.sent.filter(({ conversationKey }) => conversationKey === number)
const isFinished = (id: number) => until(async () => (await stateOf(id)).status === 'finished')

async function publishedFlow(): Promise<number> {
  const { body } = await call(product(), flows.create, token, { body: { name: 'Vendas' } })
  const params = { id: body.id }
  const queueId = await m().queue(tenantId)
  const asks = { id: 'm', type: 'MessageField', data: { message: 'Qual tamanho?' } }
  const flow = {
    nodeList: [
      { id: 'start', type: 'start' },
      { id: 'configurations', type: 'configurations', configurations: {} },
      {
        id: 'a',
        name: 'a',
        type: 'node',
        interactions: [asks],
        conditions: [{ id: 'c', type: 'US', action: 1, queueId }],
      },
    ],
    lineList: [{ from: 'start', to: 'a' }],
  }
  await call(product(), flows.import, token, { params, body: flow as never })
  const published = await call(product(), flows.publish, token, { params })
  expect(published.status, JSON.stringify(published.body)).toBe(200)
  return params.id
}

it('repeats with recipients chosen anew, one next occurrence for each', async () => {
  const tag = await m().tag(tenantId, { tag: 'Ofertas' })
  const [first, second] = [await person(), await person()]
  const give = (contactId: number) =>
    product().platform.db.write(tenantId, (db) =>
      db.insertInto('contact_tags').values({ tenant_id: tenantId, contact_id: contactId, tag_id: tag }).execute(),
    )
  await give(first.id)
  const { id } = await create({ name: 'Semanal', recurrence: 'FREQ=WEEKLY' })
  expect((await add(id, { filter: { tag: [tag] }, expected: 1 })).body).toEqual({ added: 1, contactsCount: 1 })
  await start(id)
  await isFinished(id)
  const others = async () => (await listed()).filter((one) => one.name === 'Semanal' && one.id !== id)
  await until(async () => (await others()).length === 1)
  const [occurrence] = await others()
  const week = 7 * 24 * 3_600_000
  expect(occurrence).toMatchObject({ status: 'scheduled', contactsCount: 0, recurrence: 'FREQ=WEEKLY' })
  expect(Date.parse(occurrence!.start) - Date.parse((await stateOf(id)).start)).toBe(week)
  await give(second.id)
  await beginNow(occurrence!.id)
  await isFinished(occurrence!.id)
  expect(await stateOf(occurrence!.id)).toMatchObject({ contactsCount: 2, sent: 2 })
  expect([sentTo(first.number).length, sentTo(second.number).length]).toEqual([2, 1])
  await until(async () => (await others()).length === 2)
})

it('writes once more to those who did not answer, as a campaign of its own', async () => {
  const [silent, talker] = [await person(), await person()]
  const followUp = { days: 3, message: 'Ainda dá tempo', template: null }
  const { id } = await create({ name: 'Lançamento', followUp })
  await add(id, { contacts: [silent.id, talker.id] })
  await start(id)
  await isFinished(id)
  await receive(product().platform, { tenantId, connectionId: sessionId }, [
    textEvent({ from: talker.number, body: 'Quero' }),
  ])
  await until(async () => (await stateOf(id)).replied === 1)
  const followers = async () => (await listed()).filter((one) => one.followsId === id)
  const [made] = await followers()
  expect(made).toMatchObject({ status: 'scheduled', message1: 'Ainda dá tempo', followUp: null, contactsCount: 0 })
  await beginNow(made!.id)
  await isFinished(made!.id)
  expect(await stateOf(made!.id)).toMatchObject({ contactsCount: 1, sent: 1 })
  expect(sentTo(silent.number).map(({ body }) => body)).toEqual(['Oi', 'Ainda dá tempo'])
  expect(await followers()).toHaveLength(1)
})

it('hands an answer to the chat flow of the campaign, once', async () => {
  const flowId = await publishedFlow()
  const one = await person()
  const { id } = await create({ replyFlowId: flowId })
  await add(id, { contacts: [one.id] })
  await start(id)
  await isFinished(id)
  const at = { tenantId, connectionId: sessionId }
  await receive(product().platform, at, [textEvent({ from: one.number, body: 'Quero' })])
  await until(async () => (await stateOf(id)).replied === 1)
  const [ticket] = await product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('tickets')
      .select(['status', 'chat_flow_id'])
      .where('contact_id', '=', one.id)
      .orderBy('id', 'desc')
      .execute(),
  )
  expect(ticket).toEqual({ status: 'pending', chat_flow_id: flowId })
  await until(async () => sentTo(one.number).length === 2)
  expect(sentTo(one.number).map(({ body }) => body)).toEqual(['Oi', 'Qual tamanho?'])
})

it('takes its file from a link, once, as the company’s own', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const mediaUrl = receiver.at('/mesa.png', (_, response) => response.writeHead(200).end(png))
  expect(await create({ mediaUrl })).toMatchObject({ mediaName: 'mesa.png', mediaType: 'image' })
  const refused = async (url: string) => {
    const body = { name: 'x', start: new Date().toISOString(), sessionId, message1: 'Oi', mediaUrl: url }
    return (await call(product(), campaigns.create, token, { body: body as never })).body as { error: string }
  }
  expect(await refused(receiver.at('/nada', 404))).toMatchObject({ error: 'ERR_FILE_FETCH' })
  expect(await refused('http://169.254.169.254/x')).toMatchObject({ error: 'ERR_ADDRESS_REFUSED' })
  expect(await refused('mesa.png')).toMatchObject({ error: 'ERR_VALIDATION' })
})

it('counts an audience by state, creation, last conversation, birthday and answers', async () => {
  const one = await person({ number: '5585988887777', birthday_date: '1990-07-14' })
  const old = await person({ number: '5585988886666', created_at: new Date('2020-05-05T12:00:00Z') })
  await m().ticket(tenantId, { contact_id: old.id, last_message_at: new Date('2021-01-10T12:00:00Z') })
  expect(await countOf({ state: 'CE' })).toBe(2)
  expect(await countOf({ state: 'CE', birthMonth: 7 })).toBe(1)
  expect(await countOf({ state: 'CE', created: '2020-05-05..2020-05-05' })).toBe(1)
  expect(await countOf({ state: 'CE', created: '-2..' })).toBe(1)
  expect(await countOf({ state: 'CE', lastTalk: '..-60' })).toBe(1)
  expect(await countOf({ state: 'CE', lastTalk: '2021-01-10..2021-01-10' })).toBe(1)
  const { id } = await create()
  await add(id, { contacts: [one.id] })
  await start(id)
  await isFinished(id)
  expect([await countOf({ answered: id }), await countOf({ unanswered: id })]).toEqual([0, 1])
  const wrong = await call(product(), campaigns.audience, token, { query: { created: 'ontem' } as never })
  expect(wrong.status).toBe(400)
})

it('sends links as addresses of each recipient, leads to the stored one only, and counts a recipient once', async () => {
  const one = await person()
  const { id } = await create({ message1: 'Veja https://loja.exemplo.com.br/mesa?cor=azul.' })
  await add(id, { contacts: [one.id] })
  await start(id)
  await isFinished(id)
  const short = /\/r\/[\w.-]+[\w]/.exec(sentTo(one.number)[0]!.body)![0]
  const open = (path: string, agent = 'Mozilla/5.0') =>
    fetch(`${product().address}${path}`, { redirect: 'manual', headers: { 'user-agent': agent } })
  expect((await open(short, 'WhatsApp/2.0')).status).toBe(302)
  for (const _ of [1, 2])
    expect((await open(short)).headers.get('location')).toBe('https://loja.exemplo.com.br/mesa?cor=azul')
  await until(async () => (await stateOf(id)).clicked === 1)
  expect((await open(`${short.slice(0, -1)}~`)).status).toBe(404)
  expect((await open('/r/1.1.0.aaaaaaaaaaaaaaaa')).status).toBe(404)
})

it('tells as CSV and as PDF what became of each recipient', async () => {
  const one = await person({ name: 'Ana Lúcia' })
  const { id } = await create()
  await add(id, { contacts: [one.id] })
  await start(id)
  await isFinished(id)
  const file = async (format: string) => {
    const reply = await fetch(`${product().address}/api/campaigns/${id}/report?format=${format}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(reply.status).toBe(200)
    return { type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  expect((await file('csv')).bytes.toString()).toMatch(/Ana Lúcia.*Enviada/)
  const pdf = await file('pdf')
  expect([pdf.type, pdf.bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])
  expect(pdf.bytes.length).toBeGreaterThan(1000)
})
