import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { CHANGES, changeInstallation } from '#server/db/installation.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Change } from '#server/realtime/audience.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make } from '#test/make.ts'
import { receiptEvent, testChannel, textEvent } from '#test/peers/channel.ts'
import { roundTripsOf, transactionsOf, whenQuiet } from '#test/round-trips.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ingestIdle, wakeIngest } from './server/ingest/ingest.ts'
import { receive } from './server/ingest/journal.ts'
import { appendWithin, recordEntries, takeEntries } from './server/journal/journal-queries.ts'
import { setLastStatus } from './server/outbox/receipt-queries.ts'
import { insertMessages } from './server/ticket/queries.ts'

const product = ownProduct('counts what the database is asked')
let to: { tenantId: number; connectionId: number }

beforeAll(async () => {
  const m = make(product().platform)
  testChannel(product().platform)
  const tenantId = await m.tenant()
  to = { tenantId, connectionId: await m.connection(tenantId, { type: 'test' }) }
})

const people = Array.from({ length: 20 }, (_, n) => `pessoa-${n}`)

async function ingest(froms: readonly string[]): Promise<string[][]> {
  return roundTripsOf(product(), async () => {
    await Promise.all(froms.map((from) => receive(product().platform, to, [textEvent({ from, body: 'Oi' })])))
    await ingestIdle(product().platform)
  })
}

const wordsOf = (trips: readonly (readonly string[])[]) =>
  trips
    // The query of every five seconds has its own begin and commit.
    .filter((trip) => trip.length > 1 || !/^(begin|commit|select t\.id as tenant_id)/.test(trip[0]!))
    // The number of waiting events is counted once a second, and a connection's tenant is set once.
    .filter(([first]) => !/^select (count\(\*\)|set_config)/.test(first!))
    .map((trip) => trip.map((text) => /^[a-z]+/.exec(text)![0]))

async function nothingIsDue(): Promise<void> {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  await until(async () => (await owner.query('select from graphile_worker._private_jobs')).rowCount === 0)
  await owner.end()
}

it(
  'a message in a known conversation takes two round trips, and one commit',
  whenQuiet(async () => {
    await ingest(people)
    expect(wordsOf(await ingest(people.slice(0, 1)))).toEqual([
      ['begin', 'with', 'select', 'select', 'select', 'select'], // recorded, with its connection; known messages, contacts, tickets, locked, schedules
      ['insert', 'update', 'select', 'commit'], // messages, tickets, the changes feed
    ])
  }),
)

it(
  'the words of twenty people in a flow cost as many statements as those of one; a first one takes twelve round trips',
  whenQuiet(async () => {
    const { platform } = product()
    const m = make(platform)
    const node = (id: string, next: string) => ({
      ...{ id, type: 'node', interactions: [{ id: 'm', type: 'MessageField', data: { message: 'Certo' } }] },
      conditions: [{ type: 'US', action: 0, nextStepId: next }],
    })
    const definition = JSON.stringify({
      nodeList: [node('a', 'b'), node('b', 'a')],
      lineList: [{ from: 'start', to: 'a' }],
    })
    const chatFlowId = await m.insert('chat_flows', to.tenantId, { name: 'Anel', definition })
    await platform.db.asPlatform((db) =>
      db
        .insertInto('chat_flow_versions')
        .values({ tenant_id: to.tenantId, chat_flow_id: chatFlowId, version: 1, definition })
        .execute(),
    )
    const connectionId = await m.connection(to.tenantId, { type: 'test', chat_flow_id: chatFlowId })
    const receiveOf = async (froms: readonly string[]) => {
      const events = froms.map((from) => textEvent({ from, body: 'Oi' }))
      await receive(platform, { tenantId: to.tenantId, connectionId }, events)
      await ingestIdle(platform)
    }
    const say = (froms: readonly string[]) => roundTripsOf(product(), () => receiveOf(froms))
    const froms = people.map((from) => `fluxo-${from}`)
    await say(froms)
    // The queries for sending the answers are separate.
    const of = (trips: readonly (readonly string[])[]) =>
      trips
        .flat()
        .filter((text) => /flow_(sessions|events|steps)|into messages|add_job|chat_flow_node|template_con/.test(text))
    expect(of(await say(froms))).toHaveLength(of(await say(froms.slice(0, 1))).length)

    // A stranger's first word: lookups, contact, ratings, ticket, message, schedules (two), flows, flow position, the
    // flow's beginning, its step and answer, commit.
    const made = await transactionsOf(product(), () => receiveOf(['fluxo-ana']))
    const [first] = made.filter((trips) => trips.flat().some((text) => text.includes('into contacts')))
    expect(first).toHaveLength(12)
  }),
)

