import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { make, type Person } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { assistants, phoneAssistants } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let tenantId: number
let accountId: number
let ticketId: number
let admin: Person

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  testChannel(product().platform)
  tenantId = await m().tenant()
  admin = await m().person(tenantId, { profile: 'admin' })
  const connectionId = await m().connection(tenantId, { type: 'test' })
  const contactId = await m().contact(tenantId, { number: '5511987654321' })
  ticketId = await m().ticket(tenantId, { contact_id: contactId, connection_id: connectionId })
  const { config, secrets } = peer.filled['vapi']!
  const filled = { config: { ...config, callPrice: 60 }, secrets: { ...secrets, webhookSecret: 'segredo' } }
  const made = await call(product(), assistants.create, admin.token, { body: { provider: 'vapi', ...filled } as never })
  accountId = made.body.id
})

const post = (secret: string | null, body: unknown, id = accountId) =>
  fetch(`${product().address}/api/assistants/calls/${tenantId}/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(secret ? { 'x-vapi-secret': secret } : {}) },
    body: JSON.stringify(body),
  })
const notes = () =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').select(['ticket_id', 'body']).where('is_note', '=', true).execute(),
  )

it('an assistant calls by the numbers of its account', async () => {
  const params = { id: tenantId }
  expect((await call(product(), phoneAssistants.assistants, admin.token, { params })).body).toEqual([
    { id: 'a1', name: 'Recepção' },
  ])
  expect((await call(product(), phoneAssistants.numbers, admin.token, { params })).body).toEqual([
    { id: 'n1', name: '+551130000000' },
  ])
  const body = { customers: ['+55 (11) 98765-4321'], assistantId: 'a1', phoneNumberId: 'n1' } as never
  const { body: begun } = await call(product(), phoneAssistants.call, admin.token, { params, body })
  expect(begun).toMatchObject({ calls: [{ number: '5511987654321', callId: expect.any(String), error: null }] })
  expect(peer.asked().at(-1)!.body).toMatchObject({ customer: { number: '+5511987654321' } })
  const agent = await m().person(tenantId)
  expect((await call(product(), phoneAssistants.call, agent.token, { params, body })).status).toBe(403)
})

it('how a call went stands in the ticket, once, and only by the secret', async () => {
  const message = {
    type: 'end-of-call-report',
    endedReason: 'customer-ended-call',
    durationSeconds: 90,
    call: { id: crypto.randomUUID(), customer: { number: '+5511987654321' } },
    artifact: { transcript: 'AI: Olá!\nUser: Quero um bolo.' },
    analysis: { summary: 'Quer um bolo.' },
  }
  expect((await post(null, { message })).status).toBeGreaterThanOrEqual(400)
  expect((await post('outro', { message })).status).toBeGreaterThanOrEqual(400)
  expect((await post('segredo', { message }, accountId + 1000)).status).toBe(404)
  expect(await notes()).toEqual([])
  for (const body of [{ message }, { message }, { message: { type: 'status-update' } }, null, []])
    expect((await post('segredo', body)).status).toBe(200)
  const written = await notes()
  expect(written).toMatchObject([{ ticket_id: ticketId }])
  expect(written[0]!.body).toContain('Resumo: Quer um bolo.')
  expect(written[0]!.body).toContain('User: Quero um bolo.')
  const rows = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('assistant_calls').select(['purpose', 'cost', 'ticket_id']).execute(),
  )
  expect(rows.map((row) => ({ ...row, cost: Number(row.cost) }))).toEqual([
    { purpose: 'call', cost: 90, ticket_id: ticketId },
  ])
})

it('the contact of a ticket is called from it, and its report finds it there whatever is newer', async () => {
  const params = { id: tenantId }
  const body = { ticketId, assistantId: 'a1', phoneNumberId: 'n1' } as never
  const { body: begun } = await call(product(), phoneAssistants.call, admin.token, { params, body })
  const { calls } = begun as unknown as { calls: { callId: string }[] }
  expect(calls).toMatchObject([{ number: '5511987654321', error: null }])
  const other = await m().connection(tenantId, { type: 'test' })
  const { contact_id } = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('contact_id').where('id', '=', ticketId).executeTakeFirstOrThrow(),
  )
  await m().ticket(tenantId, { contact_id, connection_id: other })
  const call1 = { id: calls[0]!.callId, customer: { number: '+5511987654321' } }
  const [startedAt, endedAt] = ['2026-11-29T12:00:00.000Z', '2026-11-29T12:00:30.000Z']
  const message = { type: 'end-of-call-report', startedAt, endedAt, call: call1, analysis: { summary: null } }
  for (const _ of [1, 2]) expect((await post('segredo', { message })).status).toBe(200)
  expect(await notes()).toMatchObject([{ ticket_id: ticketId }])
  const rows = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('assistant_calls').select(['ms', 'cost', 'error', 'ticket_id']).execute(),
  )
  expect(rows.map((row) => ({ ...row, cost: Number(row.cost) }))).toEqual([
    { ms: 30_000, cost: 30, error: null, ticket_id: ticketId },
  ])
  const stranger = await m().person(await m().tenant(), { profile: 'admin' })
  const foreign = await call(product(), phoneAssistants.call, stranger.token, {
    params: { id: stranger.tenantId },
    body,
  })
  expect(foreign.status).toBeGreaterThanOrEqual(400)
})
