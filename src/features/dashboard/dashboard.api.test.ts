import { beforeAll, describe, expect, it, test } from 'vitest'
import { startOfDay } from '#domain/calendar/day.ts'
import { COLUMNS_BY, type ColumnsBy, type FigureList, figuresOf, listOfAge, ofColumn } from '#domain/tickets/figures.ts'
import { birthdays } from '#features/birthdays/contract.ts'
import { schedules } from '#features/schedules/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { queryOf, readAddress, searchOf } from '#features/tickets/web/lists/list-filter.ts'
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
const figures = async (token: string, groups = false) =>
  (await call(product(), dashboard.live, token, { query: { groups } })).body

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
  await m.ticket(tenantId, { queue_id: sales, user_id: people.ana.id, waiting_since: ago(1) })
  waits = await m.ticket(tenantId, { queue_id: support, status: 'pending', waiting_since: ago(3) })
  await m.ticket(tenantId, { queue_id: sales, status: 'pending' })
  await m.ticket(tenantId, { queue_id: sales, status: 'open', is_group: true, user_id: people.bia.id })
  await m.ticket(tenantId, { status: 'pending' })
  await m.ticket(tenantId, { queue_id: sales, status: 'closed', closed_at: now })
  await m.ticket(tenantId, { queue_id: support, status: 'closed', closed_at: now })
  await m.ticket(tenantId, { queue_id: sales, status: 'closed', closed_at: yesterday() })
  const other = await m.tenant()
  await m.ticket(other, { waiting_since: ago(9) })
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
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ages: [
        { minutes: 5, count: 2 },
        { minutes: 15, count: 2 },
        { minutes: 60, count: 2 },
        { minutes: 240, count: 0 },
        { minutes: 1440, count: 0 },
      ],
      warned: 0,
      missed: 0,
      scheduled: 0,
      birthdays: 0,
      // Ana has one of her ten tickets, Bia none; tickets without a queue have no free capacity.
      queues: [
        { id: sales, name: 'Vendas', open: 1, pending: 1, free: 9 },
        { id: null, name: null, open: 0, pending: 1, free: null },
        { id: expect.any(Number), name: 'Suporte', open: 0, pending: 1, free: 10 },
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

  it('names sixty of those who are online, by name, and none who is inactive', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const admin = await m.token(await m.user(company, { profile: 'admin', name: 'Admin' }))
    const names = Array.from({ length: 62 }, (_, n) => `Pessoa ${String(n).padStart(2, '0')}`)
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('users')
        .values(
          names.toReversed().map((name) => ({
            ...{ tenant_id: company, name, email: `${name.slice(-2)}@${company}.dev` },
            ...{ is_online: true, is_active: name !== names[3] },
          })),
        )
        .execute(),
    )
    const { online, onlineCount } = await figures(admin)
    expect([online.map(({ name }) => name), onlineCount]).toEqual([
      names.filter((name) => name !== names[3]).slice(0, 60),
      61,
    ])
  })

  it('shows an agent what the agent sees, and nobody else’s work', async () => {
    expect(await figures(people.ana.token)).toMatchObject({
      isWide: false,
      open: 1,
      pending: 1,
      waiting: 1,
      closedToday: 1,
      queues: [{ id: sales, open: 1, pending: 1, free: null }],
      online: [
        { name: 'Ana', open: null },
        { name: 'Bia', open: null },
      ],
    })
    expect(await figures(people.bia.token)).toMatchObject({ open: 0, pending: 1 })
  })
})

type Opened = { name: string; shown: number; list: FigureList }

/** Returns every figure of the panel that opens a list of tickets, with that list. */
function doorsOf(shown: LiveFigures, groups: boolean): Opened[] {
  const lists = figuresOf(groups)
  return [
    ...(['open', 'pending', 'waiting', 'warned', 'missed', 'closedToday'] as const).map((name) => ({
      name,
      shown: shown[name],
      list: lists[name],
    })),
    ...shown.ages.map(({ minutes, count }) => ({
      name: `age ${minutes}`,
      shown: count,
      list: listOfAge(groups, minutes),
    })),
    ...shown.queues.flatMap(({ id, open, pending }) =>
      Object.entries({ live: open + pending, open, pending }).map(([key, number]) => ({
        name: `${key} of queue ${id}`,
        shown: number,
        list: ofColumn(lists[key as keyof typeof lists], 'queue', id),
      })),
    ),
    ...shown.online.flatMap(({ id, open }) =>
      open === null ? [] : [{ name: `person ${id}`, shown: open, list: ofColumn(lists.open, 'user', id) }],
    ),
  ]
}

/** Returns the number of rows of the list that a figure opens, read to its end. */
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