it('a message that quotes nothing looks for no other message', async () => {
  await ingest(['cited'])
  const looked = await product().platform.db.write(to.tenantId, async (db) => {
    const one = await db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_key', '=', 'cited')
      .executeTakeFirstOrThrow()
    const looks = async () =>
      (
        await sql<{
          n: number
        }>`select (seq_scan + idx_scan)::int as n from pg_stat_xact_user_tables where relname = 'messages'`.execute(db)
      ).rows[0]!.n
    const at = {
      ticketId: one.ticket_id,
      contactId: one.contact_id,
      connectionId: one.connection_id,
      conversationKey: 'cited',
    }
    const nothing = {
      idFront: null,
      userId: null,
      fileId: null,
      data: null,
      sender: null,
      mentions: null,
      quotedId: null,
    }
    const text = {
      mediaType: 'text',
      body: 'Oi',
      status: 'received',
      sendType: 'chat',
      isLate: false,
      isNote: false,
    } as const
    const insert = async (providerId: string, quotedProviderId: string | null) => {
      const before = await looks()
      const when = { seq: null, timestamp: Date.now(), sendAt: null, schedule: null }
      const row = { ...at, ...nothing, ...text, ...when, id: uuidv7(), fromMe: false, providerId, quotedProviderId }
      const [stored] = await insertMessages(db, [row])
      return { looks: (await looks()) - before, quoted: stored?.quoted_id }
    }
    return { plain: await insert('plain', null), quoting: await insert('quoting', one.provider_id), id: one.id }
  })
  expect(looked.plain.quoted).toBeNull()
  // One look-up to find it, one for the reference to it.
  expect(looked.quoting).toEqual({ looks: looked.plain.looks + 2, quoted: looked.id })
})

it(
  'what an agent writes takes three round trips, with what sends it and tells of it',
  whenQuiet(async () => {
    const { platform } = product()
    const m = make(platform)
    const user = await m.user(to.tenantId, { profile: 'admin' })
    const contact = { connection_id: to.connectionId, conversation_key: uuidv7(), status: 'open', user_id: user.id }
    const ticketId = await m.ticket(to.tenantId, contact)
    const token = await m.token(user)
    const send = (n: number) =>
      call(product(), messages.send, token, {
        params: { ticketId },
        body: { idFront: `front-of-${ticketId}-${n}`, body: `Bom dia ${n}`, isNote: false },
      })
    // Warm-up: the user is cached, and the job of the first message is done.
    await send(1)
    await nothingIsDue()
    const trips = await roundTripsOf(product(), () => send(2))
    expect(wordsOf(trips).slice(0, 3)).toEqual([
      ['begin', 'select', 'with'], // the ticket, locked; whether it was sent before
      ['insert', 'update', 'insert', 'with'], // message, ticket, trail; publication and response
      ['select', 'select', 'commit'], // the job, the changes feed
    ])
  }),
)

it(
  'what is looked for beside a message while that is sent is recorded before it is processed',
  whenQuiet(async () => {
    await ingest(people)
    const receipt = receiptEvent(people[0]!, uuidv7(), 'read')
    const trips = await roundTripsOf(product(), async () => {
      await receive(product().platform, to, [receipt])
      await ingestIdle(product().platform)
    })
    expect(wordsOf(trips).slice(0, 2)).toEqual([['insert'], ['begin', 'with']])
  }),
)

it('outside of a transaction nothing is taken: it is asked before one is known to have begun', async () => {
  const take = (db: Queryable) => takeEntries(db as Tx, to.tenantId, 50)
  expect(await product().platform.db.write(to.tenantId, take)).toEqual({ entries: [], taken: 0 })
  expect(await product().platform.db.read(to.tenantId, take)).toBeNull()
  const record = (db: Queryable) => recordEntries(db as Tx, to.tenantId, [])
  expect(await product().platform.db.write(to.tenantId, record)).toEqual([])
  expect(await product().platform.db.read(to.tenantId, record)).toBeNull()
})

it(
  'messages that arrive at one moment are one transaction',
  whenQuiet(async () => {
    const asked = (await ingest(people)).flat()
    expect(asked.filter((text) => text.startsWith('insert into journal'))).toHaveLength(0)
    expect(asked.filter((text) => text === 'commit')).toHaveLength(1)
  }),
)

