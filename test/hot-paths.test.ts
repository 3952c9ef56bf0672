import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { make } from './make.ts'
import { testChannel, textEvent } from './peers/channel.ts'
import { roundTripsOf, whenQuiet } from './round-trips.ts'
import { call, ownProduct } from './server.ts'

// The operations that agents wait for all day: the list, an open conversation, an arriving message. A change that adds a
// lookup raises a number here, which shows in its diff.

// One client each, so that what its database has counted can be asked of it.
const product = ownProduct('counts rows that are read', { env: { DB_POOL: 1 } })
// More than a page has.
const TICKETS = 40
const MESSAGES = 35

let tenantId: number
let connectionId: number
let agent: string
let opened: number

beforeAll(async () => {
  const { platform, ownerUrl } = product()
  testChannel(platform)
  const m = make(platform)
  tenantId = await m.tenant()
  const queue = await m.queue(tenantId)
  const user = await m.user(tenantId, { queues: [queue] })
  agent = await m.token(user)
  connectionId = await m.connection(tenantId, { type: 'test' })
  for (let n = 0; n < TICKETS; n++) {
    const contact_id = await m.contact(tenantId)
    const of = { queue_id: queue, user_id: user.id, connection_id: connectionId, conversation_key: `pessoa-${n}` }
    opened = await m.ticket(tenantId, { ...of, contact_id, channel: 'test', status: 'open' })
    for (let said = 0; said < (n === TICKETS - 1 ? MESSAGES : 2); said++) await m.message(tenantId, opened)
  }
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('vacuum analyze')
  await owner.end()
})

/** Rows of tables that the product has read so far, by index or one after the other. */
async function rowsRead(): Promise<number> {
  const { db } = product().platform
  const flush = sql`select pg_stat_force_next_flush()`
  await db.read(tenantId, (queries) => flush.execute(queries))
  return db.askAsPlatform(async (queries) => {
    await flush.execute(queries)
    const { rows } = await sql<{ n: number }>`select sum(seq_tup_read + idx_tup_fetch)::float8 as n
      from pg_stat_user_tables where schemaname = 'public'`.execute(queries)
    return rows[0]!.n
  })
}

const arrives = async () => {
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from: 'pessoa-1', body: 'Oi' })])
  await ingestIdle(product().platform)
}
const list = async () => expect((await call(product(), tickets.list, agent)).status).toBe(200)
const open = async () =>
  expect((await call(product(), messages.list, agent, { params: { ticketId: opened } })).status).toBe(200)

it.each([
  { path: 'the list of tickets', walk: list, statements: 1, roundTrips: 1, rows: 83 },
  { path: 'an opened conversation', walk: open, statements: 1, roundTrips: 1, rows: 467 },
  // Grows by a row or two with each earlier message.
  { path: 'a message that arrives', walk: arrives, statements: 10, roundTrips: 2, rows: 460 },
])('$path asks no more of the database than it did', ({ walk, ...allowed }) =>
  whenQuiet(async () => {
    // Cached values are not queried again: users, settings, the connection's channel.
    await walk()
    const before = await rowsRead()
    const trips = await roundTripsOf(product(), walk)
    const rows = (await rowsRead()) - before
    expect({ statements: trips.flat().length, roundTrips: trips.length }, trips.flat().join('\n')).toEqual({
      statements: allowed.statements,
      roundTrips: allowed.roundTrips,
    })
    expect(rows).toBeLessThanOrEqual(allowed.rows)
  })(),
)

// Statements are cached per reader, as long as their visibility is the same.
it('whose right is taken while a conversation is open reads it no more, nor finds it in the list', async () => {
  const m = make(product().platform)
  const company = await m.tenant()
  const queue = await m.queue(company)
  const admin = await m.token(await m.user(company, { profile: 'admin' }))
  const person = await m.user(company, { queues: [queue] })
  const token = await m.token(person)
  const ticketId = await m.ticket(company, { queue_id: queue, status: 'pending', user_id: null })
  await m.message(company, ticketId, { body: 'Segredo' })
  const read = async () => {
    const { status, body } = await call(product(), messages.list, token, { params: { ticketId } })
    const listed = await call(product(), tickets.list, token)
    return {
      status,
      isRead: JSON.stringify(body).includes('Segredo'),
      listed: JSON.stringify(listed.body).includes(`"id":${ticketId},`),
    }
  }
  expect([await read(), await read()]).toEqual(Array(2).fill({ status: 200, isRead: true, listed: true }))
  const change = (queueIds: number[]) =>
    call(product(), users.update, admin, { params: { id: person.id }, body: { queueIds } })
  expect((await change([])).status).toBe(200)
  expect(await read()).toEqual({ status: 404, isRead: false, listed: false })
  await change([queue])
  expect(await read()).toEqual({ status: 200, isRead: true, listed: true })
})
