import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { type LabPhone, lab } from '#features/lab/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
let tenantId: number
let admin: { id: number; tenantId: number }
let token: string
beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = await m.user(tenantId, { profile: 'admin' })
  token = await m.token(admin)
})

let last = 4000
const newPhone = (type?: string) =>
  call(product(), lab.create, token, {
    body: { name: 'Otávio', number: `(19) 99812-${++last}`, ...(type ? { type } : {}) },
  })
const say = ({ id }: LabPhone, body: string) =>
  call(product(), lab.send, token, { params: { id }, body: { id: randomUUID(), body } as never })
const ticketOf = ({ number }: LabPhone) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('conversation_key', '=', number).executeTakeFirst(),
  )
const send = (ticketId: number, body: object) =>
  call(product(), messages.send, token, { params: { ticketId }, body: { idFront: randomUUID(), ...body } as never })

test('a virtual phone writes on any channel, and the conversation is what the channel’s config says', async () => {
  const phone = (await newPhone('sample')).body
  expect(phone.type).toBe('sample')
  await say(phone, 'Chegou o pombo?')
  await until(async () => (await ticketOf(phone)) !== undefined)
  const { id, channel } = (await ticketOf(phone))!
  expect(channel).toBe('sample')
  await call(product(), tickets.update, token, { params: { id }, body: { status: 'open', userId: admin.id } })
  const detail = await call(product(), tickets.get, token, { params: { id } })
  expect(detail.body).toMatchObject({ capabilities: { maxTextLength: 160, quote: false, windowHours: 24 } })
  expect((await send(id, { body: 'x'.repeat(161) })).body).toMatchObject({ error: 'ERR_MESSAGE_TOO_LONG' })
  expect((await send(id, { body: 'Chegou.' })).status).toBe(200)
  const onPhone = async () =>
    (await call(product(), lab.messages, token, { params: { id: phone.id } })).body.messages.map(({ body }) => body)
  await until(async () => (await onPhone()).includes('Chegou.'))
  const status = async () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select('status').where('body', '=', 'Chegou.').executeTakeFirstOrThrow(),
    )
  await until(async () => (await status()).status === 'delivered')
})

test('the phones of a channel share one connection, in which nothing is filled in', async () => {
  const [one, two] = [(await newPhone('sample')).body, (await newPhone('sample')).body]
  const own = (await newPhone()).body
  expect(one.connectionId).toBe(two.connectionId)
  expect(own.type).toBe('lab')
  expect(own.connectionId).not.toBe(one.connectionId)
  const params = { id: one.connectionId }
  const detail = (await call(product(), connections.get, token, { params })).body
  expect(detail).toMatchObject({ isVirtual: true, type: 'sample', status: 'CONNECTED', webhookPath: null })
  const edit = (body: object) => call(product(), connections.update, token, { params, body })
  expect((await edit({ name: 'Pombos de mentira' })).body).toMatchObject({ name: 'Pombos de mentira', isVirtual: true })
  const config = { address: 'https://pombal.test', loft: 'um', token: 'um token de teste' }
  expect((await edit({ config })).status).toBe(400)
  const made = await call(product(), connections.create, token, {
    body: { type: 'sample', name: 'Falso', config: { ...config, standIn: 'lab' } },
  })
  expect(made.body).toMatchObject({ error: 'ERR_VALIDATION', details: { 'config.standIn': 'Campo desconhecido.' } })
})

test.each(['webchat', 'telex', ''])('there are no phones for %j', async (type) => {
  const body = { name: 'Ninguém', number: '(19) 99812-3999', type }
  expect((await call(product(), lab.create, token, { body })).body).toMatchObject({
    error: 'ERR_VALIDATION',
    details: { type: expect.any(String) },
  })
})
