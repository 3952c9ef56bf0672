import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allOf, type Criteria, evaluate } from '#domain/criteria.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { attendanceFilter, inTab } from '#domain/tickets/filter.ts'
import {
  accessTo,
  explain,
  type VisibilityRule,
  type VisibilitySettings,
  visibleTo,
} from '#domain/tickets/visibility.ts'
import { findTicket } from '#features/ledger/server/rows/queries.ts'
import { factsOf } from '#features/ledger/server/rows/rows.ts'
import {
  type Counted,
  countTabs,
  countTickets,
  type Order,
  pageOfTickets,
} from '#features/tickets/server/list/queries-list.ts'
import { type Database, openDatabase } from '#server/db/db.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { createLog } from '#server/log.ts'
import { type Ids, visibilityCases } from '#test/arbitraries.ts'
import { make } from '#test/make.ts'
import { createDatabase, testSecrets } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { ticketsWhere } from './server/queries-visibility.ts'

const TICKETS = 250

let db: Database
let tenantId: number
let ids: Ids
let facts: ReadonlyMap<number, TicketFacts>
let stages = 0

beforeAll(async () => {
  const urls = databaseUrls(await createDatabase(), { DB_ROLE_PREFIX: 'guiche' }, testSecrets)
  db = openDatabase(urls, { max: 2, log: createLog({ LOG_LEVEL: 'fatal' }), now: () => new Date() })
  const rows = make({ db } as Parameters<typeof make>[0])
  tenantId = await rows.tenant()
  const three = async (one: () => Promise<number>) => [await one(), await one(), await one()]
  ids = {
    users: await three(async () => (await rows.user(tenantId)).id),
    queues: await three(() => rows.queue(tenantId)),
    connections: await three(() => rows.connection(tenantId)),
    tags: await three(() => rows.tag(tenantId)),
    others: await three(() =>
      rows.insert('stages', tenantId, { name: `Etapa ${++stages}`, color: '#1C5D99', position: stages }),
    ),
  }
  const samples = fc.sample(visibilityCases(ids).ticket, { numRuns: TICKETS, seed: 20261120 })
  facts = new Map(await Promise.all(samples.map(async (sample) => [await insert(rows, sample), sample] as const)))
})

afterAll(() => db.close())

async function insert(rows: ReturnType<typeof make>, ticket: TicketFacts): Promise<number> {
  const contactId = await rows.contact(tenantId)
  const id = await rows.ticket(tenantId, {
    contact_id: contactId,
    connection_id: ticket.whatsappId,
    status: ticket.status,
    is_group: ticket.isGroup,
    user_id: ticket.userId,
    queue_id: ticket.queueId,
    chat_flow_id: ticket.chatFlowId,
    assistants: JSON.stringify(ticket.isAssisted ? { gemini: true } : {}),
    snoozed_until: ticket.snoozed ? new Date(Date.UTC(2050, 0, 1)) : null,
    kanban: ticket.kanban,
    unread_messages: ticket.unread ? 2 : 0,
  })
  const tenant = { tenant_id: tenantId }
  await db.asPlatform(async (tx) => {
    for (const tag_id of ticket.tagIds)
      await tx
        .insertInto('ticket_tags')
        .values({ ...tenant, ticket_id: id, tag_id })
        .execute()
    for (const user_id of ticket.wallets)
      await tx
        .insertInto('contact_wallets')
        .values({ ...tenant, contact_id: contactId, user_id })
        .execute()
    for (const user_id of ticket.groupUserIds)
      await tx
        .insertInto('ticket_group_users')
        .values({ ...tenant, ticket_id: id, user_id })
        .execute()
  })
  return id
}

async function idsWhere(criteria: Parameters<typeof ticketsWhere>[0]): Promise<number[]> {
  const found = await db.read(tenantId, (tenant) =>
    tenant.selectFrom('tickets as t').select('t.id').where(ticketsWhere(criteria, 't')).orderBy('t.id').execute(),
  )
  return found.map((row) => row.id)
}

const idsInMemory = (criteria: Parameters<typeof ticketsWhere>[0]): number[] =>
  [...facts]
    .filter(([, ticket]) => evaluate(criteria, ticket))
    .map(([id]) => id)
    .sort((a, b) => a - b)

/** Ids of the tickets that `explain` shows, and how often each rule decided. */
function explained(decided: Map<VisibilityRule, number>, ...question: Tail<Parameters<typeof explain>>): number[] {
  const shown: number[] = []
  for (const [id, ticket] of facts) {
    const { visible, rule } = explain(ticket, ...question)
    decided.set(rule, (decided.get(rule) ?? 0) + 1)
    if (visible) shown.push(id)
  }
  return shown.sort((a, b) => a - b)
}
type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never

test('what is read back of a ticket is what the rules were told of it', async () => {
  for (const [id, ticket] of facts) {
    const read = factsOf((await db.read(tenantId, (tenant) => findTicket(tenant, id)))!)
    const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b)
    const lists = (one: TicketFacts) => [one.tagIds, one.wallets, one.groupUserIds].map(sorted)
    expect({ ...read, tagIds: [], wallets: [], groupUserIds: [] }).toEqual({
      ...ticket,
      tagIds: [],
      wallets: [],
      groupUserIds: [],
    })
    expect(lists(read)).toEqual(lists(ticket))
  }
})

