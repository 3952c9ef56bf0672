import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageCursor } from '#features/messages/server/read/page-queries.ts'
import { type Sought, searchMessages } from '#features/messages/server/read/search-queries.ts'
import { ticketsWhere } from '#features/visibility/server/queries-visibility.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { explainingDatabase } from './explaining.ts'
import { company, grow } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'

const AMOUNT = 60_000
let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const tenantId = await company(owner, 'Falante')
  await grow(owner, tenantId, 0, 10)
  const say = (body: string, from: number, to: number) =>
    owner.query(
      `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
       select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, false, 'received',
         $2 || ' ' || n % 20, now() - n * interval '1 minute'
       from (select * from tickets where tenant_id = $1 limit 1) t, generate_series($3::int, $4::int) n`,
      [tenantId, body, from, to],
    )
  await say('O pedido', 1, AMOUNT)
  await say('Feliz natal 🎄🎄🎄', AMOUNT + 1, AMOUNT + 5000)
  await say('O guarda-chuva amarelo', AMOUNT + 5001, AMOUNT + 5001)
  await owner.query('vacuum analyze messages')
  await owner.query('vacuum analyze message_texts')
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
})

afterAll(async () => {
  await eyes.close()
  await owner.end()
})

const everywhere = {
  ticketId: null,
  since: null,
  until: null,
  fromMe: null,
  userId: null,
  kinds: null,
  queuesIds: null,
}
const search = (text: string, change: Partial<Sought> = {}, from: MessageCursor | null = null) =>
  searchMessages(
    eyes.db,
    { ...everywhere, parts: text.split(' '), ...change },
    { visible: ticketsWhere(true), from, most: 31 },
  )

// A walk of 2,000 looks at some 2,100 pages here, one of 20,000 at ten times as many: as much as one request may do.
test.each([
  ['that all have', 'pedido', {}, 31, 1000],
  ['that every twentieth has', 'pedido 7', {}, 31, 1500],
  ['that one has, long ago', 'amarelo', {}, 1, 6000],
  ['that nobody has', 'inexistente', {}, 0, 6000],
  ['that nobody has of letters that all have', 'pedidos', {}, 0, 6000],
  ['that very many had, long ago', 'natal', {}, 0, 45_000],
  ['that no index knows, long ago', '🎄🎄🎄', {}, 0, 26_000],
  ['that all have, of somebody who says nothing', 'pedido', { userId: 1 }, 0, 26_000],
  ['that all have, of a day', 'pedido', { since: new Date(0), until: new Date(1) }, 0, 500],
] as const)('a search of messages by a word %s looks at few pages', async (_, text, change, amount, most) => {
  let hits: Awaited<ReturnType<typeof search>> = []
  const [plan] = await eyes.plansOf(async () => {
    hits = await search(text, change)
  })
  expect(hits.filter(({ visible }) => visible)).toHaveLength(amount)
  expect(plan!.buffers).toBeLessThan(most)
})

test.each(['natal', '🎄🎄🎄'])(
  'a search that ends before everything was looked at goes on from there: %s',
  async (text) => {
    let from: MessageCursor | null = null
    for (let page = 0; page < 3; page++) {
      const hits = await search(text, {}, from)
      expect(hits).toEqual([expect.objectContaining({ isHit: false, visible: false })])
      from = { timestamp: hits[0]!.timestamp.toISOString(), seq: hits[0]!.seq }
    }
    const hits = await search(text, {}, from)
    expect(hits.filter(({ visible }) => visible)).toHaveLength(31)
  },
)
