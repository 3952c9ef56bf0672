import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '#domain/calendar/local-time.ts'
import { dayAfter } from '#domain/reports/days.ts'
import { connectionEvents } from '#features/connections/connection-events.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { namedReports, type ReportProof, type ReportTicket, reports, statistics, type Totals } from './contract.ts'
import { storeCompany } from './server/index.ts'

const product = withProduct()
const ZONE = 'America/Sao_Paulo'
const DAYS = 12
const HOUR = 3_600_000
let tenantId: number
let admin: string
let agent: { id: number; token: string }
let period: { startDate: string; endDate: string }

const asPlatform = <T>(text: ReturnType<typeof sql>): Promise<T[]> =>
  product().platform.db.asPlatform(async (db) => (await text.execute(db)).rows as T[])
const read = async <T>(op: { name: string }, token: string, query: object): Promise<T> => {
  const answer = await call(product(), op as never, token, { query: { ...period, ...query } as never })
  expect(answer.status).toBe(200)
  return answer.body as T
}
const countOf = async (token: string, query: object): Promise<number> =>
  (await read<{ count: number }>(reports.rows, token, query)).count

beforeAll(
  async () => {
    const m = make(product().platform)
    tenantId = await m.tenant()
    admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
    const queues = [await m.queue(tenantId, { queue: 'Vendas' }), await m.queue(tenantId, { queue: 'Suporte' }), null]
    const ana = await m.user(tenantId, { name: 'Ana', queues: [queues[0]!] })
    agent = { id: ana.id, token: await m.token(ana) }
    const bia = await m.user(tenantId, { name: 'Bia' })
    const connection = await m.connection(tenantId)
    const contact = await m.contact(tenantId)
    const now = product().platform.now().getTime()
    const today = dayIn(ZONE, now)
    period = { startDate: dayAfter(today, -DAYS), endDate: today }
    const random = fc.record({
      age: fc.integer({ min: 0, max: (DAYS + 2) * 24 * 60 }),
      status: fc.constantFrom('open', 'pending', 'closed'),
      queue: fc.constantFrom(...queues),
      user: fc.constantFrom(ana.id, bia.id, null),
      wait: fc.option(fc.integer({ min: 0, max: 5 * HOUR })),
      work: fc.integer({ min: 0, max: 9 * HOUR }),
      isGroup: fc.constantFrom(false, false, false, true),
      isActive: fc.boolean(),
      value: fc.option(fc.integer({ min: 0, max: 99_999 })),
      isHistory: fc.constantFrom(false, false, false, false, true),
    })
    for (const one of fc.sample(random, { numRuns: breadth(150, 10_000), seed: 36 })) {
      const begun = now - one.age * 60_000
      const started = one.wait === null ? null : begun + one.wait
      const isClosed = one.status === 'closed' || one.isHistory
      await m.ticket(tenantId, {
        contact_id: contact,
        connection_id: connection,
        status: isClosed ? 'closed' : one.status,
        queue_id: one.queue,
        user_id: one.user,
        is_group: one.isGroup,
        is_active_demand: one.isActive,
        value: one.value === null ? null : (one.value / 100).toFixed(2),
        closed_reason: one.isHistory ? 'history' : null,
        created_at: new Date(begun),
        updated_at: new Date(begun),
        started_attendance_at: started === null ? null : new Date(started),
        closed_at: isClosed ? new Date((started ?? begun) + one.work) : null,
      })
    }
  },
  breadth(120_000, 900_000),
)

/** Result of the naive SQL statement. */
const slow = async (what: ReturnType<typeof sql>, more: ReturnType<typeof sql> = sql`true`): Promise<number> => {
  const { startDate: from, endDate: to } = period
  const [row] = await asPlatform<{ n: number | string | null }>(
    sql`select ${what} as n from tickets where tenant_id = ${tenantId} and closed_reason is distinct from 'history'
      and (created_at at time zone ${ZONE})::date between ${from}::date and ${to}::date and not is_group and ${more}`,
  )
  return Number(row?.n ?? 0)
}