describe('the database, memory and the explanation read the same criteria alike', () => {
  test('for lists of any viewer, settings and filter; every rule decides many of them', async () => {
    const { viewer, settings, filter } = visibilityCases(ids)
    const decided = new Map<VisibilityRule, number>()
    let shown = 0
    await fc.assert(
      fc.asyncProperty(viewer, settings, fc.oneof(filter, fc.constant(attendanceFilter())), async (v, s, f) => {
        const criteria = visibleTo(v, s, f)
        const expected = idsInMemory(criteria)
        shown += expected.length
        expect(await idsWhere(criteria)).toEqual(expected)
        expect(explained(decided, v, s, f)).toEqual(expected)
      }),
      { numRuns: breadth(300, 1500) },
    )
    expect(shown).toBeGreaterThan(breadth(300, 1500))
    const rules: VisibilityRule[] = [
      ...(['tab', 'showAll', 'closedForAll', 'status', 'narrowing', 'groups'] as const),
      ...(['own', 'chatbot', 'queues', 'wallets', 'assigned', 'unrefused'] as const),
    ]
    expect([...decided.keys()].sort()).toEqual(rules.sort())
    for (const rule of rules) expect(decided.get(rule), rule).toBeGreaterThan(breadth(10, 50))
  })

  test('for pages and counts of lists, by whatever way they are read', async () => {
    const { viewer, settings, filter } = visibilityCases(ids)
    const order = fc.constantFrom<Exclude<Order, 'sla_due_at'>[]>('updated_at', 'last_message_at')
    const source = { kind: 'all' } as const
    const counted: Record<Counted, Criteria<TicketFacts>> = {
      open: allOf(inTab('open', { showChatBot: false }), { field: 'isGroup', in: [false] }),
      groups: { field: 'isGroup', in: [true] },
      pending: inTab('pending', { showChatBot: true }),
      waiting: true,
      snoozed: inTab('snoozed', { showChatBot: false }),
      chatbot: inTab('chatbot', { showChatBot: false }),
    }
    let shown = 0
    await fc.assert(
      fc.asyncProperty(
        viewer,
        settings,
        fc.oneof(filter, fc.constant(attendanceFilter())),
        order,
        async (v, s, f, o) => {
          const listed = { source, criteria: visibleTo(v, s, f), where: [] }
          const page = { ...listed, order: o, offset: 0, oldestFirst: false, viewerId: v.id }
          const [whole, first, count, tabs] = await db.read(tenantId, async (tenant) => [
            await pageOfTickets(tenant, { ...page, after: null, limit: 1000 }),
            await pageOfTickets(tenant, { ...page, after: null, limit: 7 }),
            await countTickets(tenant, { ...listed, most: 1000 }),
            await countTabs(tenant, { ...listed, counted }),
          ])
          const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
          const expected = idsInMemory(listed.criteria)
          shown += expected.length
          expect(idsOf(whole).toSorted((a, b) => a - b)).toEqual(expected)
          const places = whole.map((row) => row[o].getTime())
          expect(places).toEqual(places.toSorted((a, b) => b - a))
          expect(idsOf(first)).toEqual(idsOf(whole).slice(0, 7))
          expect(count).toBe(expected.length)
          for (const name of ['open', 'pending', 'groups', 'snoozed', 'chatbot'] as const)
            expect(tabs[name]).toBe(expected.filter((id) => evaluate(counted[name], facts.get(id)!)).length)
          const last = first.at(-1)
          if (!last) return
          const next = await db.read(tenantId, (tenant) =>
            pageOfTickets(tenant, { ...page, after: { at: last.position, id: last.id }, limit: 7 }),
          )
          expect(idsOf(next)).toEqual(idsOf(whole).slice(7, 14))
        },
      ),
      { numRuns: breadth(20, 80) },
    )
    expect(shown).toBeGreaterThan(breadth(75, 300))
  })

  test('for the right to see at all, and its opposite', async () => {
    const { viewer, settings } = visibilityCases(ids)
    const decided = new Map<VisibilityRule, number>()
    await fc.assert(
      fc.asyncProperty(viewer, settings, async (v, s) => {
        const criteria = accessTo(v, s)
        const [seen, unseen] = [await idsWhere(criteria), await idsWhere({ not: criteria })]
        expect(seen).toEqual(idsInMemory(criteria))
        expect(explained(decided, v, s, null)).toEqual(seen)
        expect([...seen, ...unseen].sort((a, b) => a - b)).toEqual([...facts.keys()].sort((a, b) => a - b))
      }),
      { numRuns: breadth(100, 500) },
    )
    expect([...decided.keys()].sort()).toEqual(
      ['assigned', 'chatbot', 'closedForAll', 'groups', 'own', 'queues', 'showAll', 'unrefused', 'wallets'].sort(),
    )
  })
})

test.each([
  ['an agent’s list', attendanceFilter(), /tickets_live/],
  ['the open tab', attendanceFilter({ tab: 'open' }), /tickets_(open|live)/],
  ['the pending tab', attendanceFilter({ tab: 'pending' }), /tickets_(pending|live)/],
])('%s is read through its partial index', async (_name, filter, index) => {
  const settings: VisibilitySettings = {
    showGroupsForAll: false,
    showClosedForAll: false,
    supervisorsLimited: false,
    nullTickets: true,
    notViewTicketsChatBot: false,
    directTicketsToWallets: true,
    notViewAssignedTickets: false,
    tenantHasQueues: true,
    showChatBot: false,
  }
  const criteria = visibleTo({ id: ids.users[0]!, profile: 'user', queueIds: [...ids.queues] }, settings, filter)
  const plan = await db.write(tenantId, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const list = tx
      .selectFrom('tickets as t')
      .select('t.id')
      .where(ticketsWhere(criteria, 't'))
      .orderBy('t.updated_at', 'desc')
      .orderBy('t.id', 'desc')
      .limit(30)
    return sql<{ 'QUERY PLAN': string }>`explain ${list}`.execute(tx)
  })
  const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(lines).toMatch(index)
  expect(lines).not.toMatch(/Sort/)
})
