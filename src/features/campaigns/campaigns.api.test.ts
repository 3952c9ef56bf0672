import { beforeAll, expect, it } from 'vitest'
import { phoneAddress } from '#domain/consents/consents.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import type { Input } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { receiptEvent, type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Campaign, campaigns } from './contract.ts'
import { dispatches } from './mass-contract.ts'

const product = withProduct()
const m = () => make(product().platform)
let channel: TestChannel
let tenantId: number
let token: string
let sessionId: number
let next = 5_511_980_000_000

beforeAll(async () => {
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  const admin = await m().user(tenantId, { profile: 'admin' })
  token = await m().token(admin)
  sessionId = await m().connection(tenantId, { type: 'test', status: 'CONNECTED' })
})

type Form = Input<typeof campaigns.create>['body']
const always = { windowStart: '00:00', windowEnd: '24:00', weekdays: [0, 1, 2, 3, 4, 5, 6], skipsHolidays: false }
const form = (rest: Partial<Form> = {}) => ({
  ...{ name: 'Volta do estoque', start: new Date().toISOString(), sessionId, delay: 0, ...always },
  ...{ message1: 'Oi, {{firstName}}: a mesa voltou.', perWeek: null, ...rest },
})
const create = async (rest: Partial<Form> = {}): Promise<Campaign> => {
  const { status, body } = await call(product(), campaigns.create, token, { body: form(rest) as never })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const person = async (rest: object = {}) => {
  const number = String(next++)
  return { id: await m().contact(tenantId, { number, name: `Pessoa ${number}`, ...rest }), number }
}
const people = (count: number) => Promise.all(Array.from({ length: count }, () => person()))
const include = async (id: number, contacts: readonly number[]) => {
  const reply = await call(product(), campaigns.addContacts, token, {
    params: { id },
    body: { contacts: [...contacts] },
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const act = (name: 'start' | 'cancel' | 'pause' | 'resume' | 'finish' | 'skip' | 'remove', id: number) =>
  call(product(), campaigns[name] as typeof campaigns.start, token, { params: { id } })
const stateOf = async (id: number) => (await call(product(), campaigns.get, token, { params: { id } })).body
const recipients = async (id: number, query: object = {}) =>
  (await call(product(), campaigns.contacts, token, { params: { id }, query: query as never })).body.contacts
const sentTo = (number: string) => channel.sent.filter(({ conversationKey }) => conversationKey === number)

it('sends to each number once, and counts what becomes of it', async () => {
  const all = await people(60)
  const { id, status } = await create()
  expect(status).toBe('pending')
  // Both spellings of a number, with and without the ninth digit, are one.
  const twin = await person({ number: all[0]!.number.replace('55119', '5511') })
  expect(
    await include(
      id,
      [...all, twin].map((one) => one.id),
    ),
  ).toEqual({ added: 60, contactsCount: 60 })
  expect((await act('start', id)).status).toBe(200)
  await until(async () => (await stateOf(id)).status === 'finished')
  expect(await stateOf(id)).toMatchObject({ contactsCount: 60, sent: 60, waiting: 0, queued: 0, failed: 0 })
  for (const { number } of all) expect(sentTo(number)).toHaveLength(1)
  const { messageId, body } = sentTo(all[0]!.number)[0]!
  expect(body).toBe('Oi, Pessoa: a mesa voltou.')
  await receive(product().platform, { tenantId, connectionId: sessionId }, [
    receiptEvent(all[0]!.number, messageId, 'read'),
  ])
  await until(async () => (await stateOf(id)).read === 1)
  expect(await recipients(id, { state: 'read' })).toMatchObject([{ contactId: all[0]!.id, state: 'read' }])
})

it('brings recipients to the state of their messages again where one was missed', async () => {
  const { id: contact } = await person()
  const { id } = await create()
  await include(id, [contact])
  await act('start', id)
  await until(async () => (await stateOf(id)).sent === 1)
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('messages')
      .set({ status: 'read' })
      .where('id', '=', db.selectFrom('dispatch_items').select('message_id').where('dispatch_id', '=', id))
      .execute(),
  )
  for (let times = 0; times < 2; times++)
    expect((await call(product(), campaigns.acks, token, { params: { id } })).status).toBe(200)
  expect(await recipients(id)).toMatchObject([{ contactId: contact, state: 'read' }])
  await until(async () => (await stateOf(id)).read === 1)
  expect(await stateOf(id)).toMatchObject({ sent: 0, read: 1 })
  expect((await call(product(), campaigns.acks, token, { params: { id: 999_999_999 } })).status).toBe(404)
})

it('leaves out who is blocked, wants nothing or is attended, and says why', async () => {
  const [fine, blocked, busy, away] = [await person(), await person({ blocked: true }), await person(), await person()]
  await m().ticket(tenantId, { contact_id: busy.id, connection_id: sessionId, status: 'open' })
  await product().platform.db.write(tenantId, (db) =>
    db
      .insertInto('consents')
      .values({
        ...{ tenant_id: tenantId, address: phoneAddress(away.number), purpose: 'marketing', state: 'revoked' },
        ...{ source: 'agent', created_at: new Date() },
      })
      .execute(),
  )
  const { id } = await create()
  await include(
    id,
    [fine, blocked, busy, away].map((one) => one.id),
  )
  const plan = await call(product(), campaigns.plan, token, { params: { id } })
  expect(plan.body).toMatchObject({ reached: 1, firstContacts: 1, level: 'good', unknownVariables: [] })
  await act('start', id)
  await until(async () => (await stateOf(id)).status === 'finished')
  expect(await stateOf(id)).toMatchObject({ sent: 1, skipped: 3 })
  expect((await recipients(id, { state: 'skipped' })).map(({ reason }) => reason)).toEqual([
    'Contato bloqueado',
    'Está em atendimento',
    'Pediu para não receber',
  ])
})

it('opens nothing; an answer opens a ticket, counts once and goes to the queue of the campaign', async () => {
  const one = await person()
  const replyQueueId = await m().queue(tenantId)
  const { id } = await create({ replyQueueId })
  await include(id, [one.id])
  await act('start', id)
  await until(async () => (await stateOf(id)).status === 'finished')
  const tickets = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['status', 'queue_id']).where('contact_id', '=', one.id).orderBy('id').execute(),
    )
  expect((await tickets()).map(({ status }) => status)).toEqual(['closed'])
  const at = { tenantId, connectionId: sessionId }
  await receive(product().platform, at, [textEvent({ from: one.number, body: 'Quero uma' })])
  await receive(product().platform, at, [textEvent({ from: one.number, body: 'Ainda tem?' })])
  await until(async () => (await stateOf(id)).replied === 1)
  expect((await tickets()).at(-1)).toEqual({ status: 'pending', queue_id: replyQueueId })
  expect(await stateOf(id)).toMatchObject({ replied: 1, optedOut: 0 })
})

it('is paused, goes on, skips and ends; what its state does not permit is refused', async () => {
  const all = await people(4)
  const own = await m().connection(tenantId, { type: 'test', status: 'CONNECTED' })
  const { id } = await create({ delay: 3600, sessionId: own })
  expect((await act('start', id)).status).toBe(409)
  await include(
    id,
    all.map((one) => one.id),
  )
  await act('start', id)
  await until(async () => (await stateOf(id)).sent === 1)
  expect((await act('cancel', id)).status).toBe(409)
  expect((await act('skip', id)).body).toMatchObject({ waiting: 2, skipped: 1 })
  expect((await act('pause', id)).body).toMatchObject({ status: 'paused' })
  expect((await act('remove', id)).status).toBe(409)
  expect((await act('resume', id)).body).toMatchObject({ status: 'processing' })
  expect((await act('finish', id)).status).toBe(200)
  expect(await stateOf(id)).toMatchObject({ status: 'finished', sent: 1, skipped: 3, waiting: 0 })
  const copy = await call(product(), campaigns.duplicate, token, { params: { id }, body: { onlySilent: true } })
  expect(copy.body).toMatchObject({ status: 'pending', contactsCount: 1 })
})

it('refuses what cannot be sent', async () => {
  const refused = async (rest: Partial<Form>) =>
    (await call(product(), campaigns.create, token, { body: form(rest) as never })).body as { error: string }
  expect(await refused({ start: '2020-01-01T10:00:00.000Z' })).toMatchObject({ error: 'ERROR_CAMPAIGN_DATE_NOT_VALID' })
  expect(await refused({ message1: '' })).toMatchObject({ error: 'ERR_VALIDATION' })
  expect(await refused({ windowStart: '20:00', windowEnd: '08:00' })).toMatchObject({ error: 'ERR_VALIDATION' })
  expect(await refused({ sessionId: 999_999 })).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
  const { id } = await create({ message1: 'Oi, {{nomee}}' })
  await include(id, [(await person()).id])
  expect((await act('start', id)).body).toMatchObject({ error: 'ERR_CAMPAIGN_PLAN' })
})

it('keeps its hours, and counts an answer that was lost as uncertain, never twice', async () => {
  const one = await person()
  const shut = await create({ windowStart: '00:00', windowEnd: '24:00', weekdays: [(new Date().getUTCDay() + 3) % 7] })
  await include(shut.id, [one.id])
  await act('start', shut.id)
  testChannel(product().platform, { isIdempotent: false }).behave(async () => {
    throw new Error('lost')
  })
  const { id } = await create()
  const lost = await person()
  await include(id, [lost.id])
  await act('start', id)
  await until(async () => (await stateOf(id)).status === 'finished')
  expect(await stateOf(id)).toMatchObject({ uncertain: 1, sent: 0 })
  expect(await stateOf(shut.id)).toMatchObject({ status: 'scheduled', waiting: 1 })
  channel = testChannel(product().platform)
})

it('sends to lines of numbers by several connections in turn, each with its values; failures go again', async () => {
  const other = await m().connection(tenantId, { type: 'test', status: 'CONNECTED' })
  const known = await person({ name: 'Ana' })
  const body = {
    ...{ kind: 'text_variable', sessionIds: [sessionId, other], min: 0, max: 0 },
    message: '{{firstName}}: {{var1}}',
    lines: [
      { number: known.number, values: ['boleto 1'] },
      { number: '11 96666-5555', values: ['boleto 2'] },
    ],
  }
  const made = await call(product(), dispatches.create, token, { body: body as never })
  expect(made.status, JSON.stringify(made.body)).toBe(202)
  const { id } = made.body
  const stateNow = async () => (await call(product(), dispatches.get, token, { params: { id } })).body
  await until(async () => (await stateNow()).status === 'finished')
  expect(await stateNow()).toMatchObject({ contactsCount: 2, sent: 2 })
  expect(sentTo(known.number).map(({ body }) => body)).toEqual(['Ana: boleto 1'])
  expect(channel.sent.at(-1)!.body).toContain('boleto')
  const rows = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('dispatch_items').select('connection_id').where('dispatch_id', '=', id).execute(),
  )
  expect(new Set(rows.map((row) => row.connection_id))).toEqual(new Set([sessionId, other]))
  expect((await call(product(), dispatches.retry, token, { params: { id } })).status).toBe(409)
  const missing = { ...body, message: '{{var2}}' }
  expect((await call(product(), dispatches.create, token, { body: missing as never })).body).toMatchObject({
    error: 'ERR_CAMPAIGN_PLAN',
  })
  const wrong = { ...body, lines: [{ number: 'abc', values: ['x'] }] }
  expect((await call(product(), dispatches.create, token, { body: wrong as never })).status).toBe(400)
})