const msOf = (span: Totals['tma']) =>
  span && ((span.hours * 60 + span.minutes) * 60 + span.seconds) * 1000 + span.milliseconds

async function agrees(token: string, more: ReturnType<typeof sql> = sql`true`) {
  const totals = await read<Totals>(statistics.times, token, {})
  expect(totals.qtd_total_atendimentos).toBe(await slow(sql`count(*)`, more))
  expect(totals.qtd_demanda_ativa).toBe(await slow(sql`count(*) filter (where is_active_demand)`, more))
  expect(Number(totals.value)).toBe(await slow(sql`coalesce(sum(value), 0)`, more))
  const tma = sql`avg(extract(epoch from closed_at - started_attendance_at) * 1000) filter (where status = 'closed')`
  expect(msOf(totals.tma) ?? 0).toBe(Math.round(await slow(tma, more)))
  const tme = sql`avg(extract(epoch from started_attendance_at - created_at) * 1000)`
  expect(msOf(totals.tme) ?? 0).toBe(Math.round(await slow(tme, more)))
  for (const op of [statistics.queue, statistics.user, statistics.status, statistics.channels, statistics.reasons])
    expect((await read<{ qtd: number }[]>(op, token, {})).reduce((sum, { qtd }) => sum + qtd, 0)).toBe(
      totals.qtd_total_atendimentos,
    )
  const days = await read<{ qtd: number; resolved: number }[]>(statistics.evolutionByPeriod, token, {})
  expect(days.length).toBe(DAYS + 1)
  expect(days.reduce((sum, { qtd }) => sum + qtd, 0)).toBe(totals.qtd_total_atendimentos)
  const ends = await countOf(token, { by: 'closedAt' })
  expect(days.reduce((sum, { resolved }) => sum + resolved, 0)).toBe(ends)
  const people = await read<{ qtd_por_usuario: number }[]>(statistics.perUsersDetail, token, {})
  expect(people.reduce((sum, one) => sum + one.qtd_por_usuario, 0)).toBe(totals.qtd_total_atendimentos)
  // A number opens exactly what it counts.
  expect(await countOf(token, {})).toBe(totals.qtd_total_atendimentos)
  expect(await countOf(token, { measure: 'active' })).toBe(totals.qtd_demanda_ativa)
  for (const { id, qtd } of await read<{ id: number | null; qtd: number }[]>(statistics.queue, token, {}))
    expect(await countOf(token, { queues: [id ?? 'none'] })).toBe(qtd)
  return totals
}

async function zoneIs(zone: string): Promise<void> {
  await asPlatform(sql`update tenants set timezone = ${zone} where id = ${tenantId}`)
  product().platform.settings.delete(String(tenantId))
}