it('an event is written once where it waits and once where it is kept, and changed nowhere', async () => {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const counted = async () => {
    await owner.query('select pg_stat_force_next_flush()')
    const { rows } = await owner.query<{ name: string; written: number; changed: number }>(
      `select pg_stat_clear_snapshot(), relname as name, n_tup_ins::int as written, n_tup_upd::int as changed
       from pg_stat_user_tables where relname in ('journal', 'journal_processed') order by relname`,
    )
    return rows
  }
  const bytes = async () => {
    await owner.query('vacuum journal, journal_processed')
    const { rows } = await owner.query<{ n: number }>(
      "select pg_total_relation_size('journal')::int + pg_total_relation_size('journal_processed')::int as n",
    )
    return rows[0]!.n
  }
  const [before, small] = [await counted(), await bytes()]
  // Other tests have written longer ones before.
  const { rows: earlier } = await owner.query<{ last: string }>('select max(seq) as last from journal_processed')
  for (let round = 0; round < 20; round++) await ingest(people)
  await until(async () => (await counted())[1]!.written - before[1]!.written >= 400)
  const after = await counted()
  expect(after.map(({ changed }) => changed)).toEqual([0, 0])
  const { rows } = await owner.query<{ size: number; waiting: number }>(
    `select avg(pg_column_size(p.*))::int as size, (select count(*)::int from journal) as waiting
     from journal_processed p where seq > $1`,
    [earlier[0]!.last],
  )
  expect(rows[0]!.waiting).toBe(0)
  const { size } = rows[0]!
  // “Oi” with its author and time, its key once.
  expect(size).toBeLessThan(380)
  // Little more than two versions of the row, its places in indexes included.
  expect(((await bytes()) - small) / 400).toBeLessThan(size * 2.2)
  await owner.end()
})

it('what a message records in the changes feed is a few hundred bytes, and read as it was told', async () => {
  const { platform, ownerUrl } = product()
  await ingest(people)
  const told: Change[] = []
  const unsubscribe = platform.bus.subscribe((_, changes) => told.push(...changes.filter(({ seq }) => seq !== null)))
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const body = 'Bom dia! Gostaria de saber se o pedido já saiu para entrega, por favor.'
  await owner.query('vacuum full changes')
  const bytes = async () => Number((await owner.query("select pg_total_relation_size('changes') as n")).rows[0].n)
  const before = await bytes()
  for (let round = 0; round < 20; round++) {
    await Promise.all(people.map((from) => receive(platform, to, [textEvent({ from, body: `${body} ${round}` })])))
    await ingestIdle(platform)
  }
  await until(() => told.length >= 400)
  unsubscribe()
  expect(((await bytes()) - before) / 400).toBeLessThan(540)
  await owner.end()
  const first = told[0]!.seq! - 1
  const read = await platform.db.read(to.tenantId, (db) => readChanges(db, first, told.at(-1)!.seq!, 1000))
  expect(read).toEqual(
    told.map(({ seq, channel, type, payload, audience }) =>
      JSON.parse(JSON.stringify({ seq, channel, type, payload, audience })),
    ),
  )
})

it('where a release of before may read it, the changes feed is written in its form; what is packed reaches nobody there', async () => {
  const { platform } = product()
  const recorded = async (form: object | null) => {
    await platform.db.asPlatform((db) => changeInstallation(db, CHANGES, form))
    platform.installation.clear()
    await ingest(people.slice(0, 1))
    return platform.db.read(to.tenantId, async (db) => {
      const row = await db.selectFrom('changes').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()
      return { row, read: (await readChanges(db, row.seq - 1, row.seq, 1))[0]! }
    })
  }
  const plain = await recorded(null)
  const packed = await recorded({ packed: true })
  expect(plain.row).toMatchObject({ payload: plain.read.payload, audience: { kind: 'ticket' }, packed: null })
  expect(packed.row).toMatchObject({ payload: {}, audience: {}, packed: expect.any(Buffer) })
  const fields = ({ read }: typeof plain) => Object.keys((read.payload as { message: object }).message).sort()
  expect(fields(packed)).toEqual(fields(plain))
})

