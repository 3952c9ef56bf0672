import { beforeAll, expect, it } from 'vitest'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Campaign, type CampaignPlan, campaigns } from './contract.ts'
import { dispatches } from './mass-contract.ts'

const product = withProduct({ env: { PUBLIC_URL: 'https://guiche.exemplo.com.br' } })
const m = () => make(product().platform)
let channel: TestChannel
let tenantId: number
let token: string
let sessionId: number
let next = 5_531_980_000_000

beforeAll(async () => {
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  token = await m().token(await m().user(tenantId, { profile: 'admin' }))
  sessionId = await m().connection(tenantId, { type: 'test', status: 'CONNECTED', name: 'Loja' })
})

const person = async (rest: object = {}) => {
  const number = String(next++)
  return { id: await m().contact(tenantId, { number, name: `Pessoa ${number}`, ...rest }), number }
}
const text = (rest: object) => ({ kind: 'text', sessionIds: [sessionId], min: 0, max: 0, message: 'Oi', ...rest })
const send = (rest: object) => call(product(), dispatches.create, token, { body: text(rest) as never })
const planOf = async (rest: object) => {
  const { status, body } = await call(product(), dispatches.plan, token, { body: text(rest) as never })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as CampaignPlan
}
const isFinished = (id: number) =>
  until(
    async () =>
      ((await call(product(), dispatches.get, token, { params: { id } })).body as Campaign).status === 'finished',
  )
const sentTo = (key: string) => channel.sent.filter(({ conversationKey }) => conversationKey === key)
const receiveGroup = async (connectionId: number, key: string, groupName: string) => {
  const sender = { identity: '5531970000001', name: 'Ana', number: '5531970000001' }
  await receive(product().platform, { tenantId, connectionId }, [
    { ...textEvent({ from: key, body: 'Oi' }), isGroup: true, groupName, sender },
  ])
  const received = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select('id').where('conversation_key', '=', key).executeTakeFirst(),
    )
  await until(async () => (await received()) !== undefined)
}

it('sends to groups by the connection that is in each, once for each group', async () => {
  const other = await m().connection(tenantId, { type: 'test', status: 'CONNECTED', name: 'Filial' })
  await receiveGroup(sessionId, '1203630001@g.us', 'Bazar')
  await receiveGroup(other, '1203630002@g.us', 'Avisos')
  const sessionIds = [sessionId, other]
  const listed = await call(product(), dispatches.groups, token, { query: { sessionIds } as never })
  const groups = (listed.body as { groups: { id: string; name: string; sessionId: number }[] }).groups
  expect(groups.map(({ id, name, sessionId: by }) => [id, name, by])).toEqual([
    ['1203630002@g.us', 'Avisos', other],
    ['1203630001@g.us', 'Bazar', sessionId],
  ])
  const made = await send({ sessionIds, groups: groups.map(({ id }) => id), message: 'Hoje tem bazar' })
  expect(made.status, JSON.stringify(made.body)).toBe(202)
  await isFinished((made.body as Campaign).id)
  for (const { id } of groups) expect(sentTo(id).map(({ body }) => body)).toEqual(['Hoje tem bazar'])
  const tickets = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('connection_id').where('is_group', '=', true).execute(),
  )
  expect(tickets).toHaveLength(2)
  expect((await send({ groups: ['1203630002@g.us'] })).body).toMatchObject({ error: 'ERR_NO_GROUP_FOUND' })
  expect((await send({ kind: 'sms', groups: ['1203630001@g.us'] })).status).toBe(400)
})

it('says what a dispatch would do, and keeps nothing of it', async () => {
  const [fine, blocked] = [await person(), await person({ blocked: true })]
  const lines = [{ number: '31 97777-0001', values: [] }]
  const plan = await planOf({ contacts: [fine.id, blocked.id], lines })
  expect(plan).toMatchObject({ reached: 2, left: [{ reason: 'blocked', count: 1 }], parts: null, level: 'good' })
  const stored = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select('id').where('number', '=', '5531977770001').execute(),
  )
  expect(stored).toEqual([])
  const list = await call(product(), dispatches.list, token, { query: { kind: 'text' } })
  expect((list.body as { dispatches: Campaign[] }).dispatches).toHaveLength(1)
})

