import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findToGreet, findDue as findUngreeted } from '#features/birthdays/server/queries.ts'
import { listDuplicates } from '#features/contacts/server/merges/duplicates.ts'
import { listMerges, readMembers } from '#features/contacts/server/merges/queries.ts'
import { findDuplicates } from '#features/contacts/server/merges/queries-duplicates.ts'
import { findClocks, findDue, nextLive } from '#features/ledger/server/clocks/queries.ts'
import {
  countWaiting,
  listScheduled,
  SCHEDULED,
  type ScheduledFilter,
  ticketsWithDue,
} from '#features/ledger/server/scheduled/queries.ts'
import {
  findArrivals,
  findPeople,
  findWaiting,
  lockAbandoned,
  lockWaiting,
  noteWaits,
} from '#features/ledger/server/turns/queries.ts'
import { KINDS, type Kind, listWritten, type WrittenFilter } from '#features/notes/server/queries.ts'
import { findFew } from '#features/notes/server/queries-few.ts'
import { quietTickets } from '#features/tickets/server/change/queries-closing.ts'
import { visibleSql } from '#features/visibility/server/access.ts'
import { databaseUrls } from '#server/db/roles.ts'
import type { PageStart } from '#server/paging.ts'
import { actorOf, explainingDatabase, type Plan, settingsWith } from './explaining.ts'
import { company, withoutForeignKeys } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'
import { breadth } from './setup/breadth.ts'

const SIZES = { small: 4000, large: breadth(16_000, 100_000) }
type Size = keyof typeof SIZES
type Of = { id: number; eyes: Awaited<ReturnType<typeof explainingDatabase>>; users: number[]; connections: number[] }

const NOW = new Date('2026-11-20T15:00:00Z')
let owner: pg.Client
const of = {} as Record<Size, Of>

/**
 * Creates a company in which, at any size, two hundred contacts are duplicates and have their birthday today, two hundred
 * tickets wait for a person and one hundred have absent owners; all others are closed, quiet or of other days.
 */