describe('numbers of a period', () => {
  it('are the obvious ones, before anything is stored and after, and open as many rows', async () => {
    const live = await agrees(admin)
    await storeCompany(product().platform, tenantId)
    const [stored] = await asPlatform<{ n: number }>(
      sql`select count(*) as n from report_figures where tenant_id = ${tenantId}`,
    )
    expect(stored!.n).toBeGreaterThan(100)
    expect(await agrees(admin)).toEqual(live)
  })

  it('follow a ticket of a stored day that changes', async () => {
    const now = product().platform.now()
    await asPlatform(sql`update tickets set status = 'closed', is_active_demand = not is_active_demand,
      closed_at = ${now}, updated_at = ${now} where tenant_id = ${tenantId} and id in
        (select id from tickets where tenant_id = ${tenantId} and status = 'open' order by created_at limit 5)`)
    const changed = await agrees(admin)
    await storeCompany(product().platform, tenantId)
    expect(await agrees(admin)).toEqual(changed)
  })

  it('are the same whatever bots did in the tickets, but for times that leave bots out', async () => {
    const before = await agrees(admin)
    const m = make(product().platform)
    const flow = await m.insert('chat_flows', tenantId, { name: 'Ruído' })
    await asPlatform(sql`insert into flow_sessions (tenant_id, id, ticket_id, chat_flow_id, version, state, created_at, ended_at)
      select tenant_id, gen_random_uuid(), id, ${flow}, 1, '{}', created_at, started_attendance_at from tickets
      where tenant_id = ${tenantId} and started_attendance_at is not null`)
    expect(await agrees(admin)).toEqual(before)
    const { tme, tma } = await read<Totals>(statistics.times, admin, { times: 'withoutBot' })
    expect([msOf(tme), tma]).toEqual([0, before.tma])
    await asPlatform(sql`delete from flow_sessions where tenant_id = ${tenantId}`)
  })

  it('are an agent’s own', async () => {
    const totals = await agrees(agent.token, sql`user_id = ${agent.id}`)
    expect([totals.scope, totals.new_contacts]).toEqual(['own', null])
  })

  it('belong to other days in another zone, and are as many', async () => {
    const wide = { startDate: dayAfter(period.startDate, -5), endDate: dayAfter(period.endDate, 1) }
    const before = await read<Totals>(statistics.times, admin, wide)
    await zoneIs('Pacific/Auckland')
    const after = await read<Totals>(statistics.times, admin, wide)
    expect(after.qtd_total_atendimentos).toBe(before.qtd_total_atendimentos)
    expect(after.days).not.toEqual(before.days)
    await zoneIs(ZONE)
  })

  it('are refused for periods that end before they begin, or are too long', async () => {
    for (const bad of [{ endDate: dayAfter(period.startDate, -1) }, { startDate: '2001-01-01' }]) {
      const query = { ...period, ...bad }
      expect((await call(product(), statistics.times, admin, { query })).status).toBe(400)
      expect((await call(product(), reports.rows, admin, { query })).status).toBe(400)
    }
    const filter = { startDate: period.endDate, endDate: period.startDate }
    const details = { endDate: 'O fim do período vem antes do começo.' }
    expect((await call(product(), namedReports.contacts, admin, { query: filter })).body).toMatchObject({ details })
    const body = { report: 'contacts', format: 'csv', filter } as const
    expect((await call(product(), namedReports.export, admin, { body })).body).toMatchObject({ details })
  })
})

