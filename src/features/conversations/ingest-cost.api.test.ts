import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ingestIdle, receive } from './server/index.ts'
import { setLastStatus } from './server/ingest/receipt-queries.ts'

const product = withProduct()
let to: { tenantId: number; connectionId: number }

beforeAll(async () => {
  const m = make(product().platform)
  testChannel(product().platform)
  const tenantId = await m.tenant()
  to = { tenantId, connectionId: await m.connection(tenantId, { type: 'test' }) }
})

const people = Array.from({ length: 20 }, (_, n) => `pessoa-${n}`)

async function ingest(froms: readonly string[]): Promise<string[][]> {
  return roundTripsOf(async () => {
    await Promise.all(froms.map((from) => receive(product().platform, to, [textEvent({ from, body: 'Oi' })])))
    await ingestIdle(product().platform)
  })
}

it('a message in a known conversation takes six round trips with its place in the journal', async () => {
  await ingest(people)
  const trips = await ingest(people.slice(0, 1))
  expect(trips.map((trip) => trip.map((text) => /^[a-z]+/.exec(text)![0]))).toEqual([
    ['insert'], // the journal
    ['begin'],
    ['with'], // taken, with its connection
    ['select', 'select', 'select'], // known messages, contacts, tickets, held
    ['insert', 'update', 'update'], // messages, tickets, what was scheduled for silence
    ['select', 'commit'], // the changes feed
  ])
})

it('messages that arrive at one moment are one append and one transaction', async () => {
  const asked = (await ingest(people)).flat()
  expect(asked.filter((text) => text.startsWith('insert into journal'))).toHaveLength(1)
  expect(asked.filter((text) => text === 'commit')).toHaveLength(1)
})

it('ticks and reading write a ticket beside its last version, in no index', async () => {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const counted = async () => {
    const { rows } = await owner.query(
      'select pg_stat_clear_snapshot(), n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = $1',
      ['tickets'],
    )
    return rows[0] as { all: number; hot: number }
  }
  const { platform } = product()
  await owner.query('vacuum tickets')
  const { rows } = await owner.query<{ id: string }>('select id from tickets where tenant_id = $1', [to.tenantId])
  const changes = rows.map(({ id }) => ({ ticketId: Number(id), status: 'read' as const }))
  await owner.query('update tickets set last_message_from_me = true where tenant_id = $1', [to.tenantId])
  const before = await counted()
  for (let round = 0; round < 20; round++) await platform.db.write(to.tenantId, (db) => setLastStatus(db, changes))
  // A session's numbers are told when it ends.
  await owner.query('select pg_stat_force_next_flush()')
  await until(async () => (await counted()).all - before.all >= 20 * rows.length)
  const after = await counted()
  await owner.end()
  expect((after.hot - before.hot) / (after.all - before.all)).toBeGreaterThan(0.8)
})
