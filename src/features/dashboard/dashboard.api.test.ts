import { beforeAll, describe, expect, it, test } from 'vitest'
import { startOfDay } from '#domain/calendar/day.ts'
import { FIGURES, type FigureList, listOfPerson, listOfQueue } from '#domain/tickets/figures.ts'
import { tickets } from '#features/conversations/tickets-contract.ts'
import { queryOf, readAddress, searchOf } from '#features/conversations/web/list/list-filter.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { dashboard, type LiveFigures } from './contract.ts'

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

type Opened = { name: string; shown: number; list: FigureList }

/** Every number of the panel that can be opened, with what it opens. */
const doorsOf = (shown: LiveFigures): Opened[] => [
  ...(['open', 'pending', 'waiting', 'closedToday'] as const).map((name) => ({
    name,
    shown: shown[name],
    list: FIGURES[name],
  })),
  ...shown.queues.map(({ id, open, pending }) => ({
    name: `queue ${id}`,
    shown: open + pending,
    list: listOfQueue(id),
  })),
  ...shown.online.flatMap(({ id, open }) =>
    open === null ? [] : [{ name: `person ${id}`, shown: open, list: listOfPerson(id) }],
  ),
]

/** As many rows as the list has that a figure's address opens, read to its end. */
async function rowsBehind(token: string, list: FigureList, isWide: boolean): Promise<number> {
  const address = new URLSearchParams(
    Object.entries({ ...list, showAll: isWide }).map(([key, value]) => [key, String(value)]),
  )
  const asked = queryOf(readAddress(searchOf(`?${address}`), null))
  let rows = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await call(product(), tickets.list, token, {
      query: { ...asked, ...(cursor ? { cursor } : {}) },
    })
    expect(status).toBe(200)
    const page = body as unknown as { tickets: { id: number }[]; nextCursor: string | null }
    rows += page.tickets.length
    cursor = page.nextCursor
  }
  return rows
}

async function expectDoorsToLead(token: string): Promise<number> {
  const shown = await figures(token)
  const doors = doorsOf(shown)
  const behind = []
  for (const { name, list } of doors) behind.push([name, await rowsBehind(token, list, shown.isWide)])
  expect(behind).toEqual(doors.map(({ name, shown: number }) => [name, number]))
  return doors.reduce((sum, door) => sum + door.shown, 0)
}

describe('each number opens exactly its rows', () => {
  let m: ReturnType<typeof make>
  let company: number
  let queues: number[]
  let team: { id: number; token: string }[]
  beforeAll(async () => {
    m = make(product().platform)
    company = await m.tenant()
    queues = [await m.queue(company, { queue: 'Vendas' }), await m.queue(company, { queue: 'Suporte' })]
    const enter = async (profile: 'admin' | 'super' | 'user', own: number[]) => {
      const user = await m.user(company, { profile, queues: own })
      return { id: user.id, token: await m.token(user) }
    }
    team = [
      await enter('admin', []),
      await enter('super', []),
      await enter('user', [queues[0]!]),
      await enter('user', [queues[0]!]),
    ]
    const restricted = team[3]!.id
    await product().platform.db.write(company, async (db) => {
      await db.updateTable('users').set({ is_online: true }).execute()
      await db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted).execute()
    })
    // Every mixture of status, kind, queue, owner and waiting; more than a page of them.
    const owners = [null, team[2]!.id, team[3]!.id]
    for (const [n, status] of Array.from({ length: 3 }, () => ['open', 'pending', 'closed'] as const)
      .flat()
      .entries())
      for (const is_group of [false, true])
        for (const queue_id of [null, ...queues])
          for (const user_id of owners)
            await m.ticket(company, {
              status,
              is_group,
              queue_id,
              user_id,
              waiting_since: status !== 'closed' && n % 2 ? ago(1) : null,
              ...(status === 'closed' ? { closed_at: n > 3 ? new Date() : yesterday(), updated_at: new Date() } : {}),
            })
  })

  const everybody = async () => {
    const sums = []
    for (const { token } of team) sums.push(await expectDoorsToLead(token))
    return sums
  }

  test('for admin, supervisor, agent and restricted agent', async () => {
    const sums = await everybody()
    expect(sums[0]).toBe(sums[1])
    expect(Math.min(...sums)).toBeGreaterThan(10)
    expect(sums[2]).toBeLessThan(sums[0]!)
  })

  test.each([
    'supervisorAdmin',
    'NotViewAssignedTickets',
    'showGroupsForAll',
    'showClosedForAll',
    'nullTickets',
    'DirectTicketsToWallets',
  ] as const)('with %s on', async (key) => {
    await m.setting(company, key)
    await everybody()
    await m.setting(company, key, 'disabled')
  })

  test('after every move of a ticket as well', async () => {
    const [admin, , agent] = team
    const id = await m.ticket(company, { queue_id: queues[0]!, status: 'pending', waiting_since: ago(2) })
    const before = await figures(agent!.token)
    const move = (body: object) => call(product(), tickets.update, admin!.token, { params: { id }, body })
    for (const body of [
      { status: 'open', userId: agent!.id },
      { isTransference: true, userId: null, queueId: queues[1] },
      { status: 'closed' },
    ]) {
      expect((await move(body)).status).toBe(200)
      await expectDoorsToLead(agent!.token)
      await expectDoorsToLead(admin!.token)
    }
    expect((await figures(agent!.token)).pending).toBe(before.pending - 1)
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
