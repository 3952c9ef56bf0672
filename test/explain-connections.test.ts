import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findByAccount, keysOfConnections } from '#features/connections/server/queries.ts'
import { findAddress } from '#features/connections/server/queries-addresses.ts'
import { listApps } from '#features/connections/server/queries-apps.ts'
import {
  findState,
  type Lease,
  releaseLease,
  requireLease,
  takeLeases,
  writeState,
} from '#features/connections/server/queries-leases.ts'
import { conversationsOf } from '#features/ledger/server/outbox/outbox-queries.ts'
import { isBeginning, lockPace } from '#features/ledger/server/outbox/pace-queries.ts'
import { findInDirectory, findManyInDirectory } from '#server/db/directory.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { explainingDatabase, type Plan } from './explaining.ts'
import { withoutForeignKeys } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'
import { breadth } from './setup/breadth.ts'

const ENTRIES = 200
const COMPANIES = breadth(120, 200)
const PACE = { perMinute: 60, begunPerHour: 10 }
const HOLDER = '00000000-0000-4000-8000-000000000001'
let owner: pg.Client
let own: Awaited<ReturnType<typeof explainingDatabase>>
let all: Awaited<ReturnType<typeof explainingDatabase>>
let lease: Lease

/** Inserts companies with five connections each (two of them persistent), their state and their names in the directory. */
async function grow(from: number, to: number): Promise<void> {
  const companies = `select id from tenants where name ~ '^Empresa ' and substr(name, 9)::int between ${from} and ${to}`
  await owner.query(`insert into tenants (name) select 'Empresa ' || n from generate_series(${from}, ${to}) n`)
  await owner.query(
    `insert into connections (tenant_id, name, type, status, account, webhook)
     select id, 'Canal ' || n, case when n <= 2 then 'stream' else 'sample' end, case when n = 5 then 'DISCONNECTED' else 'CONNECTED' end,
       'conta ' || id || ' ' || n, '1.x' from (${companies}) t, generate_series(1, 5) n`,
  )
  const fresh = `connections c where c.tenant_id in (${companies})`
  await owner.query(
    `insert into connection_leases (tenant_id, connection_id, holder, taken_at)
     select c.tenant_id, c.id, case when c.name = 'Canal 1' then gen_random_uuid() end, now() from ${fresh} and c.type = 'stream'`,
  )
  await owner.query(
    `insert into connection_paces (tenant_id, connection_id, tokens, filled_at) select c.tenant_id, c.id, 60, now() from ${fresh}`,
  )
  await owner.query(
    `insert into connection_state (tenant_id, connection_id, name, value, updated_at)
     select c.tenant_id, c.id, 'chave ' || n, '1.x', now() from generate_series(1, ${ENTRIES}) n, ${fresh} and c.type = 'stream'`,
  )
  await owner.query(
    `insert into directory (kind, key_hash, tenant_id, subject_id)
     select kind, sha256(convert_to(case kind when 'account' then 'sample:' || c.account else 'caminho ' || c.id end, 'utf8')), c.tenant_id, c.id::text
     from unnest(array['account', 'webhook']) kind, ${fresh}`,
  )
  await owner.query(`insert into contacts (tenant_id, name) select id, 'Cliente' from (${companies}) t`)
  await owner.query(
    `insert into tickets (tenant_id, status, connection_id, contact_id, conversation_key, channel)
     select c.tenant_id, 'open', c.id, (select id from contacts p where p.tenant_id = c.tenant_id), '5511' || n, c.type
     from generate_series(1, 20) n, ${fresh} and c.name = 'Canal 1'`,
  )
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
     select t.tenant_id, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key, true,
       case when n = 1 then 'pending' else 'sent' end, 'oi', now() from tickets t, generate_series(1, 6) n where t.tenant_id in (${companies})`,
  )
  await owner.query(
    `insert into message_acts (tenant_id, id, connection_id, conversation_key, message_id, from_me, type, body, status, at, updated_at)
     select m.tenant_id, gen_random_uuid(), m.connection_id, m.conversation_key, m.id, true, 'edit', 'oi!',
       case m.status when 'pending' then 'pending' else 'sent' end, now(), now() from messages m where m.tenant_id in (${companies})`,
  )
  await owner.query('analyze')
}

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await grow(1, 1)
  const { rows } = await owner.query<{ tenant: string; connection: string }>(
    `update connection_leases l set holder = $1 from connections c where c.id = l.connection_id and c.name = 'Canal 1'
     returning l.tenant_id as tenant, l.connection_id as connection`,
    [HOLDER],
  )
  const [tenantId, connectionId] = [Number(rows[0]!.tenant), Number(rows[0]!.connection)]
  lease = { tenantId, connectionId, holder: HOLDER, epoch: 1 }
  await owner.query(
    `insert into provider_apps (channel, name, path_hash, created_at, updated_at) select 'sample', 'App ' || n, sha256(n::text::bytea), now(), now() from generate_series(1, 20) n`,
  )
  const urls = databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
  own = await explainingDatabase(urls.app, tenantId)
  all = await explainingDatabase(urls.platform, tenantId)
})

afterAll(async () => {
  await own.close()
  await all.close()
  await owner.end()
})

const chosen = Array.from({ length: 50 }, (_, n) => `chave ${n * 4 + 1}`)

/**
 * Queries of one company's connection, with the maximum number of rows read from any table except the small one of
 * companies.
 */
const ofOne: Record<string, [most: number, work: () => Promise<unknown>]> = {
  'whose a connection is, at each emit': [1, () => requireLease(own.tx, lease)],
  'giving it up': [1, () => releaseLease(own.tx, lease)],
  'fifty keys': [50, () => findState(own.db, lease.connectionId, chosen)],
  'writing a key and removing one': [
    2,
    () =>
      writeState(own.tx, lease.connectionId, [
        { name: 'chave 1', value: 'x' },
        { name: 'chave 5', value: null },
      ]),
  ],
  'whether a message begins its conversation': [
    25,
    () => isBeginning(own.db, { connectionId: lease.connectionId, conversationKey: '55115' }),
  ],
  'how fast it has sent of late': [2, () => lockPace(own.tx, lease.connectionId, PACE, new Date())],
  'which of its conversations have something to send': [20, () => conversationsOf(own.db, lease.connectionId)],
  'the connection of an account': [5, () => findByAccount(own.db, ['sample'], `conta ${lease.tenantId} 3`)],
  'whose a path is': [1, () => findInDirectory(all.tx, 'webhook', `caminho ${lease.connectionId}`)],
  'whose three accounts are': [
    3,
    () =>
      findManyInDirectory(
        all.tx,
        'account',
        [1, 2, 3].map((n) => `sample:conta ${lease.tenantId} ${n}`),
      ),
  ],
}

/** Queries over all companies: pages read by the number of connections. */
const ofAll: Record<string, () => Promise<unknown>> = {
  'what a path of a provider’s calls is of': () => findAddress(all.tx, 'webhook', '7'),
  'the apps': () => listApps(all.tx),
  'what a process has and may take': () => takeLeases(all.tx, { holder: HOLDER, types: ['stream'], most: 50 }),
  'the keys that rows are encrypted with': () => keysOfConnections(all.tx),
}

/** The plans of whichever of the two doors was used. */
async function plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
  let asPlatform: readonly Plan[] = []
  const asCompany = await own.plansOf(async () => {
    asPlatform = await all.plansOf(work)
  })
  return [...asCompany, ...asPlatform]
}

const buffersOf = (plans: readonly Plan[]) => plans.reduce((sum, { buffers }) => sum + buffers, 0)

const pages = new Map<string, number>()

test.each([...Object.keys(ofOne), ...Object.keys(ofAll)])('of one company: %s', async (name) => {
  const plans = await plansOf(ofOne[name]?.[1] ?? ofAll[name]!)
  expect(plans.length).toBeGreaterThan(0)
  pages.set(name, buffersOf(plans))
  expect(buffersOf(plans)).toBeLessThan(name === 'fifty keys' ? 300 : 150)
})

describe('of many companies', () => {
  beforeAll(() => withoutForeignKeys(owner, () => grow(2, COMPANIES)), 60_000)

  test.each(Object.keys(ofOne))('%s: looked up by key, with no more pages than of one', async (name) => {
    const [most, work] = ofOne[name]!
    const plans = await plansOf(work)
    for (const { sql, read } of plans)
      for (const [table, rows] of read)
        if (table !== 'tenants') expect(rows, `${table}: ${sql.trim().slice(0, 100)}`).toBeLessThanOrEqual(most)
    expect(buffersOf(plans)).toBeLessThanOrEqual(pages.get(name)! + 30)
  })

  test.each(Object.keys(ofAll))('%s: a few pages for each connection at most', async (name) => {
    const plans = await plansOf(ofAll[name]!)
    for (const { sql, read } of plans)
      for (const table of ['connection_state', 'messages', 'directory'])
        expect(read.get(table) ?? 0, `${table}: ${sql.trim().slice(0, 100)}`).toBeLessThanOrEqual(1000)
    expect(buffersOf(plans)).toBeLessThan(50 * COMPANIES)
  })
})