it('ticks and reading write a ticket beside its last version, in no index', async () => {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  const { rows } = await owner.query<{ id: string }>('select id from tickets where tenant_id = $1', [to.tenantId])
  await owner.query('update tickets set last_message_from_me = true where tenant_id = $1', [to.tenantId])
  const changes = rows.map(({ id }) => ({ ticketId: Number(id), status: 'read' as const }))
  // Unreported statistics of this connection, so that others' work does not count.
  const counted = async (db: Tx) =>
    (
      await sql<{ all: number; hot: number }>`
        select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables where relname = 'tickets'`.execute(
        db,
      )
    ).rows[0]!
  const share = async () => {
    await owner.query('vacuum tickets')
    const total = { all: 0, hot: 0 }
    for (let round = 0; round < 20; round++)
      await product().platform.db.write(to.tenantId, async (db) => {
        const before = await counted(db)
        await setLastStatus(db, changes)
        const after = await counted(db)
        total.all += after.all - before.all
        total.hot += after.hot - before.hot
      })
    expect(total.all).toBe(20 * rows.length)
    return total.hot / total.all
  }
  // Rows still visible to a concurrent transaction cannot be reused: then it is retried.
  await until(async () => (await share()) > 0.8)
})

it('a repeat that slipped in while the first was being processed is dropped, and what waits behind it is not left', async () => {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const counted = async () => {
    const { rows } = await owner.query<{ waiting: number; kept: number; messages: number }>(
      `select (select count(*)::int from journal) as waiting, (select count(*)::int from journal_processed) as kept,
        (select count(*)::int from messages) as messages`,
    )
    return rows[0]!
  }
  await ingest(people)
  const before = await counted()
  // One batch and one more event; the oldest repeats a processed one.
  await owner.query(
    `insert into journal (tenant_id, id, connection_id, dedupe_key, payload, received_at)
     select tenant_id, gen_random_uuid(), connection_id, dedupe_key, payload, app.now() from (
       (select * from journal_processed order by seq limit 1) union all
       (select p.tenant_id, p.id, p.seq, p.connection_id, 'behind ' || n,
          jsonb_set(p.payload, '{message,providerId}', to_jsonb('behind ' || n)), p.received_at, p.processed_at, null
        from generate_series(1, 50) n, (select * from journal_processed order by seq limit 1) p)) events`,
  )
  wakeIngest(product().platform, to.tenantId)
  await ingestIdle(product().platform)
  expect(await counted()).toEqual({ waiting: 0, kept: before.kept + 50, messages: before.messages + 50 })
  await owner.end()
})

describe('a message that comes', () => {
  const bodiesOf = (from: string) =>
    product().platform.db.read(to.tenantId, async (db) =>
      (
        await db.selectFrom('messages').select('body').where('conversation_key', '=', from).orderBy('seq').execute()
      ).map(({ body }) => body),
    )
  const waiting = () =>
    product().platform.db.read(to.tenantId, (db) =>
      db.selectFrom('journal').select('dedupe_key').where('processed_at', 'is', null).execute(),
    )
  const speak = (from: string, body: string) => receive(product().platform, to, [textEvent({ from, body })])

  it('while its ticket is held is taken all the same, waits, and is stored once', async () => {
    const from = 'held'
    await ingest([from])
    const [locked, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = product().platform.db.write(to.tenantId, async (db) => {
      await sql`select from tickets where conversation_key = ${from} for update`.execute(db)
      locked.resolve()
      await holding.promise
    })
    await locked.promise
    await speak(from, 'um')
    expect(await waiting()).toHaveLength(1)
    await speak(from, 'dois')
    holding.resolve()
    await held
    await until(async () => (await waiting()).length === 0)
    expect(await bodiesOf(from)).toEqual(['Oi', 'um', 'dois'])
  })

  it('while others wait stands behind them', async () => {
    const from = 'behind'
    await ingest([from])
    const row = { id: uuidv7(), connectionId: to.connectionId, dedupeKey: 'earlier' }
    await product().platform.db.write(to.tenantId, (db) =>
      appendWithin(db, to.tenantId, [{ ...row, payload: textEvent({ from, body: 'um' }) }]),
    )
    await speak(from, 'dois')
    await ingestIdle(product().platform)
    expect(await bodiesOf(from)).toEqual(['Oi', 'um', 'dois'])
  })

  it('and was put aside before is not taken again', async () => {
    const [from, event] = ['aside', textEvent({ from: 'aside', body: 'um' })]
    await ingest([from])
    const row = { id: uuidv7(), connectionId: to.connectionId, dedupeKey: event.dedupeKey, payload: event }
    await product().platform.db.write(to.tenantId, async (db) => {
      await appendWithin(db, to.tenantId, [row])
      await sql`update journal set processed_at = app.now(), set_aside_at = app.now() where id = ${row.id}`.execute(db)
    })
    await receive(product().platform, to, [event])
    await ingestIdle(product().platform)
    expect(await bodiesOf(from)).toEqual(['Oi'])
  })
})