it('counts SMS by the texts as they leave: with values, links and without accents where those are taken off', async () => {
  const sms = (config: object) =>
    m().connection(tenantId, { type: 'sms', status: 'CONNECTED', config: JSON.stringify(config) })
  const [accented, plain] = [await sms({}), await sms({ isPlain: true })]
  const people = [await person({ name: 'Bia' }), await person({ name: 'B'.repeat(80) })]
  const to = { kind: 'sms', contacts: people.map(({ id }) => id), message: 'Olá, {{name}}: você já pode vir buscar.' }
  expect((await planOf({ ...to, sessionIds: [accented] })).parts).toBe(1 + 2)
  expect((await planOf({ ...to, sessionIds: [plain] })).parts).toBe(1 + 1)
  const body = {
    ...{
      name: 'SMS',
      start: new Date().toISOString(),
      sessionId: plain,
      message1: `${'a'.repeat(120)} https://x.com/y`,
    },
  }
  const made = await call(product(), campaigns.create, token, { body: body as never })
  const params = { id: (made.body as Campaign).id }
  await call(product(), campaigns.addContacts, token, { params, body: { contacts: [people[0]!.id] } })
  // The sent link is longer than the written one.
  expect((await call(product(), campaigns.plan, token, { params })).body).toMatchObject({ reached: 1, parts: 2 })
})

it('is one, however often and at once the same is asked for', async () => {
  const one = await person()
  const idFront = crypto.randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send({ contacts: [one.id], idFront })))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202))
  expect(new Set(answers.map(({ body }) => (body as Campaign).id)).size).toBe(1)
  await isFinished((answers[0]!.body as Campaign).id)
  expect(sentTo(one.number)).toHaveLength(1)
  const started = await call(product(), campaigns.create, token, {
    body: { name: 'Uma', start: new Date().toISOString(), sessionId, message1: 'Oi' } as never,
  })
  const params = { id: (started.body as Campaign).id }
  await call(product(), campaigns.addContacts, token, { params, body: { contacts: [one.id] } })
  const starts = await Promise.all(
    Array.from({ length: 20 }, () => call(product(), campaigns.start, token, { params })),
  )
  expect(starts.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
})

it('closes the conversation after a template, where that is wanted', async () => {
  const number = '5531980009999'
  const official = await m().connection(tenantId, { type: 'waba', status: 'CONNECTED' })
  const contactId = await m().contact(tenantId, { number })
  const ticketId = await m().ticket(tenantId, {
    ...{ contact_id: contactId, connection_id: official, conversation_key: number, channel: 'waba', status: 'open' },
  })
  await m().insert('message_templates', tenantId, {
    ...{ connection_id: official, provider_id: 'volta-1', name: 'volta', language: 'pt_BR', category: 'UTILITY' },
    ...{ status: 'APPROVED', created_at: new Date(), updated_at: new Date() },
    content: JSON.stringify({ format: 'POSITIONAL', header: null, body: 'Voltou.', footer: '', buttons: [] }),
  })
  const template = { name: 'volta', language: 'pt_BR', values: {} }
  const made = await send({ kind: 'template', sessionIds: [official], contacts: [contactId], template, message: '' })
  expect(made.status, JSON.stringify(made.body)).toBe(202)
  const ticket = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select('status').where('id', '=', ticketId).executeTakeFirstOrThrow(),
    )
  await until(async () => (await ticket()).status === 'closed')
})

it('reads the numbers of a CSV as an import does, and says which lines have none', async () => {
  const read = async (file: Uint8Array<ArrayBuffer> | string, name = 'lista.csv') => {
    const form = new FormData()
    form.append('file', new Blob([file]), name)
    const reply = await fetch(`${product().address}/api/dispatches/lines`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form },
    })
    return { status: reply.status, body: (await reply.json()) as { lines: object[]; problems: object[] } }
  }
  const file = 'Clientes de março\nNome;Celular;Valor\nJosé;(31) 98000-0001;"R$ 1,50"\nIvo;31980000001;2\nBia;abc;3\n'
  expect((await read(new Uint8Array(Buffer.from(file, 'latin1')))).body).toEqual({
    lines: [{ number: '(31) 98000-0001', values: ['José', 'R$ 1,50'] }],
    columns: ['Nome', 'Valor'],
    problems: [
      { line: 4, text: 'Repete o número da linha 3.' },
      { line: 5, text: '“abc”: não há algarismos.' },
    ],
    rejected: 2,
    isDoubtful: false,
  })
  expect((await read('31980000001\n31980000002')).body).toMatchObject({ lines: [{}, {}], columns: [], rejected: 0 })
  const doubtful = Buffer.from('Nome;Celular\nJO\xc7O;31980000001\n', 'latin1')
  expect((await read(new Uint8Array(doubtful))).body).toMatchObject({ isDoubtful: true })
  expect((await read('1\n'.repeat(1200))).status).toBe(400)
  expect((await read('"aberta\n31980000001')).status).toBe(400)
})

it('makes one contact of a new number that twenty lists bring at the same moment', async () => {
  const lines = (n: number) =>
    ['31980990001', '31980990002', `319809901${10 + n}`].map((number) => ({ number, values: [] }))
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send({ lines: n % 2 ? lines(n) : lines(n).toReversed() })),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(202))
  const known = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select('id').where('number', 'like', '553198099%').execute(),
  )
  expect(known).toHaveLength(22)
})
