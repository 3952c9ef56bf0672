import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { messages } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let token: string
let stranger: string
let ticketId: number

beforeAll(async () => {
  tenantId = await m().tenant()
  const queueId = await m().queue(tenantId)
  token = await m().token(await m().user(tenantId, { name: 'Ana', profile: 'admin' }))
  stranger = await m().token(await m().user(tenantId, { name: 'Caio', queues: [queueId] }))
})
beforeEach(async () => {
  ticketId = await m().ticket(tenantId, { status: 'open', queue_id: await m().queue(tenantId) })
})

const said = (row: Parameters<ReturnType<typeof make>['message']>[2] = {}) => m().message(tenantId, ticketId, row)
const pin = (id: string, by = token) => call(product(), messages.pin, by, { params: { id } })
const unpin = (id: string) => call(product(), messages.unpin, token, { params: { id } })
const pinned = async () =>
  ((await call(product(), tickets.get, token, { params: { id: ticketId } })).body as unknown as TicketDetail).pinned
const linesOf = async () => {
  const { body } = await call(product(), tickets.logs, token, { params: { id: ticketId }, query: {} })
  return (body as unknown as { logs: { label: string; user: object }[] }).logs.map(({ label }) => label)
}

describe('a pinned message', () => {
  it('stands above its conversation, the last one first, and leaves a line there and a step of its trail', async () => {
    const first = await said({ body: 'Entrega na rua 7', timestamp: new Date(1e12) })
    const note = await said({ body: 'Cliente antigo', is_note: true, from_me: true })
    expect((await pin(first)).body).toMatchObject({ pinned: [{ id: first }] })
    await pin(note)
    expect(await pinned()).toMatchObject([
      { id: note, isNote: true, by: 'Ana' },
      { id: first, body: 'Entrega na rua 7', userName: null, timestamp: 1e12, by: 'Ana' },
    ])
    expect((await unpin(note)).body).toMatchObject({ pinned: [{ id: first }] })
    expect((await unpin(note)).status).toBe(200)
    expect(await linesOf()).toEqual(['Desafixou uma mensagem', 'Fixou uma mensagem', 'Fixou uma mensagem'])
    const trail = await call(product(), messages.trail, token, { params: { id: first }, query: {} })
    expect(trail.body).toMatchObject({ steps: expect.arrayContaining([expect.objectContaining({ label: 'Fixada' })]) })
  })

  it('falls out when it is taken back', async () => {
    const note = await said({ body: 'x', is_note: true, from_me: true })
    await pin(note)
    await call(product(), messages.remove, token, { body: { id: note } })
    expect(await pinned()).toEqual([])
    expect((await pin(note)).status).toBe(404)
  })

  it('is one of five, whoever is quickest', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => said()))
    const replies = await Promise.all(ids.map((id) => pin(id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(replies.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { error: 'ERR_PIN_LIMIT' },
    })
    expect(await pinned()).toHaveLength(5)
  })

  it('is pinned once, twenty times asked', async () => {
    const id = await said()
    const replies = await Promise.all(Array.from({ length: 20 }, () => pin(id)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect([await pinned(), await linesOf()]).toMatchObject([[{ id }], ['Fixou uma mensagem']])
  })

  it('is none that waits to leave, and none of a ticket that the person does not see', async () => {
    const waiting = await said({ from_me: true, status: 'pending', send_at: new Date(Date.now() + 60_000) })
    expect(await pin(waiting)).toMatchObject({ status: 409, body: { error: 'ERR_SEND_STATE' } })
    expect((await pin(await said(), stranger)).status).toBe(404)
    expect((await pin('00000000-0000-7000-8000-000000000000')).status).toBe(404)
    expect(await pinned()).toEqual([])
  })
})
