import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findGap } from '#features/contacts/server/queries-stage.ts'
import { board } from '#features/kanban/contract.ts'
import { boardReads } from '#features/kanban/server/board.ts'
import { ticketsBehind } from '#features/ledger/server/changes/queries-stage.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { actorOf, explainingDatabase, type Plan, settingsWith } from './explaining.ts'
import { company, withoutForeignKeys } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'
import { breadth } from './setup/breadth.ts'

// A column is counted up to a thousand: the small company has a thousand in each, too.
const SIZES = { small: 4000, large: breadth(16_000, 100_000) }
type Size = keyof typeof SIZES
type Of = { id: number; eyes: Awaited<ReturnType<typeof explainingDatabase>>; stages: number[]; tags: number[] }

let owner: pg.Client
const of = {} as Record<Size, Of>

/**
 * Creates a company whose contacts are in three stages, a quarter in none; one in ten has a live ticket, and every contact a
 * tag.
 */
async function fill(url: string, size: Size): Promise<Of> {
  const id = await company(owner, size)
  const ids = async (sql: string) => (await owner.query<{ id: string }>(sql, [id])).rows.map((row) => Number(row.id))
  const stages = await ids(
    "insert into stages (tenant_id, name, color, position) select $1, 'Etapa ' || n, '#3874B6', n from generate_series(1, 3) n returning id",
  )
  await owner.query(
    `insert into contacts (tenant_id, name, number, kanban, kanban_order)
     select $1, 'Cliente ' || n, '55119' || lpad(n::text, 8, '0'), ($2::bigint[])[n % 4], case when n % 4 > 0 then 'f' || lpad(n::text, 6, '0') end
     from generate_series(1, $3::int) n`,
    [id, stages, SIZES[size]],
  )
  await owner.query(
    `insert into tickets (tenant_id, status, connection_id, contact_id, conversation_key, channel)
     select $1, case when right(c.number, 1) = '0' then 'pending' else 'closed' end, x.id, c.id, c.number, 'lab'
     from contacts c, (select min(id) as id from connections where tenant_id = $1) x where c.tenant_id = $1`,
    [id],
  )
  const tags = await ids('select id from tags where tenant_id = $1 order by id')
  await owner.query(
    'insert into contact_tags (tenant_id, contact_id, tag_id) select $1, id, ($2::bigint[])[1 + id % 4] from contacts where tenant_id = $1',
    [id, tags],
  )
  const { app } = databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
  return { id, eyes: await explainingDatabase(app, id), stages, tags }
}

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await withoutForeignKeys(owner, async () => {
    for (const size of ['small', 'large'] as const) of[size] = await fill(url, size)
  })
}, 240_000)

afterAll(async () => {
  for (const { eyes } of Object.values(of)) await eyes.close()
  await owner.end()
})

const ctxOf = ({ id, eyes }: Of) =>
  ({
    db: eyes.db,
    platform: { secrets: testSecrets, env: {} },
    tenantId: id,
    user: actorOf(id, 1, { profile: 'admin' }),
    settings: settingsWith([]),
    now: new Date(),
  }) as never
const sum = (plans: readonly Plan[]) => plans.reduce((all, { buffers }) => all + buffers, 0)
const reads: readonly (readonly [string, (one: Of) => Promise<unknown>])[] = [
  ['the board', (one) => boardReads.get(ctxOf(one), { query: board.get.query.parse({}) } as never) as Promise<unknown>],
  [
    'the next page of a stage',
    async (one) => {
      const query = { kanban: one.stages[1]! }
      const page = await boardReads.column(ctxOf(one), { query: board.column.query.parse(query) } as never)
      await boardReads.column(ctxOf(one), {
        query: board.column.query.parse({ ...query, cursor: page.nextCursor! }),
      } as never)
    },
  ],
  [
    'single cards',
    (one) =>
      boardReads.cards(ctxOf(one), { query: board.cards.query.parse({ ids: [1, 2] }) } as never) as Promise<unknown>,
  ],
  [
    'the board by tag',
    (one) =>
      boardReads.tags(ctxOf(one), { query: board.tags.query.parse({ tag: one.tags }) } as never) as Promise<unknown>,
  ],
  [
    'the spot for a card',
    async ({ eyes, stages }) => {
      await findGap(eyes.db, stages[0]!, { before: null, moving: [5] })
      await ticketsBehind(eyes.db, [5, 6])
    },
  ],
]

test.each(reads)('%s reads of many contacts what it reads of four thousand', async (_, work) => {
  const small = sum(await of.small.eyes.plansOf(() => work(of.small)))
  const plans = await of.large.eyes.plansOf(() => work(of.large))
  expect(sum(plans)).toBeLessThanOrEqual(1.3 * small + 50)
  for (const { read } of plans)
    for (const table of ['contacts', 'tickets', 'contact_tags']) expect(read.get(table) ?? 0).toBeLessThanOrEqual(1100)
})