it('rows come in pages, each once, the newest first', async () => {
  const seen: ReportTicket[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { tickets: ReportTicket[]; nextCursor: string | null } = await read(reports.rows, admin, {
      groups: true,
      ...(cursor ? { cursor } : {}),
    })
    seen.push(...page.tickets)
    cursor = page.nextCursor
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  expect(seen.length).toBe(await countOf(admin, { groups: true }))
  expect(seen.map(({ createdAt }) => createdAt)).toEqual(
    seen
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  )
})

describe('named reports', () => {
  const file = async (body: object): Promise<string[]> => {
    const answer = await call(product(), namedReports.export, admin, { body: body as never })
    expect(answer.status).toBe(200)
    return String(answer.body).trim().split('\r\n').slice(1)
  }

  it('count what their files hold, and what the dashboard says', async () => {
    const totals = await read<Totals>(statistics.times, admin, {})
    const lines = await file({ report: 'tickets', format: 'csv', filter: period })
    expect(lines).toHaveLength(totals.qtd_total_atendimentos)
    const people = await read<{ qtd_por_usuario: number }[]>(namedReports.users, admin, {})
    expect(people.reduce((sum, one) => sum + one.qtd_por_usuario, 0)).toBe(lines.length)
    expect(await file({ report: 'users', format: 'csv', filter: period })).toHaveLength(people.length)
  })

  it('name the last ad that a contact came from, and narrow contacts to those who came from one', async () => {
    const m = make(product().platform)
    const contact_id = await m.contact(tenantId, { name: 'Do anúncio', number: '5592911112222' })
    const ticketId = await m.ticket(tenantId, { contact_id })
    for (const [hours, headline] of [
      [2, 'Bolos'],
      [1, 'Tortas'],
    ] as const)
      await m.message(tenantId, ticketId, {
        data: JSON.stringify({ ad: { sourceId: '1', url: '', isPost: false, headline, text: '', picture: null } }),
        timestamp: new Date(product().platform.now().getTime() - hours * 3_600_000),
      })
    await m.contact(tenantId, { name: 'Sem anúncio', number: '5592911113333' })
    const of = async (query: object) =>
      (
        (await call(product(), namedReports.contacts, admin, { query: { ddds: ['92'], ...query } }))
          .body as unknown as {
          contacts: { name: string; ad: string | null }[]
        }
      ).contacts.map(({ name, ad }) => [name, ad])
    expect(await of({})).toEqual([
      ['Sem anúncio', null],
      ['Do anúncio', 'Tortas'],
    ])
    expect(await of({ fromAd: true })).toEqual([['Do anúncio', 'Tortas']])
    expect(await of({ fromAd: false })).toEqual([['Sem anúncio', null]])
    expect(await file({ report: 'contacts', format: 'csv', filter: { ddds: ['92'], fromAd: true } })).toEqual([
      expect.stringContaining('Tortas'),
    ])
  })

  it('narrow contacts by area, tag and day, and never run a cell as a formula', async () => {
    const m = make(product().platform)
    await m.contact(tenantId, { name: '=1+1', number: '5596911112222' })
    await m.contact(tenantId, { name: 'Outra', number: '5595911113333' })
    const of = async (query: object) =>
      (await call(product(), namedReports.contacts, admin, { query })).body as unknown as {
        contacts: { name: string; state: string | null }[]
        count: number
      }
    const found = await of({ ddds: ['96'] })
    expect([found.count, found.contacts[0]?.name, found.contacts[0]?.state]).toEqual([1, '=1+1', 'AP'])
    expect((await of({ tags: [999_999] })).count).toBe(0)
    expect((await of({ endDate: '2001-01-01' })).count).toBe(0)
    expect((await of({ startDate: period.endDate })).count).toBeGreaterThan(0)
    expect(await file({ report: 'contacts', format: 'csv', filter: { ddds: ['96'] } })).toEqual([
      expect.stringContaining("'=1+1"),
    ])
  })
})

describe('measures of time', () => {
  type Rows = { tickets: { id: number; amount: number }[]; count: number }
  it('leave out closed hours, pauses and bots where it is asked for, and open the tickets that they are the mean of', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const owner = await m.token(await m.user(company, { profile: 'admin' }))
    const night = '[{"day":0,"type":"C"},{"day":1,"type":"H","hr1":"08:00","hr2":"12:00","hr3":"14:00","hr4":"18:00"}]'
    const own = '[{"day":1,"label":"Segunda","type":"H","hr1":"08:00","hr2":"10:00","hr3":"","hr4":""}]'
    await m.setting(company, 'businessHours', night)
    const early = await m.queue(company, { business_hours: own })
    const flow = await m.insert('chat_flows', company, { name: 'Bot' })
    // A Monday; minutes from 07:00 in São Paulo.
    const at = (minutes: number) => new Date(Date.parse('2026-11-16T07:00:00-03:00') + minutes * 60_000)
    const ticket = async (queue: number | null) => {
      const id = await m.ticket(company, {
        ...{ status: 'closed', queue_id: queue, created_at: at(0), started_attendance_at: at(120), closed_at: at(480) },
        ...{ updated_at: at(480) },
      })
      for (const [type, minutes] of [
        ['pause', 150],
        ['resume', 180],
        ['pause', 450],
        ['closed', 480],
      ] as const)
        await m.insert('ticket_logs', company, { ticket_id: id, type, created_at: at(minutes) })
      const row = { id: uuidv7(), ticket_id: id, chat_flow_id: flow, version: 1, state: '{}' }
      await m.insert('flow_sessions', company, { ...row, created_at: at(0), ended_at: at(90) })
      return id
    }
    const [plain, inEarly] = [await ticket(null), await ticket(early)]
    const day = { startDate: '2026-11-16', endDate: '2026-11-16' }
    // TMA in minutes of the ticket without queue, and of the one in the queue that closes at ten; TME of the first.
    for (const [times, tma, inQueue, tme] of [
      [[], 360, 360, 120],
      [['openHours'], 240, 60, 60],
      [['withoutPauses'], 300, 300, 120],
      [['withoutBot'], 360, 360, 30],
      [['openHours', 'withoutPauses', 'withoutBot'], 180, 30, 30],
    ] as const) {
      const query = { ...day, times: [...times] }
      const totals = await read<Totals>(statistics.times, owner, query)
      expect(msOf(totals.tma)).toBe(((tma + inQueue) / 2) * 60_000)
      expect(msOf(totals.tme)).toBe(tme * 60_000)
      const { tickets, count } = await read<Rows>(reports.rows, owner, { ...query, measure: 'tma' })
      expect(Object.fromEntries(tickets.map(({ id, amount }) => [id, amount / 60_000]))).toEqual({
        [plain]: tma,
        [inEarly]: inQueue,
      })
      expect(count).toBe(2)
    }
  })
})

