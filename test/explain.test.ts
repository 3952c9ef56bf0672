import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findContacts } from '#features/contacts/server/queries-identities.ts'
import { findActive } from '#features/ledger/server/changes/queries-change.ts'
import {
  appendJournal,
  countWaiting,
  recordEntries,
  takeEntries,
} from '#features/ledger/server/journal/journal-queries.ts'
import { findByIdFront, findMessages } from '#features/ledger/server/messages/queries.ts'
import { claimNext, eventsAbout, lastInboundsOf } from '#features/ledger/server/outbox/outbox-queries.ts'
import { lockReceipted, ticketFacts } from '#features/ledger/server/outbox/receipt-queries.ts'
import { findContacts as findContactsBy, findTicketsOfKeys } from '#features/ledger/server/reached/queries.ts'
import { findNamedTickets, findTicket, ticketPageStatement } from '#features/ledger/server/rows/queries.ts'
import { findSentCounts, saveSentCounts } from '#features/ledger/server/texts/queries.ts'
import { findLive } from '#features/ledger/server/ticket/presence-queries.ts'
import { knownProviderIds, lockConversations } from '#features/ledger/server/ticket/queries.ts'
import {
  findArrivals,
  findPeople,
  findWaiting,
  lockAbandoned,
  noteWaits,
} from '#features/ledger/server/turns/queries.ts'
import { countMessages, pageOfMessages } from '#features/messages/server/read/page-queries.ts'
import { ticketFilter } from '#features/tickets/contract.ts'
import { quietTickets } from '#features/tickets/server/change/queries-closing.ts'
import { findDetail, lastAdOf, listLogs } from '#features/tickets/server/change/queries-detail.ts'
import { listTickets } from '#features/tickets/server/list/list.ts'
import { visibleSql } from '#features/visibility/server/access.ts'
import { findLostTickets } from '#features/visibility/server/queries-visibility.ts'
import type { SettingKey } from '#kit/settings.ts'
import { type Actor, accessOf } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { actorOf, explainingDatabase, type Plan, settingsWith } from './explaining.ts'
import { company, grow, neighbours } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'
import { breadth } from './setup/breadth.ts'

/** Number of tickets of a big company: enough to tell an ordered read from a full one. */
const MANY = breadth(60_000, 100_000)

