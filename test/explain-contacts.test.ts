import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localTime } from '#domain/calendar/local-time.ts'
import { birthdaysFrom } from '#domain/contacts/birthdays.ts'
import { countOfBirthdays, pageOfBirthdays } from '#features/birthdays/server/queries.ts'
import { contacts } from '#features/contacts/contract.ts'
import { listContacts } from '#features/contacts/server/list.ts'
import { loadContacts } from '#features/contacts/server/queries.ts'
import { listChanges } from '#features/contacts/server/queries-changes.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import { actorOf, explainingDatabase, settingsWith } from './explaining.ts'
import { createDatabase, testSecrets } from './server.ts'
import { breadth } from './setup/breadth.ts'

const CROWD = breadth(40_000, 100_000)
/** Returns how many rows of a page match a filter that one in `every` contacts matches. */
const oneIn = (every: number) => Math.min(40, Math.floor(CROWD / every))
let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>
let tenantId: number
const fields: Record<string, number> = {}

/** Many contacts, each with a value in every field of the company's own. */
beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const one = async (sql: string, values: unknown[]) =>
    Number((await owner.query<{ id: string }>(sql, values)).rows[0]!.id)
  tenantId = await one("insert into tenants (name) values ('Grande') returning id", [])
  const stage = await one(
    "insert into stages (tenant_id, name, color, position) values ($1, 'Rara', '#3874B6', 1) returning id",
    [tenantId],
  )
  await owner.query(
    `insert into contacts (tenant_id, name, number, blocked, chatbot_blocked, is_group, kanban, kanban_order, birthday_date)
     select $1, 'Cliente ' || lpad(n::text, 6, '0'), '55119' || lpad(n::text, 8, '0'), n % 5000 = 0, n % 4000 = 0, n % 3000 = 0,
       case when n % 2000 = 0 then $2::bigint end, case when n % 2000 = 0 then 'a' || lpad(n::text, 8, '0') end,
       (date '1980-01-01' + n % 3650)::text
     from generate_series(1, ${CROWD}) n`,
    [tenantId, stage],
  )
  for (const [index, [name, type, value]] of [
    ['common', 'choice', "case when id % 1000 = 0 then 'Raro' else 'Comum' end"],
    ['number', 'number', 'id::text'],
    ['day', 'date', "(date '2000-01-01' + (id % 9000)::int)::text"],
    ['text', 'text', "'Cidade ' || id"],
    ['yes', 'boolean', "case when id % 2 = 0 then 'true' else 'false' end"],
  ].entries()) {
    const id = await one(
      `insert into contact_fields (tenant_id, name, type, options, position, created_at, updated_at)
       values ($1, $2, $3, E'Raro\\nComum', $4, now(), now()) returning id`,
      [tenantId, name, type, index + 1],
    )
    fields[name as string] = id
    await owner.query(
      `insert into contact_field_values (tenant_id, contact_id, field_id, value, number)
       select tenant_id, id, $2, ${value}, case when $3 = 'number' then id end from contacts where tenant_id = $1`,
      [tenantId, id, type],
    )
  }
  await owner.query(
    `insert into contact_changes (tenant_id, contact_id, field, before, after, created_at)
     select tenant_id, id, 'name', 'a', 'b', now() from contacts where tenant_id = $1`,
    [tenantId],
  )
  await owner.query('analyze')
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
}, 240_000)

afterAll(async () => {
  await eyes?.close()
  await owner.end()
})

const list = (query: object) =>
  listContacts(
    {
      db: eyes.db,
      tenantId,
      user: actorOf(tenantId, 1),
      settings: settingsWith([]),
      now: new Date(),
    } as ReadCtx & { user: Actor },
    contacts.list.query.parse(query),
  )

const by = (name: string, asked: string) => ({ field: [`${fields[name]}:${asked}`] })

test.each<[string, () => object, rows: number, most: number]>([
  ['a rare choice', () => by('common', 'Raro'), 40, 1000],
  ['a common choice', () => by('common', 'Comum'), 40, 1100],
  ['yes', () => by('yes', 'true'), 40, 2500],
  ['a few numbers', () => by('number', '1000..1010'), 11, 100],
  ['most numbers', () => by('number', '50..'), 40, 1100],
  ['one day', () => by('day', '2010-01-01..2010-01-01'), Math.floor((CROWD - 3653) / 9000) + 1, 100],
  ['the beginning of a text', () => by('text', 'cidade 3999'), 11, 100],
  ['a rare and a common one', () => ({ field: [by('common', 'Raro').field[0], by('yes', 'true').field[0]] }), 40, 1200],
  ['a stage', () => ({ kanban: 1 }), oneIn(2000), 1000],
  ['blocked ones', () => ({ blocked: 'true' }), oneIn(5000), 1000],
  ['ones without chat flows', () => ({ chatbotBlocked: 'true' }), oneIn(4000), 1000],
  ['groups', () => ({ isGroup: 'true' }), oneIn(3000), 1000],
  ['who is not blocked', () => ({ blocked: 'false' }), 40, 1100],
])('%s of many contacts', async (_, query, rows, most) => {
  let found = 0
  const plans = await eyes.plansOf(async () => {
    found = (await list(query())).contacts.length
  })
  expect(found).toBe(rows)
  // No more than what is counted up to a thousand and one, however many there are.
  for (const table of ['contacts', 'contact_field_values'])
    expect([table, Math.max(0, ...plans.map(({ read }) => read.get(table) ?? 0))]).toEqual([
      table,
      expect.toSatisfy((read: number) => read <= Math.max(most, 1100)),
    ])
  for (const { buffers } of plans) expect(buffers).toBeLessThanOrEqual((12 * CROWD) / 100)
})

test('what a page shows, and what became of one, are looked up by ids', async () => {
  const plans = await eyes.plansOf(async () => {
    await loadContacts(eyes.db, [5, 6, 7])
    expect(await listChanges(eyes.db, 5, { before: null, offset: 0, limit: 41 })).toHaveLength(1)
  })
  for (const table of ['contacts', 'contact_field_values', 'contact_changes'])
    expect(Math.max(0, ...plans.map(({ read }) => read.get(table) ?? 0))).toBeLessThanOrEqual(20)
})

test('the own variables of a contact are its few values', async () => {
  const plans = await eyes.plansOf(() => ownVariablesOf(eyes.db, [5]))
  for (const { read } of plans) expect(read.get('contact_field_values') ?? 0).toBeLessThanOrEqual(10)
})

test('who has a birthday in a month is read by day, and no one else', async () => {
  const days = birthdaysFrom(localTime(Date.UTC(2026, 5, 10, 15), -180), 'month')
  let counted = 0
  const plans = await eyes.plansOf(async () => {
    await pageOfBirthdays(eyes.db, days, { onlyFor: null, after: null, offset: 0, limit: 41 })
    counted = await countOfBirthdays(eyes.db, days, null)
  })
  expect(counted).toBeGreaterThan(CROWD / 20)
  for (const { read } of plans) expect(read.get('contacts') ?? 0).toBeLessThan(counted + 1)
})
