import { beforeAll, describe, expect, it, test } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { dashboard, type LiveFigures } from './contract.ts'
import { startOfDay } from './server/day.ts'

const product = withProduct()
let tenantId: number
let people: Record<'admin' | 'ana' | 'bia', { id: number; token: string }>
let sales: number
let waits: number

const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour)
const yesterday = () => new Date(startOfDay('America/Sao_Paulo', Date.now()).getTime() - hour)
const figures = async (token: string) =>
  (await call(product(), dashboard.live, token, {})).body as unknown as LiveFigures

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  sales = await m.queue(tenantId, { queue: 'Vendas' })
  const support = await m.queue(tenantId, { queue: 'Suporte' })
  const enter = async (profile: 'admin' | 'user', queues: number[], name: string) => {
    const user = await m.user(tenantId, { profile, queues, name })
    return { id: user.id, token: await m.token(user) }
  }
  people = {
    admin: await enter('admin', [], 'Admin'),
    ana: await enter('user', [sales], 'Ana'),
    bia: await enter('user', [support], 'Bia'),
  }
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('users').set({ is_online: true }).where('name', 'in', ['Ana', 'Bia']).execute(),
  )
  const now = new Date()
  const open = await m.ticket(tenantId, { queue_id: sales, user_id: people.ana.id, waiting_since: ago(1) })
  waits = await m.ticket(tenantId, { queue_id: support, status: 'pending', waiting_since: ago(3) })
  await m.ticket(tenantId, { queue_id: sales, status: 'pending' })
  await m.ticket(tenantId, { queue_id: sales, status: 'open', is_group: true, user_id: people.bia.id })
  await m.ticket(tenantId, { status: 'pending' })
  await m.ticket(tenantId, { queue_id: sales, status: 'closed', closed_at: now })
  await m.ticket(tenantId, { queue_id: support, status: 'closed', closed_at: now })
  await m.ticket(tenantId, { queue_id: sales, status: 'closed', closed_at: yesterday() })
  await m.message(tenantId, open)
  await m.message(tenantId, open, { timestamp: yesterday() })
  await m.message(tenantId, open, { from_me: true, status: 'delivered' })
  await m.message(tenantId, open, { from_me: true, status: 'failed' })
  await m.message(tenantId, open, { from_me: true, status: 'sent', is_note: true })
  await m.message(tenantId, waits)
  const other = await m.tenant()
  await m.message(other, await m.ticket(other, { waiting_since: ago(9) }))
})

describe('the panel', () => {
  it('shows the whole company to those who see it whole', async () => {
    const { longestWait, ...seen } = await figures(people.admin.token)
    expect(seen).toEqual({
      isWide: true,
      open: 1,
      pending: 3,
      waiting: 2,
      closedToday: 2,
      receivedToday: 2,
      sentToday: 1,
      queues: [
        { id: sales, name: 'Vendas', open: 1, pending: 1 },
        { id: expect.any(Number), name: 'Suporte', open: 0, pending: 1 },
        { id: null, name: null, open: 0, pending: 1 },
      ],
      online: [
        { id: people.ana.id, name: 'Ana', open: 1 },
        { id: people.bia.id, name: 'Bia', open: 0 },
      ],
      onlineCount: 2,
    })
    expect(longestWait).toMatchObject({ ticketId: waits, status: 'pending' })
    expect(longestWait!.since).toBeCloseTo(ago(3).getTime(), -5)
  })

  it('shows an agent what the agent sees, and nobody else’s work', async () => {
    expect(await figures(people.ana.token)).toMatchObject({
      isWide: false,
      open: 1,
      pending: 1,
      waiting: 1,
      closedToday: 1,
      receivedToday: 1,
      sentToday: 1,
      queues: [{ id: sales, open: 1, pending: 1 }],
      online: [
        { name: 'Ana', open: null },
        { name: 'Bia', open: null },
      ],
    })
    expect(await figures(people.bia.token)).toMatchObject({ open: 0, pending: 1, receivedToday: 1, sentToday: 0 })
  })
})

test.each([
  ['America/Sao_Paulo', '2026-11-20T02:59:59Z', '2026-11-19T03:00:00.000Z'],
  ['America/Sao_Paulo', '2026-11-20T03:00:00Z', '2026-11-20T03:00:00.000Z'],
  ['America/Rio_Branco', '2026-11-20T03:00:00Z', '2026-11-19T05:00:00.000Z'],
  ['Europe/Lisbon', '2026-03-29T12:00:00Z', '2026-03-29T00:00:00.000Z'],
  ['Europe/Lisbon', '2026-10-25T12:00:00Z', '2026-10-24T23:00:00.000Z'],
])('the day in %s at %s began at %s', (zone, at, start) => {
  expect(startOfDay(zone, Date.parse(at)).toISOString()).toBe(start)
})