describe('the proof', () => {
  const prove = async () => (await call(product(), reports.prove, admin, {})).body as unknown as ReportProof

  it('finds nothing in what was stored, and names the measure and day of what was removed or changed', async () => {
    await asPlatform(
      sql`update report_state set checked_at = ${product().platform.now()} where tenant_id = ${tenantId}`,
    )
    const first = await prove()
    expect([first.differences, first.days > DAYS / 2, first.figures > 100]).toEqual([[], true, true])
    const [{ day } = { day: '' }] = await asPlatform<{ day: string }>(
      sql`delete from report_figures where tenant_id = ${tenantId} and (measure, split) = ('tme', 'total')
        and not is_group and day = (select max(day) from report_figures where tenant_id = ${tenantId} and measure = 'tme')
        returning day::text as day`,
    )
    const told: unknown[] = []
    const stop = product().platform.bus.subscribe((tenant, changes) => {
      if (tenant === tenantId) told.push(...changes.filter(({ type }) => type === connectionEvents.told.type))
    })
    const found = await prove()
    stop()
    expect(found.differences).toEqual([
      { measure: 'tme', day, split: 'total', key: '', stored: null, recomputed: expect.any(Number) },
    ])
    const audience = { kind: 'permission', permission: 'reports:read' }
    expect(told).toEqual([
      expect.objectContaining({ audience, payload: expect.objectContaining({ title: expect.any(String) }) }),
    ])
    expect((await call(product(), reports.proof, admin, {})).body).toMatchObject({ differences: found.differences })
    // The difference is repaired.
    expect((await prove()).differences).toEqual([])
  })
})

