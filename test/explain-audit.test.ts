import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '#features/audit/contract.ts'
import { listAudit } from '#features/audit/server/list.ts'
import { readOptions } from '#features/audit/server/queries.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { explainingDatabase } from './explaining.ts'
import { company } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'

const RECORDS = 30_000
let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  for (const name of ['Outra', 'Grande']) {
    const tenantId = await company(owner, name)
    await owner.query(
      `insert into audit_log (tenant_id, seq, at, action, summary, user_id, user_name, ip, previous_hash, hash)
       select $1, n, '2026-01-01'::timestamptz + n * interval '1 minute', 'queues.' || n % 20, 'Fila', n % 50,
         'Pessoa ' || n % 50, '10.0.0.' || n % 250, '', '' from generate_series(1, $2::int) n`,
      [tenantId, RECORDS],
    )
    await owner.query('analyze')
    await eyes?.close()
    eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
  }
})
afterAll(async () => {
  await eyes?.close()
  await owner.end()
})

const list = (query: object = {}) => listAudit(eyes.db, 'company', audit.list.query.parse(query), 'America/Sao_Paulo')

/** Returns the largest number of records that a statement reads: the page, and the count up to a thousand. */
async function most(work: () => Promise<unknown>): Promise<number> {
  const plans = await eyes.plansOf(work)
  return Math.max(...plans.map(({ read }) => read.get('audit_log') ?? 0))
}

test.each<[string, object, number]>([
  ['from the newest', {}, 1100],
  ['of one person', { user: 7 }, 1100],
  ['of one action', { action: 'queues.3' }, 1600],
  ['of a day', { from: '2026-01-05', to: '2026-01-05' }, 3100],
  ['of days long ago', { to: '2026-01-02' }, 3100],
  ['with a word that everybody has', { searchParam: 'pessoa' }, 1100],
  // Only a full read shows that no record has it; records are read in order, and the directory is not read.
  ['with a word that nobody has', { searchParam: 'ninguém' }, RECORDS],
])('a page %s reads little of thirty thousand records', async (_, query, limit) => {
  expect(await most(() => list(query))).toBeLessThanOrEqual(limit)
})

test('a page by cursor starts there', async () => {
  const { nextCursor } = await list()
  expect(await most(() => list({ cursor: nextCursor }))).toBeLessThanOrEqual(1100)
})

test('people and actions are found step by step', async () => {
  let found: Awaited<ReturnType<typeof readOptions>> | undefined
  const read = await most(async () => {
    found = await readOptions(eyes.db, 'company', null, 501)
  })
  expect([found!.users.length, found!.actions.length]).toEqual([50, 20])
  expect(read).toBeLessThanOrEqual(300)
})
