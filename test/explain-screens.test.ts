import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLUMNS_BY, type FigureList, figuresOf } from '#domain/tickets/figures.ts'
import { contacts } from '#features/contacts/contract.ts'
import { findPersons, readKnown } from '#features/contacts/server/imports/queries-known.ts'
import { listContacts } from '#features/contacts/server/list.ts'
import { findByNumber, loadContacts, maySee } from '#features/contacts/server/queries.ts'
import { countBy, countEach } from '#features/dashboard/server/queries.ts'
import { activeOfQueue, activeOfUser, moveQueueOf } from '#features/ledger/server/sets/queries-reassign.ts'
import { evaluations } from '#features/ratings/contract.ts'
import { listRated } from '#features/ratings/server/list.ts'
import { findDue, findPendingSurveys, lockPendingSurveys } from '#features/ratings/server/queries-asking.ts'
import { inList } from '#features/tickets/server/list/list.ts'
import { forgetPerson } from '#features/users/server/queries-change.ts'
import type { SettingKey } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { actorOf, explainingDatabase, type Plan, settingsWith } from './explaining.ts'
import { company, grow } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'
import { breadth } from './setup/breadth.ts'

const CROWD = breadth(15_000, 30_000)
let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>
let tenantId: number
let users: number[]
let tags: number[]

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  tenantId = await company(owner, 'Grande')
  const column = async (sql: string) =>
    (await owner.query<{ id: string }>(sql, [tenantId])).rows.map((row) => Number(row.id))
  users = await column('select id from users where tenant_id = $1 order by id')
  tags = await column('select id from tags where tenant_id = $1 order by id')
  await grow(owner, tenantId, 0, CROWD)
  await owner.query(
    `insert into contact_tags (tenant_id, contact_id, tag_id)
     select $1, id, case when id % 3 = 0 then $2::bigint else $3::bigint end from contacts where tenant_id = $1 and (id % 3 = 0 or id % 2000 = 0)`,
    [tenantId, tags[0], tags[1]],
  )
  await owner.query(
    'insert into contact_wallets (tenant_id, contact_id, user_id) select $1, id, $2 from contacts where tenant_id = $1 and id % 2 = 0 on conflict do nothing',
    [tenantId, users[0]],
  )
  // Ids as the product makes them: the time of the row comes first.
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
     select t.tenant_id, (lpad(to_hex((extract(epoch from now() - n * interval '10 minutes') * 1000)::bigint), 12, '0')
         || '7' || left(md5(t.id || '-' || n), 3) || '8' || left(md5(n || '-' || t.id), 15))::uuid, t.id, t.contact_id, t.connection_id, t.conversation_key, false, 'received', 'oi', now() - n * interval '10 minutes'
     from (select * from tickets where tenant_id = $1 order by id limit 1) t, generate_series(1, 40000) n`,
    [tenantId],
  )
  await owner.query(
    `insert into ticket_evaluations (tenant_id, ticket_id, contact_id, connection_id, conversation_key, user_id, queue_id, closed_at, asked_at, expires_at, evaluation, status)
     select tenant_id, id, contact_id, connection_id, conversation_key, user_id, queue_id, updated_at, updated_at, updated_at + interval '10 minutes',
       case when id % 2 = 0 then id % 6 end, case when id % 2 = 0 then 'answered' when id % 5000 = 1 then 'asked' else 'expired' end
     from tickets where tenant_id = $1 and status = 'closed' and not is_group
     on conflict (tenant_id, ticket_id, closed_at) do update set evaluation = excluded.evaluation, status = excluded.status`,
    [tenantId],
  )
  await owner.query('analyze')
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
})

afterAll(async () => {
  await eyes?.close()
  await owner.end()
})

const settings = (on: readonly SettingKey[] = []) => settingsWith(on)
const actor = (profile: Actor['profile']) => actorOf(tenantId, users[1]!, { profile })

const list = (query: object = {}, on: readonly SettingKey[] = [], profile: Actor['profile'] = 'user') =>
  listContacts(
    { db: eyes.db, tenantId, user: actor(profile), settings: settings(on), now: new Date() } as ReadCtx & {
      user: Actor
    },
    contacts.list.query.parse(query),
  )

/** Returns the largest number of rows of a table that a plan read. */
const read = (plans: readonly Plan[], name: string): number =>
  Math.max(0, ...plans.map((plan) => plan.read.get(name) ?? 0))

test('a block of an import finds its contacts by their keys, among thirty thousand', async () => {
  const { rows } = await owner.query<{ number: string; name: string }>(
    'select number, name from contacts where tenant_id = $1 and number is not null order by id desc limit 200',
    [tenantId],
  )
  let persons = new Map<string, number>()
  const plans = await eyes.plansOf(async () => {
    persons = await findPersons(
      eyes.db,
      rows.flatMap(({ number, name }, n) => [
        { kind: 'number' as const, value: number },
        { kind: 'email' as const, value: `ninguem${n}@feira.dev` },
        { kind: 'cpf' as const, value: String(10_000_000_000 + n) },
        { kind: 'name' as const, value: name },
      ]),
    )
    await readKnown(eyes.db, [...persons.values()], null)
  })
  expect(persons.size).toBe(200)
  expect(read(plans, 'contacts')).toBeLessThanOrEqual(1000)
  expect(read(plans, 'contact_tags')).toBeLessThanOrEqual(1000)
})

describe('a list of contacts reads little of thirty thousand', () => {
  test.each<[string, () => Promise<{ contacts: unknown[] }>]>([
    ['by name', () => list()],
    ['by cursor', async () => list({ cursor: (await list()).nextCursor })],
    ['under wallet routing', () => list({}, ['DirectTicketsToWallets'])],
    ['with a common tag', () => list({ tag: tags[0] })],
    ['searched by a rare name', () => list({ searchParam: 'conceicao 00001203' })],
    ['searched by a number', () => list({ searchParam: '11900012' })],
    ['searched by a name that everybody has', () => list({ searchParam: 'cliente' })],
  ])('%s', async (_, work) => {
    let rows = 0
    const plans = await eyes.plansOf(async () => {
      rows = (await work()).contacts.length
    })
    expect(rows).toBeGreaterThan(0)
    expect(read(plans, 'contacts')).toBeLessThanOrEqual(5000)
  })

  test('with a rare tag it starts from the tag', async () => {
    const plans = await eyes.plansOf(() => list({ tag: tags[1] }))
    expect(read(plans, 'contacts')).toBeLessThanOrEqual(1000)
    expect(read(plans, 'contact_tags')).toBeLessThanOrEqual(1000)
  })

  test('searched by a name that very many have, it walks in order and never reads the table as it lies', async () => {
    const plans = await eyes.plansOf(() => list({ searchParam: 'souza' }))
    expect(read(plans, 'contacts')).toBeLessThanOrEqual(CROWD)
  })

  test('one contact, by id and by number', async () => {
    const plans = await eyes.plansOf(async () => {
      const found = await findByNumber(eyes.db, ['5511900000500', '551190000500'])
      expect(found).toBeDefined()
      expect(await maySee(eyes.db, found!.id, users[0]!)).toBe(true)
      expect(await loadContacts(eyes.db, [found!.id])).toHaveLength(1)
    })
    expect(read(plans, 'contacts')).toBeLessThanOrEqual(5)
  })
})

describe('evaluations are read as far as they are shown', () => {
  const ratings = (query: object = {}, profile: Actor['profile'] = 'admin') =>
    listRated(
      {
        db: eyes.db,
        tenantId,
        user: actor(profile),
        settings: settings(['showClosedForAll']),
        now: new Date(),
      } as ReadCtx & {
        user: Actor
      },
      evaluations.list.query.parse(query),
    )

  test.each<[string, () => ReturnType<typeof ratings>]>([
    ['by cursor', async () => ratings({ cursor: (await ratings()).nextCursor })],
    ['of a day', () => ratings({ from: '2026-01-10', to: '2026-01-10' })],
    ['of a rare name', () => ratings({ searchParam: 'conceicao 00001203' })],
    [
      'of a name that everybody has',
      async () => ratings({ searchParam: 'souza', cursor: (await ratings()).nextCursor }),
    ],
  ])('%s', async (_, work) => {
    // The first page counts up to ten thousand; what is asked here is the page that follows, or few.
    let rows = 0
    const plans = await eyes.plansOf(async () => {
      rows = (await work()).ticketEvaluations.length
    })
    expect(rows).toBeGreaterThan(0)
    expect(read(plans.slice(-1), 'ticket_evaluations')).toBeLessThanOrEqual(2000)
    for (const table of ['tickets', 'contacts'])
      expect([table, Number.isFinite(read(plans.slice(-1), table))]).toEqual([table, true])
  })

  test('the first page counts no further than ten thousand', async () => {
    const plans = await eyes.plansOf(async () => {
      expect(await ratings()).toMatchObject({ count: 10_000, countIsCapped: true })
    })
    expect(read(plans, 'ticket_evaluations')).toBeLessThanOrEqual(10_001)
  })

  test('what a customer may answer, and what is due', async () => {
    const { rows } = await owner.query<{ connection_id: string; conversation_key: string }>(
      `select connection_id, conversation_key from ticket_evaluations where tenant_id = $1 and status = 'asked' limit 1`,
      [tenantId],
    )
    const conversation = { connectionId: Number(rows[0]!.connection_id), spellings: [rows[0]!.conversation_key] }
    const standing = await eyes.plansOf(async () => {
      const found = await findPendingSurveys(eyes.tx, [conversation])
      expect(found).toHaveLength(1)
      expect(await lockPendingSurveys(eyes.tx, [found[0]!.id])).toEqual([])
    })
    expect(read(standing, 'ticket_evaluations')).toBeLessThanOrEqual(5)
    const due = await eyes.plansOf(async () => expect(await findDue(eyes.tx, new Date(), 50)).not.toEqual([]))
    expect(read(due, 'ticket_evaluations')).toBeLessThanOrEqual(10)
  })
})

describe('a figure of the panel reads what it counts', () => {
  test('live tickets by their own index, closed ones from today on', async () => {
    const ctx = {
      user: actor('admin'),
      settings: settings(),
      now: new Date(Date.UTC(2026, 0, 1) + (CROWD - 1000) * 60_000),
    } as Parameters<typeof inList>[0]
    for (const showAll of [true, false]) {
      const of = (figure: FigureList) => inList(ctx, { ...figure, showAll })
      const { open, pending, waiting } = figuresOf(false)
      const live = await eyes.plansOf(() =>
        countEach(eyes.db, { open: of(open), pending: of(pending), waiting: of(waiting) }),
      )
      // Open and pending ones once by themselves, and once for who waits.
      expect(read(live, 'tickets')).toBeLessThanOrEqual((2 * CROWD) / 10 + 3)
      for (const by of COLUMNS_BY) {
        const columns = await eyes.plansOf(() => countBy(eyes.db, by, of(figuresOf(false).live)))
        expect(columns).toHaveLength(1)
        expect(read(columns, 'tickets')).toBeLessThanOrEqual(CROWD / 10 + 1)
      }
    }
    await owner.query("update tickets set closed_at = last_message_at where tenant_id = $1 and status = 'closed'", [
      tenantId,
    ])
    await owner.query('analyze tickets')
    const closed = await eyes.plansOf(() =>
      countEach(eyes.db, { closedToday: inList(ctx, { ...figuresOf(true).closedToday, showAll: true }) }),
    )
    expect(read(closed, 'tickets')).toBeGreaterThan(0)
    expect(read(closed, 'tickets')).toBeLessThanOrEqual(2000)
  })
})

describe('who leaves, and a queue that goes, read what was theirs', () => {
  const idOf = async (column: 'user_id' | 'queue_id'): Promise<number> => {
    const { rows } = await owner.query<{ id: string }>(
      `select ${column} as id from tickets where tenant_id = $1 and ${column} is not null limit 1`,
      [tenantId],
    )
    return Number(rows[0]!.id)
  }

  test.each(['user_id', 'queue_id'] as const)('active tickets by %s', async (column) => {
    const id = await idOf(column)
    const plans = await eyes.plansOf(() => (column === 'user_id' ? activeOfUser : activeOfQueue)(eyes.tx, id))
    expect(read(plans, 'tickets')).toBeGreaterThan(0)
    expect(read(plans, 'tickets')).toBeLessThan(CROWD)
  })

  test('all tickets of a queue, and all that somebody had', async () => {
    const queue = await idOf('queue_id')
    const moved = await eyes.plansOf(() => moveQueueOf(eyes.tx, queue, queue, { by: null, now: new Date() }))
    expect(read(moved, 'tickets')).toBeLessThan(CROWD)
    const left = await eyes.plansOf(() => forgetPerson(eyes.tx, users[0]!, users[1]!, new Date()))
    for (const table of ['messages', 'contact_wallets'])
      expect([table, Number.isFinite(read(left, table))]).toEqual([table, true])
    expect(read(left, 'messages')).toBeLessThan(1000)
  })
})