describe('summaries', () => {
  type Any = {
    columns: { key: string }[]
    rows: { key: string; values: (number | null)[] }[]
    total: (number | null)[]
  }
  it('say what the rows behind them are, in rows that add up to the total', async () => {
    for (const by of ['queue', 'user', 'channel', 'connection', 'reason']) {
      const { columns, rows, total } = await read<Any>(namedReports.summaries, admin, { report: 'sla', by })
      expect(columns.map(({ key }) => key)).toEqual(['tickets', 'slaMet', 'slaMissed', 'share', 'firstAnswer', 'tma'])
      for (const index of [0, 1, 2])
        expect(rows.reduce((sum, { values }) => sum + values[index]!, 0)).toBe(total[index])
      expect(total[0]).toBe(await countOf(admin, { measure: 'tickets' }))
    }
    const { rows } = await read<Any>(namedReports.summaries, admin, { report: 'ratings', by: 'user' })
    for (const { key, values } of rows)
      expect(values[0]).toBe(await countOf(admin, { measure: 'closed', userId: key === '' ? 'none' : Number(key) }))
  })

  it('count bots, campaigns and opportunities, as far as the person may read them', async () => {
    const m = make(product().platform)
    const at = new Date()
    const flow = await m.insert('chat_flows', tenantId, { name: 'Boas-vindas' })
    for (const status of ['closed', 'open'] as const) {
      const ticketId = await m.ticket(tenantId, { status, ...(status === 'closed' ? { closed_at: at } : {}) })
      const row = { id: uuidv7(), ticket_id: ticketId, chat_flow_id: flow, version: 1, state: '{}' }
      await m.insert('flow_sessions', tenantId, { ...row, created_at: at, ended_at: at })
    }
    const bots = await read<Any>(namedReports.summaries, admin, { report: 'bots' })
    expect(bots.rows).toMatchObject([{ key: String(flow), values: [2, 2, 0, 1, 50] }])
    const campaign = await m.insert('dispatches', tenantId, {
      ...{
        kind: 'campaign',
        name: 'Volta',
        status: 'finished',
        connection_id: await m.connection(tenantId),
        start_at: at,
      },
      ...{
        delay: 10,
        window_start: '08:00',
        window_end: '18:00',
        weekdays: '[]',
        skips_holidays: false,
        skips_open: false,
      },
      ...{ purpose: 'marketing', created_at: at, updated_at: at },
    })
    for (const [index, state] of (['waiting', 'sent', 'read', 'failed', 'delivered'] as const).entries())
      await m.insert('dispatch_items', tenantId, {
        ...{
          dispatch_id: campaign,
          contact_id: await m.contact(tenantId),
          connection_id: await m.connection(tenantId),
        },
        ...{ line: `l${index}`, message_id: uuidv7(), state, replied_at: state === 'read' ? at : null },
      })
    const pipeline = await m.insert('pipelines', tenantId, { name: 'Vendas', created_at: at, updated_at: at })
    const stages = []
    for (const position of [1, 2])
      stages.push(
        await m.insert('pipeline_stages', tenantId, {
          ...{ pipeline_id: pipeline, name: `E${position}`, position, color: '#3874B6', chance: 50, stale_days: 7 },
          ...{ created_at: at, updated_at: at },
        }),
      )
    for (const [stage, status] of [
      [0, 'open'],
      [0, 'win'],
      [1, 'lose'],
      [1, 'open'],
    ] as const)
      await m.insert('opportunities', tenantId, {
        ...{ name: 'Mesa', contact_id: await m.contact(tenantId), pipeline_id: pipeline, stage_id: stages[stage]! },
        ...{
          status,
          closed_at: status === 'open' ? null : at,
          value: '10.00',
          rank: `r${stage}${status}`,
          created_at: at,
          updated_at: at,
          stage_since: at,
          moved_at: at,
        },
      })
    // Every number of every row and of the total opens as many rows as it states.
    for (const report of ['bots', 'campaigns', 'funnel'] as const) {
      const { columns, rows, total } = await read<Any>(namedReports.summaries, admin, { report })
      for (const [index, { key: column }] of columns.entries()) {
        if (['share', 'value', 'wonValue'].includes(column)) continue
        for (const { values, ...more } of [
          { values: total },
          ...rows.map(({ key, values: own }) => ({ values: own, key })),
        ]) {
          const found = await read<{ rows: unknown[]; count: number }>(namedReports.details, admin, {
            report,
            column,
            ...more,
          })
          expect([report, column, found.count, found.rows.length]).toEqual([
            report,
            column,
            ...[values[index], values[index]],
          ])
        }
      }
      expect(total[0]).toBeGreaterThan(0)
      const query = { ...period, report, column: 'nada' } as never
      expect((await call(product(), namedReports.details, admin, { query })).status).toBe(400)
    }
  })

  it('are exported, and refused to who may not read what they count', async () => {
    const filter = { ...period, report: 'sla', by: 'queue' } as const
    const file = await call(product(), namedReports.export, admin, {
      body: { report: 'summary', format: 'csv', filter },
    })
    expect(String(file.body)).toContain('SLA;Atendimentos;SLA cumprido')
    const read403 = await call(product(), namedReports.summaries, agent.token, { query: { ...period, report: 'sla' } })
    expect(read403.status).toBe(403)
  })
})
