import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { settings } from '#features/settings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { signatureOf } from '#test/channels/sample/adapter.ts'
import { sampleConfig } from '#test/channels/sample/config.ts'
import { make } from '#test/make.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { recoverSends } from './server/outbox/wake.ts'

const TOKEN = 'um-token-que-termina-em-1234'
const HOUR = 3_600_000
let ahead = 0
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] }, now: () => new Date(Date.now() + ahead) })
let gateway: Awaited<ReturnType<typeof startSampleGateway>>
let us: {
  tenantId: number
  token: string
  adminId: number
  login: () => Promise<string>
  id: number
  webhookPath: string
}

beforeAll(async () => {
  Object.assign(sampleConfig, { isPaced: true })
  // A contact who never wrote could not be written to.
  Object.assign(sampleConfig.capabilities, { windowHours: null })
  gateway = await startSampleGateway(TOKEN)
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(admin)
  const { values } = await product().platform.settings.get(String(tenantId))
  expect(values.firstContactsPerHour).toBe('10')
  const three = { params: { key: 'firstContactsPerHour' }, body: { value: '3' } }
  expect((await call(product(), settings.set, token, three)).status).toBe(200)
  const config = { address: gateway.address, loft: 'apressado', token: TOKEN }
  const made = await call(product(), connections.create, token, {
    body: { type: 'sample', name: 'Pombal', config },
  })
  const { id, webhookPath } = made.body as { id: number; webhookPath: string }
  await call(product(), connections.start, token, { params: { id }, body: {} })
  us = { tenantId, login: () => m.token(admin), token, adminId: admin.id, id, webhookPath }
})
afterAll(async () => {
  Object.assign(sampleConfig, { isPaced: false })
  Object.assign(sampleConfig.capabilities, { windowHours: 24 })
  await gateway.close()
})

/** Advances the clock and logs in again, with new sessions of the same people. */
async function later(ms: number) {
  ahead += ms
  us.token = await us.login()
}

let numbers = 11_900_000_000
/** Writes to a contact who never wrote; returns the number and the message. */
async function begin(how: 'reached' | 'hasty' | 'nobody' = 'reached') {
  const number = `55${++numbers}`
  if (how !== 'nobody') gateway.reached.add(number)
  if (how === 'hasty') gateway.hasty.add(number)
  const reply = await call(product(), messages.direct, us.token, {
    body: { whatsappId: us.id, number, message: 'Olá!', idFront: crypto.randomUUID() },
  })
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  return { number, id: reply.body.message.id }
}
const rowOf = (id: string) =>
  product().platform.db.read(us.tenantId, async (db) => ({
    ...(await db
      .selectFrom('messages')
      .select(['status', 'updated_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()),
    trail: await db
      .selectFrom('message_trail')
      .select(['step', 'detail'])
      .where('message_id', '=', id)
      .orderBy('id')
      .execute(),
  }))
type Row = Awaited<ReturnType<typeof rowOf>>
const becomes = (id: string, is: (row: Row) => boolean) => until(async () => is(await rowOf(id)))
const waitsItsTurn = ({ trail }: Row) =>
  trail.some(({ step, detail }) => step === 'waiting' && 'isPaced' in Object(detail))
const leaves = (id: string) => becomes(id, ({ status }) => status === 'sent')
const sendsTo = (number: string) => gateway.calls.filter(({ path, body }) => path === '/send' && body.to === number)

test('the fourth conversation within an hour waits for its turn, once told; one that is open goes on', async () => {
  const first = await Promise.all([begin(), begin(), begin()])
  for (const { id } of first) await leaves(id)
  const fourth = await begin()
  await becomes(fourth.id, waitsItsTurn)
  // A second message to the same contact does not begin a conversation.
  const again = await call(product(), messages.direct, us.token, {
    body: { whatsappId: us.id, number: first[0].number, message: 'E mais isto', idFront: crypto.randomUUID() },
  })
  await leaves(again.body.message.id)
  const number = `55${++numbers}`
  const said = JSON.stringify({ events: [{ id: 'oi', from: number, text: 'Oi', at: Date.now() }] })
  const headers = { 'x-signature': signatureOf(TOKEN, said) }
  expect((await fetch(product().address + us.webhookPath, { method: 'POST', headers, body: said })).status).toBe(200)
  const theirs = () =>
    product().platform.db.read(us.tenantId, (db) =>
      db.selectFrom('tickets').select('id').where('conversation_key', '=', number).executeTakeFirst(),
    )
  await until(async () => (await theirs()) !== undefined)
  const { id: ticketId } = (await theirs())!
  await call(product(), tickets.update, us.token, {
    params: { id: ticketId },
    body: { status: 'open', userId: us.adminId },
  })
  const answer = await call(product(), messages.send, us.token, {
    params: { ticketId },
    body: { body: 'Pois não', idFront: crypto.randomUUID() } as never,
  })
  await leaves(answer.body.messages[0]!.id)

  // A message repeated after a lost response has had its turn.
  await product().platform.db.write(us.tenantId, (db) =>
    db.updateTable('messages').set({ status: 'queued', provider_id: null }).where('id', '=', first[1].id).execute(),
  )
  await recoverSends(product().platform, 0)
  await leaves(first[1].id)

  const before = (await rowOf(fourth.id)).updated_at
  await later(HOUR / 2)
  await recoverSends(product().platform, 0)
  await becomes(fourth.id, ({ updated_at }) => updated_at > before)
  expect((await rowOf(fourth.id)).status).toBe('pending')
  await later(HOUR / 2)
  await recoverSends(product().platform, 0)
  await leaves(fourth.id)
  expect((await rowOf(fourth.id)).trail.filter(({ step }) => step === 'waiting')).toHaveLength(1)
  expect(sendsTo(fourth.number)).toHaveLength(1)
})

test('a number that the channel does not reach is not written to, and the message says so', async () => {
  await later(2 * HOUR)
  const nobody = await begin('nobody')
  await becomes(nobody.id, ({ status }) => status === 'failed')
  expect((await rowOf(nobody.id)).trail.at(-1)).toMatchObject({
    step: 'failed',
    detail: { reason: 'Este número não é um WhatsApp válido.' },
  })
  expect(sendsTo(nobody.number)).toEqual([])
})

test('three refusals for haste within an hour halve the pace, and the connection says until when', async () => {
  await later(2 * HOUR)
  const shown = async () => {
    const { body } = await call(product(), connections.list, us.token, { query: {} })
    return body.connections[0]!.slowUntil
  }
  for (let n = 0; n < 3; n++) {
    expect(await shown()).toBeNull()
    const refused = await begin('hasty')
    await becomes(refused.id, ({ status }) => status === 'failed')
  }
  const until = (await shown())!
  expect(Math.abs(until - (product().platform.now().getTime() + 24 * HOUR))).toBeLessThan(60_000)
  await later(2 * HOUR)
  await leaves((await begin()).id)
  await becomes((await begin()).id, waitsItsTurn)
  await later(24 * HOUR)
  const free = await Promise.all([begin(), begin()])
  for (const { id } of free) await leaves(id)
})
