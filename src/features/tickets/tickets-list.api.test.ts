import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { compareTickets } from '#domain/tickets/filter.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { encodeCursor } from '#kit/cursor.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type List = {
  error?: string
  tickets: TicketRow[]
  count: number
  countIsCapped: boolean
  hasMore: boolean
  nextCursor: string | null
  counts?: Record<string, number>
}

async function list(who: Person, query: Record<string, unknown> = {}) {
  return (await call(product(), tickets.list, who.token, { query })).body
}
const idsOf = async (who: Person, query: Record<string, unknown> = {}) =>
  (await list(who, query)).tickets.map((ticket) => ticket.id)

/** Requests a literal URL. */
async function get(who: Person, address: string): Promise<{ status: number; body: List }> {
  const response = await fetch(`${product().address}/api${address}`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
  return { status: response.status, body: (await response.json()) as List }
}

describe('the filter', () => {
  let admin: Person
  let ana: Person
  let queues: number[]
  let line: number
  let tag: number
  let stage: number
  const made: Record<string, number> = {}

  beforeAll(async () => {
    const tenantId = await m().tenant()
    queues = [await m().queue(tenantId), await m().queue(tenantId)]
    line = await m().connection(tenantId, { name: 'Balcão' })
    tag = await m().tag(tenantId)
    admin = await m().person(tenantId, { profile: 'admin' })
    ana = await m().person(tenantId, { queues: [queues[0]!] })
    stage = await m().insert('stages', tenantId, { name: 'Proposta', color: '#1C5D99', position: 1 })
    let minute = 0
    const add = async (name: string, row: Parameters<ReturnType<typeof make>['ticket']>[1]) => {
      const updated_at = new Date(Date.parse('2026-03-01T12:00:00Z') + 60_000 * minute++)
      made[name] = await m().ticket(tenantId, { updated_at, last_message_at: updated_at, ...row })
    }
    await add('mine', { status: 'open', queue_id: queues[0]!, user_id: ana.id })
    await add('free', { status: 'pending', queue_id: queues[0]!, connection_id: line })
    await add('unread', { status: 'pending', queue_id: queues[0]!, unread_messages: 2, waiting_since: new Date() })
    await add('theirs', { status: 'open', queue_id: queues[1]!, user_id: admin.id, kanban: stage })
    await add('nowhere', { status: 'pending' })
    await add('done', { status: 'closed', queue_id: queues[0]!, user_id: ana.id })
    await add('group', { status: 'open', is_group: true, queue_id: queues[0]! })
    await product().platform.db.asPlatform((db) =>
      db.insertInto('ticket_tags').values({ tenant_id: tenantId, ticket_id: made['theirs']!, tag_id: tag }).execute(),
    )
  })

  const names = async (who: Person, query: Record<string, unknown> = {}) => {
    const ids = await idsOf(who, query)
    return ids.map((id) => Object.keys(made).find((name) => made[name] === id))
  }

  it('asks for open and pending when no status is named, newest change first', async () => {
    expect(await names(ana)).toEqual(['unread', 'free', 'mine'])
    expect(await names(admin)).toEqual(['group', 'nowhere', 'theirs', 'unread', 'free', 'mine'])
  })

  it.each([
    ['the pending tab', { tab: 'pending' }, ['nowhere', 'unread', 'free']],
    ['the closed tab', { tab: 'closed' }, ['done']],
    ['groups', { isGroup: true }, ['group']],
    ['private conversations', { isGroup: false, tab: 'open' }, ['theirs', 'mine']],
    ['one status', { status: ['closed'] }, ['done']],
    ['two statuses', { status: ['closed', 'open'] }, ['group', 'done', 'theirs', 'mine']],
    ['unread', { withUnreadMessages: true }, ['unread']],
    ['without owner', { isNotAssignedUser: true }, ['group', 'nowhere', 'unread', 'free']],
    ['only with a queue', { includeNotQueueDefined: false }, ['group', 'theirs', 'unread', 'free', 'mine']],
    ['what waits for us', { scope: 'waiting' }, ['unread']],
    ['one’s own', { scope: 'mine' }, ['theirs']],
    ['everything', { showAll: true }, ['group', 'done', 'nowhere', 'theirs', 'unread', 'free', 'mine']],
    ['everything open', { showAll: true, tab: 'open' }, ['group', 'theirs', 'mine']],
  ])('%s', async (_, query, expected) => {
    expect(await names(admin, query)).toEqual(expected)
  })

  it('by queue, connection, owner and tag', async () => {
    expect(await names(admin, { queuesIds: queues.slice(1) })).toEqual(['theirs'])
    expect(await names(admin, { queuesIds: queues, status: ['pending'] })).toEqual(['unread', 'free'])
    expect(await names(admin, { whatsappIds: [line] })).toEqual(['free'])
    expect(await names(admin, { selectedUser: ana.id })).toEqual(['mine'])
    expect(await names(admin, { tags: [tag] })).toEqual(['theirs'])
    expect(await names(admin, { kanban: [stage] })).toEqual(['theirs'])
  })

  it('show-all of a plain user shows no more than before', async () => {
    expect(await names(ana, { showAll: true, status: ['open', 'pending'] })).toEqual(['unread', 'free', 'mine'])
  })

  it('no status at all is refused, unless everything or a tab is asked for', async () => {
    for (const [who, query, status] of [
      [ana, '?status=', 404],
      [ana, '?status=&showAll=true', 404],
      [ana, '?status=&tab=open', 200],
      [admin, '?status=&showAll=true', 200],
    ] as const) {
      const reply = await get(who, `/tickets${query}`)
      expect([query, reply.status]).toEqual([query, status])
      if (status === 404) expect(reply.body.error).toBe('ERR_NO_STATUS_SELECTED')
    }
  })

  it('reads arrays as repeated parameters, with brackets, and alone; unknown ones are passed over', async () => {
    const expected = ['group', 'done', 'theirs', 'mine']
    for (const query of [
      'status=open&status=closed',
      'status[]=open&status[]=closed',
      'status[]=open&status[]=closed&x=1',
    ]) {
      const { body } = await get(admin, `/tickets/?${query}`)
      expect(body.tickets.map((ticket) => ticket.id)).toEqual(expected.map((name) => made[name]))
    }
    expect((await get(admin, '/tickets?queuesIds[]=abc')).status).toBe(400)
    expect((await get(admin, '/tickets?status=aberto')).status).toBe(400)
  })

  it('counts the list and its tabs when asked', async () => {
    expect((await list(admin, { count: true, tab: 'open', isGroup: false })).counts).toEqual({
      open: 2,
      pending: 3,
      groups: 1,
      waiting: 1,
      snoozed: 0,
      chatbot: 0,
    })
    const own = await list(ana, { count: true })
    expect(own).toMatchObject({
      count: 3,
      countIsCapped: false,
      counts: { open: 1, pending: 2, groups: 0, waiting: 1 },
    })
    expect((await list(ana)).counts).toBeUndefined()
  })

  it('whose last message is of some days of the company, by that message', async () => {
    const tenant = await m().tenant()
    const boss = await m().person(tenant, { profile: 'admin' })
    const add = (at: string) => m().ticket(tenant, { last_message_at: new Date(at), updated_at: new Date() })
    // In São Paulo the third of March begins at 03:00 UTC.
    const [second, third, late] = [
      await add('2026-03-03T02:59:59Z'),
      await add('2026-03-03T03:00:00Z'),
      await add('2026-03-04T02:59:59Z'),
    ]
    expect(await idsOf(boss, { from: '2026-03-03' })).toEqual([late, third])
    expect(await idsOf(boss, { from: '2026-03-03', to: '2026-03-03', oldestFirst: true })).toEqual([third, late])
    expect(await idsOf(boss, { to: '2026-03-02' })).toEqual([second])
    for (const from of ['ontem', '2026-02-31', '2026-3-3'])
      expect((await get(boss, `/tickets?from=${from}`)).status).toBe(400)
  })

  it('who has waited for so long, and who waits for an answer before all others', async () => {
    const tenant = await m().tenant()
    const boss = await m().person(tenant, { profile: 'admin' })
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const add = (minutes: number, waits: number | null) =>
      m().ticket(tenant, {
        status: 'pending',
        updated_at: ago(minutes),
        last_message_at: ago(minutes),
        waiting_since: waits === null ? null : ago(waits),
      })
    const [long, answered, short, old] = [await add(5, 90), await add(1, null), await add(2, 20), await add(99, null)]
    expect(await idsOf(boss, { waitingMinutes: 60 })).toEqual([long])
    expect(await idsOf(boss, { waitingMinutes: 10 })).toEqual([short, long])
    expect(await idsOf(boss, { waitingMinutes: 100 })).toEqual([])
    expect(await idsOf(boss, { unansweredFirst: true })).toEqual([short, long, answered, old])
    expect(await idsOf(boss, { unansweredFirst: true, oldestFirst: true })).toEqual([long, short, old, answered])
    for (const waitingMinutes of ['0', '-1', '1.5', 'x', '43201', '9'.repeat(40)])
      expect((await get(boss, `/tickets?waitingMinutes=${waitingMinutes}`)).status).toBe(400)
    for (const cursor of [
      [1, 2],
      [1, 2, 9],
      [1, 2, -1],
      [1, 2, 0.5],
      ['x', 2, 0],
    ])
      expect((await get(boss, `/tickets?cursor=${encodeCursor(cursor)}`)).status).toBe(400)
  })

  it('carries what a row shows', async () => {
    const row = (await list(admin, { tags: [tag] })).tickets[0]!
    expect(row).toMatchObject({ kanban: stage, tags: [{ id: tag }], channel: 'lab', profilePicUrl: null, draft: null })
    expect(row.contact.name).toBe(row.name)
    expect(row.lastMessageAt).toBe(Date.parse(row.updatedAt))
  })
})

describe('pages', () => {
  const TICKETS = 95
  let tenantId: number
  let admin: Person
  let connection_id: number
  let ids: number[]

  beforeAll(async () => {
    tenantId = await m().tenant()
    admin = await m().person(tenantId, { profile: 'admin' })
    connection_id = await m().connection(tenantId)
    ids = []
    // Several at the same microsecond, and times more precise than milliseconds.
    for (let n = 0; n < TICKETS; n++) {
      const updated_at = `2026-03-01T12:00:00.123${String(Math.floor(n / 3)).padStart(3, '0')}Z`
      ids.push(await m().ticket(tenantId, { connection_id, updated_at, last_message_at: updated_at }))
    }
  })

  async function walk(meanwhile: (page: number) => Promise<void> = async () => {}, query = {}): Promise<number[]> {
    const seen: number[] = []
    let cursor: string | null = null
    for (let page = 1; ; page++) {
      const answer: Awaited<ReturnType<typeof list>> = await list(admin, { ...query, ...(cursor ? { cursor } : {}) })
      expect(answer.tickets.length).toBeLessThanOrEqual(30)
      seen.push(...answer.tickets.map((ticket) => ticket.id))
      expect(answer.hasMore).toBe(answer.nextCursor !== null)
      if (!answer.nextCursor) return seen
      cursor = answer.nextCursor
      await meanwhile(page)
    }
  }

  it('walks to the end by cursor: every ticket once, in order', async () => {
    expect(await walk()).toEqual(ids.toReversed())
    expect(await walk(undefined, { count: true })).toEqual(ids.toReversed())
    expect(await walk(undefined, { oldestFirst: true })).toEqual(ids)
  })

  it('shows no ticket twice and leaves none out while others are touched', async () => {
    const touched = new Set<number>()
    const seen = await walk(async (page) => {
      const some = [ids[page]!, ids[page * 7]!, ids[TICKETS - page]!]
      for (const id of some) touched.add(id)
      await product().platform.db.asPlatform((db) =>
        db.updateTable('tickets').set({ updated_at: new Date() }).where('id', 'in', some).execute(),
      )
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(ids.filter((id) => !touched.has(id) && !seen.includes(id))).toEqual([])
  })

  it('page numbers work up to the fiftieth', async () => {
    const pages = [await idsOf(admin, { pageNumber: 1 }), await idsOf(admin, { pageNumber: 2 })]
    expect(new Set(pages.flat()).size).toBe(60)
    expect((await list(admin, { pageNumber: 50 })).tickets).toEqual([])
    expect((await list(admin, { pageNumber: 51 })).error).toBe('ERR_PAGE_TOO_FAR')
    expect((await list(admin, { cursor: 'nada' })).error).toBe('ERR_VALIDATION')
    expect((await list(admin, { cursor: btoa('["a","b"]') })).error).toBe('ERR_VALIDATION')
  })

  it('walks to the end in every order, whoever waits, by cursor and by numbered pages', async () => {
    const orders = fc.record({
      oldestFirst: fc.boolean(),
      unansweredFirst: fc.boolean(),
      many: fc.integer({ min: 2, max: 7 }),
    })
    const property = fc.asyncProperty(orders, async ({ many, ...order }) => {
      const waits = ids.filter((_, n) => n % many === 0)
      await product().platform.db.asPlatform(async (db) => {
        const set = (waiting_since: Date | null) =>
          db.updateTable('tickets').set({ waiting_since, updated_at: sql`last_message_at` })
        await set(null).where('tenant_id', '=', tenantId).execute()
        await set(new Date()).where('id', 'in', waits).execute()
      })
      const expected = ids
        .map((id, n) => ({ id, at: Math.floor(n / 3), waitingSince: waits.includes(id) ? 1 : null }))
        .sort((a, b) => compareTickets(order, a, b))
        .map(({ id }) => id)
      expect(await walk(undefined, order)).toEqual(expected)
      const pages: number[] = []
      for (let pageNumber = 1; pageNumber <= Math.ceil(TICKETS / 30); pageNumber++)
        pages.push(...(await idsOf(admin, { ...order, pageNumber })))
      expect(pages).toEqual(expected)
    })
    await fc.assert(property, { numRuns: breadth(3, 30) })
  })

  it('follows the last message where the tenant wants so', async () => {
    await make(product().platform).setting(tenantId, 'listByLastMessage')
    expect(await walk()).toEqual(ids.toReversed())
  })
})

describe('search', () => {
  let admin: Person
  let ana: Person
  let rita: number
  let group: number
  let hidden: number

  beforeAll(async () => {
    const tenantId = await m().tenant()
    const queue = await m().queue(tenantId)
    admin = await m().person(tenantId, { profile: 'admin' })
    ana = await m().person(tenantId, { queues: [queue] })
    const contact_id = await m().contact(tenantId, { name: 'Conceição Araújo', number: '5511987654321' })
    rita = await m().ticket(tenantId, { contact_id, queue_id: queue })
    hidden = await m().ticket(tenantId, { contact_id })
    group = await m().ticket(tenantId, {
      contact_id: await m().contact(tenantId, { name: '100%_certo' }),
      queue_id: queue,
    })
    const connection_id = await m().connection(tenantId)
    for (let n = 0; n < 310; n++) {
      const contact_id = await m().contact(tenantId, { name: `Cliente comum ${n}` })
      if (n % 10 === 0) await m().ticket(tenantId, { contact_id, connection_id })
    }
  })

  it.each(['conceicao', 'ARAÚJO', 'ceição ara', '987654321', '(11) 98765-4321', '+55 11 98765'])(
    'finds %s',
    async (term) => {
      expect(await idsOf(admin, { searchParam: term })).toEqual([hidden, rita])
      expect(await idsOf(ana, { searchParam: term })).toEqual([rita])
    },
  )

  it('finds the number of a ticket, and takes no sign for a wildcard', async () => {
    expect(await idsOf(ana, { searchParam: `#${rita}` })).toContain(rita)
    expect(await idsOf(ana, { searchParam: String(hidden) })).not.toContain(hidden)
    expect(await idsOf(admin, { searchParam: '%_' })).toEqual([group])
    expect(await idsOf(admin, { searchParam: 'ninguém' })).toEqual([])
    expect(await idsOf(admin, { searchParam: rita.toString(), tab: 'closed' })).toEqual([])
  })

  it('a term that very many contacts have is found as well, page by page', async () => {
    const first = await list(admin, { searchParam: 'cliente comum', count: true })
    expect([first.tickets.length, first.count]).toEqual([30, 31])
    const rest = await list(admin, { searchParam: 'cliente comum', cursor: first.nextCursor })
    expect(rest.tickets).toHaveLength(1)
    expect(await idsOf(ana, { searchParam: 'cliente comum' })).toEqual([])
  })
})
