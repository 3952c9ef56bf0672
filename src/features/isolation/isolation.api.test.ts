import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROFILES } from '#domain/access/profiles.ts'
import { allRoutes } from '#server/app.ts'
import { fillCompany, type Marks, sumsOf, tablesOf } from '#test/isolation/rows.ts'
import { make } from '#test/make.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type IsolationResult, isolation } from './contract.ts'
import { attack } from './server/attack.ts'

const began = new Date()
// A clock at rest: on a slow machine all walls take longer than the minute that they are given.
const product = ownProduct('asks about all companies, and takes walls down', { now: () => began })
const companies: Marks[] = [
  { id: 510_001, uuid: '0194aaaa-0000-7000-8000-00000000000a', word: 'primeira-empresa-da-instalacao', isPlain: true },
  { id: 520_002, uuid: '0194bbbb-0000-7000-8000-00000000000b', word: 'segunda-empresa-da-instalacao', isPlain: true },
]
let owner: pg.Pool
let tables: Awaited<ReturnType<typeof tablesOf>>
let token: string

beforeAll(async () => {
  owner = new pg.Pool({ connectionString: product().ownerUrl, max: 2 })
  tables = await tablesOf(owner)
  for (const marks of companies) {
    await fillCompany(owner, tables, marks)
    for (const profile of PROFILES) await make(product().platform).user(marks.id, { profile })
  }
  const [{ id }] = companies as [Marks]
  token = await make(product().platform).token(await make(product().platform).user(id, { profile: 'superadmin' }))
})
afterAll(() => owner.end())

const last = async (): Promise<IsolationResult | null> => (await call(product(), isolation.last, token)).body['last']
const sums = () => Promise.all(companies.map(({ id }) => sumsOf(owner, tables, id)))

it('tries every wall in both directions, finds no gap, writes nothing, and is remembered', async () => {
  expect(await last()).toBeNull()
  // Waits for the background sums, which run once a second.
  await until(async () => (await owner.query('select from dispatch_ticks')).rowCount === 0)
  const before = await sums()
  // Only one run is possible at a time.
  const replies = await Promise.all([call(product(), isolation.run, token), call(product(), isolation.run, token)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const result = replies.find(({ status }) => status === 200)!.body
  expect(result).toMatchObject({ companies: 2, tables: tables.length, isComplete: true, leaks: [] })
  expect(result.probes).toBeGreaterThan(1000)
  expect(result.operations).toBeGreaterThan(30)
  expect(await sums()).toEqual(before)
  expect(await last()).toEqual(result)
  const { rows } = await owner.query(`select changes from platform_audit_log where action = 'isolation.run'`)
  expect(rows).toEqual([{ changes: { probes: { after: result.probes }, leaks: { after: 0 } } }])
}, 600_000)

it('names where something shows through when a wall is gone', async () => {
  const walls = ['contacts', 'tickets', 'fast_replies']
  const each = (what: string) =>
    owner.query(walls.map((table) => `alter table ${table} ${what} row level security`).join(';'))
  await each('disable')
  try {
    // The operations of these tables alone: all of them are tried above.
    const routes = allRoutes().filter(({ op }) => /^\/(contacts|tickets|fastReply)\b/.test(op.path))
    const { leaks } = await attack(product().platform, routes)
    expect(leaks).toEqual(
      expect.arrayContaining([
        'Tabela contacts: empresa 510001 vê linhas da 520002',
        'Tabela tickets: empresa 520002 acha um registro da 510001',
        expect.stringMatching(/^GET \/contacts\/:id \(user da empresa 510001\) mostrou [\w.]+ da empresa 520002$/),
      ]),
    )
    expect(leaks.join()).not.toMatch(/primeira|segunda/)
  } finally {
    await each('enable')
  }
}, 600_000)