async function fill(size: Size): Promise<Omit<Of, 'eyes'>> {
  const id = await company(owner, size)
  const ids = async (sql: string) => (await owner.query<{ id: string }>(sql, [id])).rows.map((row) => Number(row.id))
  const [users, connections] = [
    await ids('select id from users where tenant_id = $1 order by id'),
    await ids('select id from connections where tenant_id = $1 order by id'),
  ]
  await owner.query("update connections set status = 'CONNECTED' where tenant_id = $1", [id])
  await owner.query(
    `insert into contacts (tenant_id, name, number, email, cpf, birthday_date)
     select $1, 'Cliente ' || lpad((case when n > 200 or n <= 100 then n else n - 100 end)::text, 6, '0'),
       case when n between 101 and 200 then '55119' || lpad((n - 100)::text, 7, '0') else '551199' || lpad(n::text, 7, '0') end,
       'c' || case when n between 101 and 200 then n - 100 else n end || '@teste.dev', lpad((case when n between 101 and 200 then n - 100 else n end)::text, 11, '0'),
       case when n <= 200 then '1990-11-20' else (date '1980-01-01' + n % 300)::text end
     from generate_series(1, $2::int) n`,
    [id, SIZES[size]],
  )
  await owner.query(
    `insert into tickets (tenant_id, status, user_id, connection_id, contact_id, conversation_key, channel, updated_at, created_at, last_message_at, waiting_since)
     select $1, case when n <= 200 then 'pending' when n <= 400 then 'open' else 'closed' end,
       case when n > 200 then ($3::bigint[])[1 + n % 5] end, ($4::bigint[])[1 + (n + n / 101) % 4], c.id, c.number, 'lab', at, at, at,
       case when n <= 300 then at end
     from (select *, row_number() over (order by id) as n from contacts where tenant_id = $1) c,
       lateral (select $2::timestamptz - n * interval '10 minutes' as at) x`,
    [id, NOW, users, connections],
  )
  // One ticket in four has a note, a protocol, a message that was scheduled and, of the first eight hundred, one that waits.
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, user_id, from_me, status, body, timestamp,
       is_note, media_type, send_type, schedule_date, send_at)
     select t.tenant_id, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key,
       ($3::bigint[])[case when t.n % 400 = 0 and t.n <= 4000 then 1 else 2 end], true,
       case kind when 'waits' then 'pending' else 'sent' end, 'Pedido ' || t.n, t.updated_at, kind = 'note', case kind when 'note' then 'note' else 'chat' end,
       case kind when 'protocol' then 'protocol' else 'chat' end,
       case when kind = 'past' then t.updated_at when kind = 'waits' then $2::timestamptz + (t.n - 100) * interval '1 minute' end,
       case when kind = 'waits' then $2::timestamptz + (t.n - 100) * interval '1 minute' end
     from (select *, row_number() over (order by id) as n from tickets where tenant_id = $1) t, unnest(array['note', 'protocol', 'past', 'waits']) kind
     where t.n % 4 = 0 and (kind <> 'waits' or t.n <= 800)`,
    [id, NOW, users],
  )
  await owner.query(
    `insert into ticket_clocks (tenant_id, ticket_id, clocks, look_at)
     select $1, id, '{}', $2::timestamptz + (row_number() over (order by id) - 50) * interval '1 minute' from tickets where tenant_id = $1`,
    [id, NOW],
  )
  await owner.query(
    `insert into birthday_greetings (tenant_id, contact_id, year, connection_id, code, created_at)
     select $1, id, 2026, $2, '', $3 from contacts where tenant_id = $1 and birthday_date <> '1990-11-20'`,
    [id, connections[0], NOW],
  )
  return { id, users, connections }
}

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const { app } = databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
  await withoutForeignKeys(owner, async () => {
    for (const size of ['small', 'large'] as const) {
      const filled = await fill(size)
      of[size] = { ...filled, eyes: await explainingDatabase(app, filled.id) }
    }
  })
}, 240_000)

// A vacuum leaves row versions that another process could still see; a repeated test begins with another vacuum.
beforeEach(async ({ task }) => void (task.result?.retryCount && (await owner.query('vacuum analyze'))))

afterAll(async () => {
  for (const { eyes } of Object.values(of)) await eyes.close()
  await owner.end()
})

const START = { after: null, offset: 0, limit: 41 } as const
const visible = ({ id, users }: Of) => visibleSql(actorOf(id, users[0]!, { profile: 'admin' }), settingsWith([]))
const written = (kind: Kind, part: Partial<WrittenFilter> = {}, start: PageStart<[number, number]> = START) => {
  const all = { search: null, from: undefined, to: undefined, user: undefined, ticketId: undefined }
  return (one: Of) =>
    listWritten(
      one.eyes.db,
      kind,
      { ...all, contactId: undefined, visible: visible(one), zone: 'America/Sao_Paulo', ...part },
      start,
    )
}
const scheduled = (one: Of, part: Partial<ScheduledFilter> = {}): ScheduledFilter => ({
  ...{ ticketId: undefined, contactId: undefined, past: false, user: undefined, whatsappId: undefined, search: null },
  ...{ from: undefined, to: undefined, visible: visible(one), zone: 'America/Sao_Paulo', ...part },
})
const searched = (text: string) => async (one: Of) => {
  const search = { text, ticketId: null, names: true }
  const few = await findFew(one.eyes.db, { ...search, bodies: { types: ['note'] }, ofList: KINDS.note })
  await written('note', { search: { ...search, few } })(one)
}
const searchedPast = (text: string) => async (one: Of) => {
  const search = { text, names: true }
  const few = await findFew(one.eyes.db, { ...search, bodies: { types: null }, ticketId: null, ofList: SCHEDULED })
  await listScheduled(one.eyes.db, scheduled(one, { past: true, search: { ...search, few } }), START)
}
const middle: PageStart<[number, number]> = { ...START, after: [(NOW.getTime() - 86_400_000) * 1000, 0] }
const contactOf = async ({ id }: Of) =>
  Number((await owner.query('select min(id) as id from contacts where tenant_id = $1', [id])).rows[0].id)
const today = [{ position: 0, year: 2026, day: '11-20' }]
const days = { from: '2026-11-19', to: '2026-11-20' }

type Reading = readonly [what: string, read: (one: Of) => Promise<unknown>]
const readings: readonly Reading[] = [
  ['notes', written('note')],
  ['notes behind a cursor', written('note', {}, middle)],
  ['notes of two days', written('note', days)],
  ['notes of a contact', async (one) => written('note', { contactId: (await contactOf(one)) + 3 })(one)],
  ['notes of somebody who writes few', (one) => written('note', { user: one.users[0]! })(one)],
  ['notes of somebody who writes none', (one) => written('note', { user: one.users[4]! })(one)],
  ['protocols', written('protocol')],
  ['protocols behind a cursor', written('protocol', {}, middle)],
  ['protocols of two days', written('protocol', days)],
  ['protocols of somebody who sends none', (one) => written('protocol', { user: one.users[4]! })(one)],
  ['notes with a word that none has', searched('guarda-chuva')],
  ['what was scheduled, by a word that nothing has', searchedPast('guarda-chuva')],
  ['what is scheduled', (one) => listScheduled(one.eyes.db, scheduled(one), START)],
  ['how much is scheduled', (one) => countWaiting(one.eyes.db, scheduled(one))],
  ['what is scheduled on a day', (one) => countWaiting(one.eyes.db, scheduled(one, days))],
  [
    'what is scheduled by somebody',
    (one) => listScheduled(one.eyes.db, scheduled(one, { user: one.users[4]! }), START),
  ],
  ['what was scheduled', (one) => listScheduled(one.eyes.db, scheduled(one, { past: true }), START)],
  [
    'what was scheduled, of two days',
    (one) => listScheduled(one.eyes.db, scheduled(one, { past: true, ...days }), START),
  ],
  [
    'what was scheduled by somebody who schedules nothing',
    (one) => listScheduled(one.eyes.db, scheduled(one, { past: true, user: one.users[4]! }), START),
  ],
  [
    'what is due',
    ({ eyes }) =>
      ticketsWithDue(eyes.tx, { now: NOW, tooLate: new Date(NOW.getTime() - 3_600_000) }, { most: 50, mostUnsent: 16 }),
  ],
  [
    'a person and its merges',
    async (one) => {
      const id = await contactOf(one)
      await readMembers(one.eyes.db, [id])
      await listMerges(one.eyes.db, id, { before: null, offset: 0, limit: 41 })
    },
  ],
  [
    'a run of the distribution',
    async ({ eyes }) => {
      await noteWaits(eyes.tx, NOW)
      await findPeople(eyes.db, NOW)
      const waiting = await findWaiting(eyes.db, true)
      expect(waiting).toHaveLength(200)
      await lockWaiting(
        eyes.tx,
        waiting.map(({ id }) => id),
      )
    },
  ],
  [
    'tickets of owners who are away',
    async ({ eyes }) => expect(await lockAbandoned(eyes.tx, new Date(Date.now() + 86_400_000), 5, 50)).toHaveLength(50),
  ],
  ['arrivals of a day', ({ eyes }) => findArrivals(eyes.db, new Date(NOW.getTime() - 86_400_000), NOW, true, 5000)],
  [
    'clocks that time has changed',
    async ({ eyes }) => {
      const due = await findDue(eyes.tx, NOW, 200)
      expect(due).toHaveLength(50)
      await findClocks(eyes.tx, due)
      await nextLive(eyes.tx, 0, 200)
    },
  ],
  ['quiet conversations', ({ eyes }) => quietTickets(eyes.tx, NOW, 60, 50)],
  [
    'birthdays of today',
    async ({ eyes }) => {
      const found = await findToGreet(eyes.db, today, { onlyFor: null, ids: null, most: 50 })
      expect(found).toHaveLength(50)
      await findToGreet(eyes.db, today, { onlyFor: null, ids: found.map(({ id }) => id), most: 50 })
      expect(await findUngreeted(eyes.db, today, 50)).toHaveLength(50)
    },
  ],
]

const sum = (plans: readonly Plan[]) => plans.reduce((all, { buffers }) => all + buffers, 0)

test.each(readings)('%s: read of many contacts and tickets as of four thousand', async (_, read) => {
  const small = sum(await of.small.eyes.plansOf(() => read(of.small)))
  const large = sum(await of.large.eyes.plansOf(() => read(of.large)))
  expect(large).toBeLessThanOrEqual(1.3 * small + 50)
})

// A search for a name reads the names that contain its letters (at most 1,000 pages), and then the rows of the contacts
// found.
test.each([
  ['notes', searched('cliente 000404')],
  ['what was scheduled', searchedPast('cliente 000404')],
] as const)('%s of somebody by name: read by the contact, and no others', async (_, read) => {
  const plans = await of.large.eyes.plansOf(() => read(of.large))
  expect(sum(plans)).toBeLessThanOrEqual(1000)
  for (const { read: rows } of plans) expect(rows.get('messages') ?? 0).toBeLessThanOrEqual(50)
})

test('possible duplicates are looked for along one index for each reason, as far as a page needs', async () => {
  const { id, eyes, users } = of.large
  const asking = { user: actorOf(id, users[0]!, { profile: 'admin' }), settings: settingsWith([]) }
  const platform = { secrets: testSecrets, env: {} } as never
  let found = 0
  const [first, ...others] = await eyes.plansOf(async () => {
    found = (await listDuplicates({ db: eyes.db, platform, ...asking }, { pageNumber: 1 })).duplicates.length
  })
  expect(found).toBe(40)
  // Rows found for the first reason are not searched for others; only the displayed contacts are read besides.
  expect(others).toHaveLength(1)
  expect(others[0]!.read.get('contacts')).toBeLessThanOrEqual(80)
  expect(first!.read.get('contacts')).toBeLessThanOrEqual(SIZES.large)
})

test.each(['line', 'document', 'email', 'name'] as const)(
  'who is there twice by %s is read from the index alone, to its end, and page by page the same',
  async (reason) => {
    const { eyes } = of.large
    type Found = Awaited<ReturnType<typeof findDuplicates>>
    const find = (most: number, after: Found[number] | null = null) =>
      findDuplicates(eyes.db, reason, { after, most, onlyFor: null })
    let all: Found = []
    const plans = await eyes.plansOf(async () => {
      all = await find(1000)
    })
    expect(all).toHaveLength(100)
    expect(sum(plans)).toBeLessThanOrEqual((3 * SIZES.large) / 100)
    const paged = await find(30)
    while (paged.length % 30 === 0) paged.push(...(await find(30, paged.at(-1)!)))
    expect(paged).toEqual(all)
  },
)
