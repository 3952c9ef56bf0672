import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '#domain/calendar/local-time.ts'
import { dayAfter } from '#domain/reports/days.ts'
import type { Operation } from '#kit/contract.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { namedReports } from './contract.ts'

const product = withProduct()
const ZONE = 'America/Sao_Paulo'
const HOUR = 3_600_000
let tenantId: number
let agent: Person

beforeAll(async () => {
  tenantId = await make(product().platform).tenant()
  agent = await make(product().platform).person(tenantId)
})

const asPlatform = <T>(text: ReturnType<typeof sql>): Promise<T[]> =>
  product().platform.db.asPlatform(async (db) => (await text.execute(db)).rows as T[])
const read = async <T>(op: Operation, token: string, query: object): Promise<T> => {
  const answer = await call(product(), op as never, token, { query: query as never })
  expect(answer.status).toBe(200)
  return answer.body as T
}

describe('presence', () => {
  it('is how long people were online, on a break and offline, by person and by day, and opens those stretches', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const person = await m.person(company, { profile: 'admin', name: 'Célia' })
    const today = product().platform.now()
    const day = (days: number) => dayAfter(dayIn(ZONE, today.getTime()), days)
    const at = (days: number, hour: number) => new Date(`${day(days)}T${String(hour).padStart(2, '0')}:00:00-03:00`)
    await asPlatform(sql`update users set created_at = ${at(-5, 0)} where id = ${person.id}`)
    await asPlatform(sql`delete from presence_periods where tenant_id = ${company}`)
    for (const [kind, from, to] of [
      ['online', at(-3, 8), at(-3, 12)],
      ['away', at(-3, 9), at(-3, 10)],
      ['away', at(-3, 11), at(-3, 14)],
      ['online', at(-3, 22), at(-2, 2)],
    ] as const)
      await m.insert('presence_periods', company, { user_id: person.id, kind, began_at: from, ended_at: to })
    type Any = { rows: { key: string; values: number[] }[]; total: number[] }
    const asked = { startDate: day(-4), endDate: day(-2), report: 'presence' }
    const hours = (values: number[]) => values.slice(0, 3).map((ms) => ms / HOUR)
    const { rows, total } = await read<Any>(namedReports.summaries, person.token, asked)
    // Offline counts from the first recorded presence on.
    expect([rows.length, hours(rows[0]!.values), hours(total)]).toEqual([1, [8, 2, 32], [8, 2, 32]])
    const byDay = await read<Any>(namedReports.summaries, person.token, { ...asked, by: 'day' })
    expect(byDay.rows.map(({ key, values }) => [key, ...hours(values)])).toEqual([
      [day(-4), 0, 0, 0],
      [day(-3), 6, 2, 10],
      [day(-2), 2, 0, 22],
    ])
    type Details = { rows: { at: string; until: string }[]; count: number }
    for (const [column, index] of [
      ['online', 0],
      ['away', 1],
      ['offline', 2],
    ] as const)
      for (const more of [{}, { key: String(person.id) }, { by: 'day', key: day(-3) }]) {
        const found = await read<Details>(namedReports.details, person.token, { ...asked, ...more, column })
        const sum = found.rows.reduce((all, one) => all + Date.parse(one.until) - Date.parse(one.at), 0)
        const whole = 'by' in more ? byDay.rows[1]!.values : total
        expect([sum, found.count]).toEqual([whole[index], found.rows.length])
      }
  })

  it('keeps a break as long as it was', async () => {
    const away = (until: Date | null) =>
      asPlatform(sql`update users set away_until = ${until} where tenant_id = ${tenantId} and id = ${agent.id}`)
    await away(new Date(Date.now() + HOUR))
    await away(null)
    const breaks = await asPlatform<{ isOver: boolean }>(
      sql`select ended_at <= app.now() as "isOver" from presence_periods where user_id = ${agent.id} and kind = 'away'`,
    )
    expect(breaks).toEqual([{ isOver: true }])
  })
})

it('keeps when people were online', async () => {
  const set = (isOnline: boolean) =>
    asPlatform(sql`update users set is_online = ${isOnline} where tenant_id = ${tenantId} and id = ${agent.id}`)
  for (const isOnline of [true, true, false, true]) await set(isOnline)
  const periods = await asPlatform<{ isOver: boolean }>(
    sql`select ended_at is not null as "isOver" from presence_periods where user_id = ${agent.id} and kind = 'online' order by id`,
  )
  expect(periods.map(({ isOver }) => isOver)).toEqual([true, false])
})