async function expectRows(token: string, doors: readonly Opened[], isWide: boolean): Promise<number> {
  const behind = []
  for (const { name, list } of doors) behind.push([name, await rowsBehind(token, list, isWide)])
  expect(behind).toEqual(doors.map(({ name, shown: number }) => [name, number]))
  return doors.reduce((sum, door) => sum + door.shown, 0)
}

const columns = async (token: string, query: { by?: ColumnsBy; groups?: boolean; queueId?: number }) => {
  const { status, body } = await call(product(), dashboard.columns, token, { query })
  return { status, columns: body.columns }
}

async function expectDoorsToLead(token: string, groups = false): Promise<number> {
  const shown = await figures(token, groups)
  const rowsOf = async (op: typeof schedules.list | typeof birthdays.list, query: object) => {
    const { body } = await call(product(), op as typeof birthdays.list, token, { query })
    return body.count
  }
  if (shown.scheduled !== null)
    expect(await rowsOf(schedules.list, { from: shown.today, to: shown.today })).toBe(shown.scheduled)
  if (shown.birthdays !== null) expect(await rowsOf(birthdays.list, { range: 'today' })).toBe(shown.birthdays)
  for (const { id, free } of shown.queues) {
    if (free === null || id === null) continue
    const people = (await columns(token, { queueId: id })).columns
    expect(people.reduce((sum, one) => sum + one.free, 0)).toBe(free)
  }
  return expectRows(token, doorsOf(shown, groups), shown.isWide)
}

