import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchMessages } from '#features/conversations/server/messages/queries.ts'
import { ticketsWhere } from '#features/conversations/server/tickets/queries-visibility.ts'
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
  await owner.query('vacuum analyze messages')
  await say('O guarda-chuva amarelo', AMOUNT + 1, AMOUNT + 1)
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
})

afterAll(async () => {
  await eyes.close()
  await owner.end()
})

// Of a word that it does not know the planner believes that half as many messages have it as have the rarest that it
// knows, and that walking back in time would soon find enough of them.
test.each([
  ['that all have', 'pedido', 31, 1000],
  ['that every twentieth has', '7', 31, 1000],
  ['that one has, long ago', 'amarelo', 1, 1000],
  ['that nobody has', 'inexistente', 0, 1000],
])('a search of messages by a word %s looks at few pages', async (_, term, amount, most) => {
  let hits: unknown[] = []
  const [plan] = await eyes.plansOf(async () => {
    const visible = ticketsWhere(true)
    hits = await searchMessages(eyes.db, { term, ticketId: null, visible, from: null, most: 31 })
  })
  expect(hits).toHaveLength(amount)
  expect(plan!.buffers).toBeLessThan(most)
})
