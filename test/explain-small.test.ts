import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findContacts } from '#features/contacts/server/queries-identities.ts'
import { lockReceipted, setLastStatus, setStatuses } from '#features/ledger/server/outbox/receipt-queries.ts'
import { findSentCounts, saveSentCounts } from '#features/ledger/server/texts/queries.ts'
import {
  knownProviderIds,
  type LedgerTicket,
  lockConversations,
  touchTickets,
} from '#features/ledger/server/ticket/queries.ts'
import { pageOfMessages } from '#features/messages/server/read/page-queries.ts'
import { pageOfTickets } from '#features/tickets/server/list/queries-list.ts'
import { ticketsWhere } from '#features/visibility/server/queries-visibility.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { explainingDatabase } from './explaining.ts'
import { company, grow } from './load-fixture.ts'
import { createDatabase, testSecrets } from './server.ts'

// A plan is kept until its tables are analysed again: one that reads them from end to end while they are small goes on
// doing so while they grow.
let owner: pg.Client
let eyes: Awaited<ReturnType<typeof explainingDatabase>>
let ticketId: number

beforeAll(async () => {
  const url = await createDatabase()
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const tenantId = await company(owner, 'Nova')
  await grow(owner, tenantId, 0, 1000)
  const { rows } = await owner.query<{ id: number }>('select id from tickets where tenant_id = $1 limit 1', [tenantId])
  ticketId = rows[0]!.id
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, user_id, from_me, status, body, timestamp)
     select t.tenant_id, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key, (select id from users u where u.tenant_id = t.tenant_id limit 1),
       true, 'sent', 'mensagem ' || n, now() - n * interval '1 minute' from tickets t, generate_series(1, 60) n where t.id = $1`,
    [ticketId],
  )
  await owner.query(
    `update messages m set quoted_id = (select id from messages q where q.tenant_id = m.tenant_id and q.ticket_id = m.ticket_id limit 1)
     where ticket_id = $1 and user_id is not null`,
    [ticketId],
  )
  eyes = await explainingDatabase(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets).app, tenantId)
})

// Also before a repetition: what another process of the server still looked at is left for the next time.
beforeEach(async () => void (await owner.query('vacuum analyze')))

afterAll(async () => {
  await eyes.close()
  await owner.end()
})

test.each(['ticket', 'channel', 'queue', 'contact'] as const)(
  'what the bubbles of a chat show is looked up by key, in a company of the first day: the stream of a %s',
  async (scope) => {
    const open = { visible: ticketsWhere(true), scope, readerId: 1, direction: 'older', from: null, limit: 31 } as const
    let shown: Awaited<ReturnType<typeof pageOfMessages>> = []
    const [plan, ...more] = await eyes.plansOf(async () => {
      shown = await pageOfMessages(eyes.db, ticketId, open)
    })
    expect(more).toEqual([])
    expect(shown).toHaveLength(31)
    for (const row of shown) expect([row.contact_name, row.user_name, row.quoted_body]).not.toContain(null)
    // The contact of the conversation, and its representative.
    expect(plan!.read.get('contacts')).toBeLessThanOrEqual(2)
    expect(plan!.read.get('messages')).toBeLessThan(100)
    expect(plan!.buffers).toBeLessThan(45)
  },
)

test('a conversation’s person is found by key, however many contacts are others’', async () => {
  await owner.query(
    `update contacts c set merged_into = (select contact_id from tickets where id = $1)
    from tickets t where t.contact_id = c.id and t.id between $1 + 1 and $1 + 2`,
    [ticketId],
  )
  await owner.query(
    `update contacts c set merged_into = (select contact_id from tickets where id = $1 + 3)
    from tickets t where t.contact_id = c.id and t.id between $1 + 4 and $1 + 600`,
    [ticketId],
  )
  const open = {
    visible: ticketsWhere(true),
    scope: 'channel',
    readerId: 1,
    direction: 'older',
    from: null,
    limit: 31,
  } as const
  let shown: Awaited<ReturnType<typeof pageOfMessages>> = []
  const [plan] = await eyes.plansOf(async () => {
    shown = await pageOfMessages(eyes.db, ticketId, open)
  })
  expect(new Set(shown.map(({ contact_name }) => contact_name)).size).toBe(1)
  expect(plan!.read.get('contacts')).toBeLessThanOrEqual(4)
})

test('what the rows of a list show is looked up by key, in a company of the first day', async () => {
  const everyone = { source: { kind: 'all' }, order: 'updated_at', after: null, offset: 0, oldestFirst: false } as const
  let shown: Awaited<ReturnType<typeof pageOfTickets>> = []
  const [plan, ...more] = await eyes.plansOf(async () => {
    shown = await pageOfTickets(eyes.db, { criteria: true, where: [], ...everyone, limit: 31, viewerId: 1 })
  })
  expect(more).toEqual([])
  expect(shown).toHaveLength(31)
  expect(plan!.read.get('contacts')).toBe(31)
  expect(plan!.read.get('tickets')).toBeLessThan(100)
})

test('what a batch writes is looked up by key, in a company of the first day', async () => {
  let tickets: LedgerTicket[] = []
  const { rows } = await owner.query<{ connection_id: string; conversation_key: string; provider_id: string }>(
    "select connection_id, conversation_key, provider_id from messages where provider_id = 'p500'",
  )
  const { conversation_key: line, provider_id: providerId } = rows[0]!
  const connectionId = Number(rows[0]!.connection_id)
  const plans = await eyes.plansOf(async () => {
    await knownProviderIds(eyes.tx, [{ connectionId, providerId }])
    await findContacts(eyes.tx, [{ channel: 'lab', identity: line, name: 'Cliente', number: line, email: '' }])
    tickets = await lockConversations(eyes.tx, [
      { connectionId, channel: 'lab', conversationKey: line, isGroup: false },
    ])
    const [ticket] = tickets
    await touchTickets(
      eyes.tx,
      [
        {
          id: ticket!.id,
          unread: 1,
          answered: false,
          lastMessage: 'Oi',
          lastMessageFromMe: false,
          lastMessageSender: null,
          lastMessageStatus: 'received',
          lastMessageAt: 1,
          conversationKey: '55',
          lastMessageReceivedAt: 1,
          waitingSince: 1,
          status: 'open',
          closedAt: null,
          wakes: false,
        },
      ],
      new Date(),
    )
    await saveSentCounts(eyes.tx, await findSentCounts(eyes.tx, [ticket!.id]))
    const [receipted] = await lockReceipted(eyes.tx, [{ connectionId, providerId }])
    await setStatuses(eyes.tx, [{ id: receipted!.id, status: 'read', errorCode: null }])
    await setLastStatus(eyes.tx, [{ ticketId: ticket!.id, status: 'read' }])
  })
  expect(tickets).toHaveLength(1)
  for (const { sql, read } of plans)
    for (const table of ['messages', 'tickets', 'contacts', 'contact_identities'])
      expect(read.get(table) ?? 0, `${table}: ${sql.trim().slice(0, 80)}`).toBeLessThanOrEqual(3)
})