describe('each number opens exactly its rows', () => {
  let m: ReturnType<typeof make>
  let company: number
  let queues: number[]
  let team: { id: number; token: string }[]
  let leaves: Date
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
      await enter('user', queues),
    ]
    const restricted = team[3]!.id
    await product().platform.db.write(company, async (db) => {
      await db.updateTable('users').set({ is_online: true }).execute()
      await db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted).execute()
      const hidden = { menu_permissions: JSON.stringify({ agendamentos: true }) }
      await db.updateTable('users').set(hidden).where('id', '=', team[1]!.id).execute()
    })
    leaves = new Date(Date.now() + 60_000)
    for (const send_at of [leaves, new Date(Date.now() + 30 * hour)]) {
      const ticket = await m.ticket(company, { queue_id: queues[0]!, user_id: team[2]!.id, status: 'open' })
      await m.message(company, ticket, { from_me: true, status: 'pending', send_at, schedule_date: send_at })
    }
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date()).slice(5)
    await m.contact(company, { birthday_date: `1990-${today}` })
    await m.contact(company, { birthday_date: '1990-02-30'.replace('30', today === '02-15' ? '16' : '15') })
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
              ...(status === 'closed'
                ? {}
                : {
                    sla_state: n % 4 === 3 ? 'missed' : 'warned',
                    sla_due_at: ago(n),
                    sla_since: ago(n + 1),
                    sla_clock: 'first',
                  }),
              ...(status === 'closed' ? { closed_at: n > 3 ? new Date() : yesterday(), updated_at: new Date() } : {}),
            })
  })

  const everybody = async (groups = false) => {
    const sums = []
    for (const { token } of team) sums.push(await expectDoorsToLead(token, groups))
    return sums
  }

  test('for admin, supervisor, agent and restricted agent', async () => {
    const sums = await everybody()
    expect(sums[0]).toBe(sums[1])
    expect(Math.min(...sums)).toBeGreaterThan(10)
    expect(sums[2]).toBeLessThan(sums[0]!)
  })

  test('with groups, and without', async () => {
    const [without, all] = [await everybody(), await everybody(true)]
    expect(all[0]).toBeGreaterThan(without[0]!)
  })

  test('of what is scheduled and of birthdays, for those who may see them', async () => {
    const [admin, lead, agent, restricted] = await Promise.all(team.map(({ token }) => figures(token)))
    const leavesToday =
      startOfDay('America/Sao_Paulo', leaves.getTime()).getTime() ===
      startOfDay('America/Sao_Paulo', Date.now()).getTime()
    for (const { scheduled } of [admin!, agent!]) expect(scheduled).toBe(leavesToday ? 1 : 0)
    expect(lead!.scheduled).toBeNull()
    expect([admin, lead, agent, restricted].map((one) => one!.birthdays)).toEqual([1, 1, 1, null])
  })

  test.each(COLUMNS_BY)('of each column by %s, and nothing is left out', async (by) => {
    const [admin] = team
    for (const groups of [false, true]) {
      const shown = (await columns(admin!.token, { by, groups })).columns
      const lists = figuresOf(groups)
      const doors = shown.flatMap((column) =>
        (['open', 'pending', 'waiting', 'warned', 'missed'] as const).map((key) => ({
          name: `${key} of ${column.id}`,
          shown: column[key],
          list: ofColumn(lists[key], by, column.id),
        })),
      )
      expect(await expectRows(admin!.token, doors, true)).toBeGreaterThan(10)
      const { open, pending, waiting, warned, missed } = await figures(admin!.token, groups)
      expect([warned > 0, missed > 0]).toEqual([true, true])
      for (const [key, all] of Object.entries({ open, pending, waiting, warned, missed }))
        expect(shown.reduce((sum, one) => sum + one[key as 'open'], 0)).toBe(all)
      expect(shown[0]!.id).toBeNull()
    }
  })

  test('a column’s tickets come pending first, page by page', async () => {
    const [admin, , agent] = team
    const statuses: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = {
        tab: 'live',
        onlyUser: agent!.id,
        showAll: true,
        pendingFirst: true,
        ...(cursor ? { cursor } : {}),
      }
      const page = (await call(product(), tickets.list, admin!.token, { query } as never)).body as {
        tickets: { status: string }[]
        nextCursor: string | null
      }
      statuses.push(...page.tickets.map(({ status }) => status))
      cursor = page.nextCursor
    }
    expect(new Set(statuses)).toEqual(new Set(['open', 'pending']))
    expect(statuses).toEqual(statuses.toSorted().reverse())
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

describe('the attendance panel', () => {
  test('says who is there, what each has, and how many more they may be given', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const queue = await m.queue(company, { queue: 'Vendas' })
    const admin = await m.user(company, { profile: 'admin', name: 'Admin' })
    const [ana, bia, caio] = [
      await m.user(company, { profile: 'user', queues: [queue], name: 'Ana' }),
      await m.user(company, { profile: 'user', queues: [queue], name: 'Bia' }),
      await m.user(company, { profile: 'user', name: 'Caio' }),
    ]
    await product().platform.db.write(company, async (db) => {
      await db.updateTable('users').set({ capacity: 2 }).where('id', '=', ana.id).execute()
      await db.updateTable('users').set({ is_online: true }).where('name', 'in', ['Ana', 'Caio']).execute()
    })
    await m.token(ana)
    await m.token(caio)
    for (let n = 0; n < 3; n++) await m.ticket(company, { queue_id: queue, user_id: ana.id, status: 'open' })
    await m.ticket(company, { queue_id: queue, user_id: bia.id, status: 'open' })
    await m.ticket(company, { status: 'pending', waiting_since: ago(1) })
    const token = await m.token(admin)
    const people = (await columns(token, {})).columns
    expect(
      people.map(({ name, open, pending, absence, load, capacity, free }) => [
        name,
        open,
        pending,
        absence,
        load,
        capacity,
        free,
      ]),
    ).toEqual([
      [null, 0, 1, 'offline', 0, 0, 0],
      ['Ana', 3, 0, null, 3, 2, 0],
      ['Bia', 1, 0, 'offline', 1, 10, 0],
      ['Admin', 0, 0, 'offline', 0, 0, 0],
      ['Caio', 0, 0, null, 0, 10, 10],
    ])
    expect(people[0]!.waitingSince).toBeCloseTo(ago(1).getTime(), -5)
    const queues = (await columns(token, { by: 'queue' })).columns
    expect(queues.map(({ name, open, load, capacity, free }) => [name, open, load, capacity, free])).toEqual([
      [null, 0, 0, 0, 0],
      ['Vendas', 4, 3, 2, 0],
    ])
    expect((await columns(token, { queueId: queue })).columns.map(({ name }) => name)).toEqual(['Ana', 'Bia'])
    // People with pending tickets precede those with more open ones.
    await m.ticket(company, { queue_id: queue, user_id: bia.id, status: 'pending' })
    expect((await columns(token, {})).columns.map(({ name }) => name)).toEqual([null, 'Bia', 'Ana', 'Admin', 'Caio'])
  })

  test('is told on the panel too: a queue that has room is there without a ticket, one that nobody works in is not', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const duty = await m.queue(company, { queue: 'Plantão' })
    await m.queue(company, { queue: 'Vazia' })
    const one = await m.user(company, { profile: 'user', queues: [duty] })
    await product().platform.db.write(company, (db) =>
      db.updateTable('users').set({ is_online: true }).where('id', '=', one.id).execute(),
    )
    await m.token(one)
    const { queues } = await figures(await m.token(await m.user(company, { profile: 'admin' })))
    expect(queues).toEqual([{ id: duty, name: 'Plantão', open: 0, pending: 0, free: 10 }])
  })

  test('is for those who lead', async () => {
    expect((await columns(people.ana.token, {})).status).toBe(403)
    const m = make(product().platform)
    const lead = await m.user(tenantId, { profile: 'super' })
    expect((await columns(await m.token(lead), {})).status).toBe(200)
    expect((await columns(people.admin.token, {})).status).toBe(200)
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