/** Tables that stay small in every tenant; whatever else is read from end to end fails. */
const SMALL = [
  'chat_flows',
  'template_constants',
  // Without rows here: explain-contacts reads it among half a million.
  'contact_field_values',
  'tenants',
  'users',
  'queues',
  'user_queues',
  'user_connections',
  'tags',
  'stages',
  'contact_fields',
  'connections',
  'settings',
  'feed_heads',
  // A row for each person, or for each ticket that waits.
  'distribution_turns',
  'ticket_waits',
]
let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>
let tenantId: number
let neighbour: number
let ids: { queues: number[]; users: number[]; channels: number[]; stages: number[]; tags: number[] }
let ticketId: number
/** Pages read by each list of ten thousand tickets, and whether its page was full. */
const small = new Map<string, { pages: number; isFull: boolean }>()
let waiting: { connection_id: number; conversation_key: string }

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  tenantId = await company(owner, 'Grande')
  neighbour = await company(owner, 'Vizinha')
  for (const id of [tenantId, neighbour]) {
    await owner.query(
      "insert into stages (tenant_id, name, color, position) select $1, 'Etapa ' || n, '#3874B6', n from generate_series(1, 6) n",
      [id],
    )
    await owner.query("insert into chat_flows (tenant_id, name) values ($1, 'Recepção')", [id])
  }
  ids = {
    queues: await column('select id from queues where tenant_id = $1 order by id'),
    users: await column('select id from users where tenant_id = $1 order by id'),
    channels: await column('select id from connections where tenant_id = $1 order by id'),
    stages: await column('select id from stages where tenant_id = $1 order by id'),
    tags: await column('select id from tags where tenant_id = $1 order by id'),
  }
  await grow(owner, tenantId, 0, 10_000)
  await grow(owner, neighbour, 0, 40)
  await owner.query(
    `insert into sessions (tenant_id, id, user_id, refresh_hash, expires_at)
     select tenant_id, gen_random_uuid(), id, '', now() + interval '30 days' from users, generate_series(1, 50)`,
  )
  // More accounts than fit a page, so that an index is worth it.
  await owner.query(
    `insert into provider_settings (tenant_id, kind, provider, name, updated_at)
     select t.id, 'assistant', 'provider' || n, 'conta ' || n, now() from tenants t, generate_series(1, 1000) n`,
  )
  await owner.query('analyze sessions, provider_settings')
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
  ;[ticketId] = (await column('select id from tickets where tenant_id = $1 order by id limit 1')) as [number]
  const outbox = await owner.query<typeof waiting>(
    `select connection_id, conversation_key from messages where tenant_id = $1 and status = 'pending' limit 1`,
    [tenantId],
  )
  waiting = outbox.rows[0]!
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
     select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, n % 2 = 0, 'received', 'mensagem ' || n, now() - n * interval '1 minute'
     from tickets, generate_series(1, 3000) n where id = $1`,
    [ticketId],
  )
  for (const name of Object.keys(lists)) {
    const { plans, found } = await shownBy(name)
    small.set(name, { pages: buffersOf(plans), isFull: found.length === 30 })
  }
})

afterAll(async () => {
  await eyes.close()
  await owner.end()
})

async function column(sql: string): Promise<number[]> {
  return (await owner.query<{ id: number }>(sql, [tenantId])).rows.map((row) => row.id)
}

const settings = (on: readonly SettingKey[] = []) => settingsWith(on, { tenantHasQueues: true })

const actor = (profile: Actor['profile'], queueIds: readonly number[] = []) =>
  actorOf(tenantId, ids.users[3]!, { profile, queueIds })

// A day after the last of a hundred thousand tickets, one a minute.
const now = new Date('2026-03-12T00:00:00Z')

const list = (user: Actor, query: Record<string, unknown> = {}, on: readonly SettingKey[] = []) =>
  listTickets(
    { db: eyes.db, tenantId, user, settings: settings(on), now } as ReadCtx & { user: Actor },
    ticketFilter.parse(query),
  )

const agent = () => actor('user', ids.queues.slice(0, 3))

const visible = () => visibleSql(agent(), settings())
const chat = () => ({ visible: visible(), readerId: agent().id })

/** Each list as an agent or an admin meets it. */
const lists: Record<string, () => ReturnType<typeof list>> = {
  'an agent of three queues': () => list(agent()),
  'an agent of one queue': () => list(actor('user', ids.queues.slice(0, 1))),
  'an agent of no queue': () => list(actor('user')),
  'an agent, open tab': () => list(agent(), { tab: 'open', isGroup: false }),
  'an agent, pending tab': () => list(agent(), { tab: 'pending' }),
  'an agent, closed tab': () => list(agent(), { tab: 'closed' }),
  'an agent, own tickets': () => list(agent(), { scope: 'mine' }),
  'an agent, who waits': () => list(agent(), { scope: 'waiting' }),
  'an agent, who has waited for an hour': () => list(agent(), { waitingMinutes: 60 }),
  'an agent, who has waited for thirty days': () => list(agent(), { waitingMinutes: 43_200 }),
  'an agent, the unanswered first': () => list(agent(), { unansweredFirst: true }),
  'an agent, the unanswered first, the oldest first': () => list(agent(), { unansweredFirst: true, oldestFirst: true }),
  'an agent, without an owner': () => list(agent(), { tab: 'pending', isNotAssignedUser: true }),
  'an agent, the oldest first': () => list(agent(), { oldestFirst: true }),
  'an admin, who has waited for an hour': () => list(actor('admin'), { waitingMinutes: 60 }),
  'an admin, the unanswered first': () => list(actor('admin'), { unansweredFirst: true }),
  'an agent under every setting': () =>
    list(agent(), {}, [
      'nullTickets',
      'NotViewTicketsChatBot',
      'DirectTicketsToWallets',
      'showGroupsForAll',
      'showClosedForAll',
    ]),
  'an agent, by last message': () => list(agent(), {}, ['listByLastMessage']),
  'an agent, groups': () => list(agent(), { isGroup: true }, ['showGroupsForAll']),
  'an admin': () => list(actor('admin')),
  'an admin, show all': () => list(actor('admin'), { showAll: true }),
  'an admin, show all by last message': () => list(actor('admin'), { showAll: true }, ['listByLastMessage']),
  'an agent, chat flows': () => list(agent(), { tab: 'chatbot' }),
  'an agent, groups alone': () => list(agent(), { isGroup: true }),
  'an agent, private ones': () => list(agent(), { isGroup: false }),
  'an agent, with a queue': () => list(agent(), { includeNotQueueDefined: false }),
  'an agent, one queue': () => list(agent(), { queuesIds: ids.queues.slice(1, 2) }),
  'an agent, one channel': () => list(agent(), { whatsappIds: ids.channels.slice(0, 1) }),
  'an agent, one stage': () => list(agent(), { kanban: ids.stages.slice(0, 1) }),
  'an agent, one tag': () => list(agent(), { tags: ids.tags.slice(0, 1) }),
  'an agent, unread ones': () => list(agent(), { withUnreadMessages: true }),
  'an agent, chat flows by last message': () => list(agent(), { tab: 'chatbot' }, ['listByLastMessage']),
  'an admin, chat flows': () => list(actor('admin'), { tab: 'chatbot' }),
  'an admin, one channel': () => list(actor('admin'), { whatsappIds: ids.channels.slice(0, 1) }),
  'an admin, one stage': () => list(actor('admin'), { kanban: ids.stages.slice(0, 1) }),
  'an admin, one tag': () => list(actor('admin'), { tags: ids.tags.slice(0, 1) }),
  'an admin, unread ones': () => list(actor('admin'), { withUnreadMessages: true }),
  'an admin, tab of closed ones': () => list(actor('admin'), { tab: 'closed' }),
  'an admin, by last message': () => list(actor('admin'), {}, ['listByLastMessage']),
  'an agent, by due time': () => list(agent(), { dueFirst: true }),
  'an agent, missed': () => list(agent(), { sla: 'missed' }),
  'an agent, at risk': () => list(agent(), { sla: 'warned' }),
  'an admin, by due time': () => list(actor('admin'), { dueFirst: true }),
  'an admin, missed': () => list(actor('admin'), { sla: 'missed' }),
  'an admin, at risk': () => list(actor('admin'), { sla: 'warned' }),
  'an admin, closed ones by last message': () => list(actor('admin'), { tab: 'closed' }, ['listByLastMessage']),
  'an admin, of one queue alone': () => list(actor('admin'), { onlyQueue: ids.queues[2] }),
  'an admin, of one owner': () => list(actor('admin'), { onlyUser: ids.users[2] }),
  'an admin, one colleague': () => list(actor('admin'), { selectedUser: ids.users[1] }),
  'an admin, two queues': () => list(actor('admin'), { queuesIds: ids.queues.slice(4, 6) }),
  'an agent, page 3': () => list(agent(), { pageNumber: 3 }),
  'an agent, by cursor': async () => list(agent(), { cursor: (await eyes.aside(() => list(agent()))).nextCursor }),
  'an admin, show all by cursor': async () =>
    list(actor('admin'), {
      showAll: true,
      cursor: (await eyes.aside(() => list(actor('admin'), { showAll: true }))).nextCursor,
    }),
}

/** Lists without a matching index order (decision 0058): all visible rows may be read. */
const THIN = ['an agent, one tag', 'an admin, one tag', 'an agent, unread ones', 'an agent, groups alone']

const searches: Record<string, () => Promise<unknown>> = {
  'by a name': () => list(actor('admin'), { searchParam: 'conceicao 00001203' }),
  'by a number': () => list(agent(), { searchParam: '11900000300' }),
  'by a name that very many have': () => list(actor('admin'), { searchParam: 'souza' }),
  'for nobody': () => list(agent(), { searchParam: 'ninguém' }),
  'of a restricted agent': () => list({ ...agent(), restrictedUser: true }, { searchParam: 'conce' }),
  'of a restricted agent for nobody': () => list({ ...agent(), restrictedUser: true }, { searchParam: 'zzzz' }),
}

const others: Record<string, () => Promise<unknown>> = {
  'one ticket': () => findTicket(eyes.db, ticketId),
  'a ticket’s screen': () => findDetail(eyes.db, ticketId, ids.users[0]!),
  'whether an ad brought a contact': () => {
    const { connection_id: connectionId, conversation_key: conversationKey } = waiting
    return lastAdOf(eyes.db, { connectionId, conversationKey }, new Date(Date.now() - 259_200_000))
  },
  'a ticket’s log': () => listLogs(eyes.db, ticketId, { before: null, offset: 0, limit: 31 }),
  'the active ticket of a conversation': () => findActive(eyes.db, waiting.connection_id, waiting.conversation_key),
  'the tickets in which conversations go on': () =>
    findTicketsOfKeys(eyes.db, { id: waiting.connection_id, type: 'test' }, [
      waiting.conversation_key,
      '5511900000000',
    ]),
  'the contacts to whom something is said': () => findContactsBy(eyes.db, [1, 2, 3]),
  'when contacts wrote last': () => lastInboundsOf(eyes.db, waiting.connection_id, [waiting.conversation_key]),
  'open a chat': () => pageOfMessages(eyes.db, ticketId, { ...chat(), direction: 'older', from: null, limit: 31 }),
  'an older page of a chat': () =>
    pageOfMessages(eyes.db, ticketId, {
      ...chat(),
      direction: 'older',
      from: { timestamp: '2026-03-01T00:00:00Z', seq: 1 },
      limit: 31,
    }),
  'how long a chat is': () => countMessages(eyes.db, ticketId),
  'the next message to send': async () => {
    expect(
      await claimNext(eyes.tx, [{ connectionId: waiting.connection_id, conversationKey: waiting.conversation_key }]),
    ).not.toEqual([null])
  },
  'which messages are known': () =>
    knownProviderIds(eyes.tx, [{ connectionId: waiting.connection_id, providerId: 'p500' }]),
  'the contacts of a batch': () =>
    findContacts(eyes.tx, [
      { channel: 'lab', identity: '5511900000500', name: 'Cliente', number: '5511900000500', email: '' },
    ]),
  'the live tickets of a batch': () =>
    lockConversations(eyes.tx, [
      {
        connectionId: waiting.connection_id,
        channel: 'lab',
        conversationKey: waiting.conversation_key,
        isGroup: false,
      },
    ]),
  'the messages of receipts': () =>
    lockReceipted(eyes.tx, [{ connectionId: waiting.connection_id, providerId: 'p500' }]),
  'receipts that came before their message was sent': () =>
    eventsAbout(
      eyes.db,
      [{ connectionId: waiting.connection_id, providerId: 'p500', conversationKey: waiting.conversation_key }],
      now,
    ),
  'what visibility asks of a batch': () => ticketFacts(eyes.db, [ticketId, ticketId + 1]),
  'how often a kind of message was said': async () =>
    saveSentCounts(eyes.tx, await findSentCounts(eyes.tx, [ticketId])),
  'who types where': () => findLive(eyes.db, waiting.connection_id, waiting.conversation_key),
  'a message sent again': () => findByIdFront(eyes.db, ['navegador-1']),
  'messages by their ids': () => findMessages(eyes.db, ['00000000-0000-7000-8000-000000000000']),
  'rows of a batch': () => findNamedTickets(eyes.db, [ticketId, ticketId + 1]),
  'a place in the journal': () => appendJournal(eyes.database, tenantId, [eventAt('500')], new Date()),
  'a place among what was processed': () => recordEntries(eyes.tx, tenantId, [eventAt('501')]),
  'the journal’s next': () => takeEntries(eyes.tx, tenantId, 50),
  'how many wait in the journal': () => countWaiting(eyes.database, tenantId, 10_001),
  'quiet conversations': () => quietTickets(eyes.tx, new Date('2020-01-01'), 1440, 50),
  'changes after a number': () => eyes.database.read(tenantId, (db) => readChanges(db, 5000, 5500, 500)),
}

const eventAt = (dedupeKey: string) => ({
  ...{ id: '01900000-0000-7000-8000-000000000000', connectionId: waiting.connection_id },
  ...{ dedupeKey, payload: {} as never },
})

/** Returns the plans that read a growing table in full, or more than `most` of its rows. */
const tooMuch = (plans: readonly Plan[], most: number) =>
  plans.flatMap((plan) =>
    [...plan.read]
      .filter(([table, rows]) => rows > most && !SMALL.includes(table))
      .map(([table, rows]) => `${rows} rows of ${table} by ${plan.sql.trim().slice(0, 120)}`),
  )

/** Returns the plans of a list, and the ids of the tickets that it shows. */
async function shownBy(name: string): Promise<{ plans: readonly Plan[]; found: number[] }> {
  let found: number[] = []
  const plans = await eyes.plansOf(async () => {
    found = (await lists[name]!()).tickets.map(({ id }) => id)
  })
  return { plans, found }
}

const buffersOf = (plans: readonly Plan[]) => plans.reduce((sum, plan) => sum + plan.buffers, 0)

test('reading a table from end to end is seen, with an index as well', async () => {
  const plans = await eyes.plansOf(async () => {
    await eyes.db.selectFrom('messages').select('id').where('body', '=', 'x').execute()
    await eyes.db
      .selectFrom('messages')
      .select('id')
      .where('body', '=', 'x')
      .orderBy('tenant_id')
      .orderBy('id')
      .limit(1)
      .execute()
  })
  expect(tooMuch(plans, 2000)).toHaveLength(2)
})

describe('from ten thousand tickets to many more', () => {
  beforeAll(() => grow(owner, tenantId, 10_000, MANY), 240_000)

  test.each(Object.keys(lists))('the list of %s looks at no more pages', async (name) => {
    const { plans, found } = await shownBy(name)
    const isThin = THIN.includes(name)
    expect(tooMuch(plans, isThin ? 6000 : 2000)).toEqual([])
    expect(found).toHaveLength(30)
    const { pages: before, isFull } = small.get(name)!
    if (!isFull || isThin) return
    const after = buffersOf(plans)
    expect(before).toBeGreaterThan(15)
    // Values and permissions of a row are read from indexes, which may be one page deeper for ten times as many rows.
    expect(after, `${before} → ${after} pages`).toBeLessThanOrEqual(before * 1.2 + 2 * 31)
  })

  // Another person's view is no filter; a numbered page reads those before it.
  const filtered = Object.keys(lists).filter((name) => !/ of (one|no) queue$|under every|page 3/.test(name))
  test.each(filtered.filter((name) => !THIN.includes(name)))(
    'the list of %s looks at little more pages than the plain one, or than its very rows take',
    async (name) => {
      const plain = name.startsWith('an admin') ? 'an admin' : 'an agent of three queues'
      const { plans, found } = await shownBy(name)
      // Rows scattered in the table have scattered names in other tables: no query reads them with fewer pages.
      const rows = eyes.db.selectFrom('tickets').selectAll('tickets').where('id', 'in', found)
      const byId = await eyes.plansOf(() => ticketPageStatement(rows, { viewerId: agent().id }).execute(eyes.db))
      const most = breadth(1.75, 1.5) * Math.max(buffersOf(byId), buffersOf((await shownBy(plain)).plans))
      expect(buffersOf(plans)).toBeLessThanOrEqual(most)
    },
  )

  test('the third numbered page looks at three pages, at most', async () => {
    const [plain, third] = [await shownBy('an agent of three queues'), await shownBy('an agent, page 3')]
    expect(buffersOf(third.plans)).toBeLessThanOrEqual(3 * buffersOf(plain.plans))
  })

  test.each(Object.keys(searches))('a search %s looks at few pages', async (name) => {
    const plans = await eyes.plansOf(searches[name]!)
    expect(tooMuch(plans, 2000)).toEqual([])
    expect(buffersOf(plans)).toBeLessThan(1500)
  })

  test('the counts of the tabs read the live tickets once', async () => {
    const plans = await eyes.plansOf(() => list(agent(), { count: true }))
    expect(tooMuch(plans, 15_000)).toEqual([])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['what waits for a person', () => findWaiting(eyes.db, true)],
    ['since when it waits', () => noteWaits(eyes.tx, now)],
    ['whom it may be given to', () => findPeople(eyes.db, now)],
    ['what absent owners leave waiting', () => lockAbandoned(eyes.tx, now, 10, 100)],
    ['what arrived on a day', () => findArrivals(eyes.db, new Date(now.getTime() - 86_400_000), now, true, 5000)],
  ])('distribution looks among the live tickets for %s', async (_, work) => {
    expect(tooMuch(await eyes.plansOf(work), 15_000)).toEqual([])
  })

  test('a tag that few have is looked for among what the agent sees', async () => {
    const plans = await eyes.plansOf(() => list(agent(), { tags: [1] }))
    expect(tooMuch(plans, 6000)).toEqual([])
  })

  test('what leaves somebody’s sight is looked for among the live tickets', async () => {
    const before = accessOf(agent(), settings())
    const after = accessOf(actor('user', ids.queues.slice(0, 1)), settings())
    const plans = await eyes.plansOf(() => findLostTickets(eyes.db, { before, after }, 500))
    expect(tooMuch(plans, 15_000)).toEqual([])
  })

  test.each(Object.keys(others))('%s reads nothing from end to end', async (name) => {
    const plans = await eyes.plansOf(others[name]!)
    expect(plans.length).toBeGreaterThan(0)
    expect(tooMuch(plans, 2000)).toEqual([])
  })
})

describe('somebody who sees little', () => {
  let queue: number

  beforeAll(async () => {
    const [id] = await column("insert into queues (tenant_id, queue) values ($1, 'Pequena') returning id")
    queue = id!
    // The oldest of what is live.
    await owner.query(
      `update tickets set queue_id = $2 where tenant_id = $1 and id in (
         select id from tickets where tenant_id = $1 and status = 'pending' and not is_group order by updated_at limit 3)`,
      [tenantId, queue],
    )
  })

  test.each<[string, Record<string, unknown>, SettingKey[]]>([
    ['', {}, []],
    [', with the counts', { count: true }, []],
    [' of open ones', { tab: 'open' }, []],
    [' of groups', { isGroup: true }, ['showGroupsForAll']],
    [' ordered by the last message', {}, ['listByLastMessage']],
    [' of a company whose tickets are their owners’', {}, ['NotViewAssignedTickets']],
    [', searched by a name that very many have', { searchParam: 'souza' }, []],
  ])('reads no more than that%s, however much is live', async (_, query, on) => {
    const nobody = { ...actor('user', [queue]), id: 999_999 }
    const plans = await eyes.plansOf(() => list(nobody, query, on))
    // Ten of the newest for each that a page shows, and what is seen.
    expect(tooMuch(plans, 600)).toEqual([])
  })
})

describe('of one company, and among many small ones', () => {
  const everything = { ...lists, ...searches, ...others }
  const alone = new Map<string, number>()

  beforeAll(async () => {
    for (const [name, work] of Object.entries(everything)) alone.set(name, buffersOf(await eyes.plansOf(work)))
    await neighbours(owner, neighbour, MANY / 500)
  })

  // A company's tables are everybody's, and what the planner believes of a channel or a queue is an average of them all. A
  // row that is shown may cost ten pages more, as its names are looked up one by one in tables that are long now.
  test.each(Object.keys(everything))('%s', async (name) => {
    const plans = await eyes.plansOf(everything[name]!)
    expect(tooMuch(plans, THIN.includes(name) ? 6000 : 2000)).toEqual([])
    const [before, after] = [alone.get(name)!, buffersOf(plans)]
    const most = before * 1.2 + (name in others ? 100 : 10 * 31 * plans.length)
    expect(after, `${before} → ${after} pages`).toBeLessThanOrEqual(most)
  })
})
