import { createHash } from 'node:crypto'
import type pg from 'pg'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import type { Product } from '#test/product.ts'
import { asOwner } from './database.ts'

/** Tenant filled for measuring, as described in docs/benchmarks.md. */
export type BenchTenant = {
  tenantId: number
  connectionId: number
  agentToken: string
  adminToken: string
  userTokens: string[]
  /** Open and pending tickets that the agent may see, with their newest message: at most 400. */
  live: { ticketId: number; messageId: string }[]
  /** Search terms for contacts, each with one match at any size. */
  searchTerms: string[]
}

const LIVE = 400

const SUBJECTS = ['entrega', 'boleto', 'garantia', 'horário', 'orçamento', 'troca', 'visita', 'pedido']

/**
 * Returns the text of the n-th message, in the words that the tenant is filled with, so that a search finds old and new
 * messages alike.
 */
export const sentence = (n: number): string =>
  `Mensagem ${n % 55} sobre ${SUBJECTS[n % SUBJECTS.length]} do pedido ${(n * 7) % 99_991}`

/**
 * One tenant with `messages` messages: a tenth as many contacts and tickets; 5 % of the tickets open, 5 % pending,
 * 90 % closed; open and pending ones hold about 55 messages, closed ones 5; 20 users, 5 queues, 5 stages. Every ninth message is a
 * picture, every seventh quotes the one before.
 */
export async function fill({ platform, address }: Product, ownerUrl: string, messages: number): Promise<BenchTenant> {
  const m = make(platform)
  const tenantId = await m.tenant(`Medida ${messages}`)
  const queues = await Promise.all(Array.from({ length: 5 }, (_, n) => m.queue(tenantId, { queue: `Fila ${n}` })))
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const admin = await m.user(tenantId, { profile: 'admin' })
  const agents = await Promise.all(
    Array.from({ length: 19 }, (_, n) => m.user(tenantId, { queues: [queues[n % 5]!, queues[(n + 1) % 5]!] })),
  )
  const n = messages / 10
  await asOwner(ownerUrl, async (client) => {
    await client.query('update tenants set max_users = 50 where id = $1', [tenantId])
    await insertTickets(client, { tenantId, connectionId, agents: agents.map(({ id }) => id), queues, amount: n })
    await client.query(
      `insert into files (tenant_id, id, sha256, path, name, mime, size, width, height)
     select $1, ${uuid("'file ' || i")}, md5(i::text), 'foto-' || i, 'foto-' || i || '.jpg', 'image/jpeg', 90000 + i, 1280, 960
     from generate_series(0, 99) i`,
      [tenantId],
    )
    await client.query(
      `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, provider_id, from_me, status,
       media_type, file_id, quoted_id, body, timestamp)
     select t.tenant_id, ${uuid("t.id || '-' || i")}, t.id, t.contact_id, t.connection_id, t.conversation_key, t.id || '-' || i, i % 2 = 0,
       case when i % 2 = 0 then 'read' else 'received' end,
       case when i % 9 = 0 then 'image' else 'text' end, case when i % 9 = 0 then ${uuid("'file ' || (t.id + i) % 100")} end,
       case when i % 7 = 0 then ${uuid("t.id || '-' || i - 1")} end,
       'Mensagem ' || i || ' sobre ' || ($2::text[])[1 + (t.id + i) % 8]
         || ' do pedido ' || (t.id * 7 + i) % 99991, t.updated_at - make_interval(secs => i * 60)
     from tickets t cross join lateral generate_series(1, case when t.status = 'closed' then 5 else 55 end) i where t.tenant_id = $1`,
      [tenantId, SUBJECTS],
    )
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  const agentToken = await m.token(agents[0]!)
  return {
    tenantId,
    connectionId,
    agentToken,
    adminToken: await m.token(admin),
    userTokens: await Promise.all([admin, ...agents].map((user) => m.token(user))),
    // The message of the first minute is the newest.
    live: (await listed(address, agentToken)).map((ticketId) => ({ ticketId, messageId: uuidOf(`${ticketId}-1`) })),
    // Every tenth of the ten family names in turn; one contact each.
    searchTerms: Array.from(
      { length: Math.min(200, n / 100) },
      (_, k) => `souza ${String(k * 100 + 5).padStart(7, '0')}`,
    ),
  }
}

type NewTickets = { tenantId: number; connectionId: number; agents: number[]; queues: number[]; amount: number }

// As many contacts, each with one ticket: 5 % open, 5 % pending, 90 % closed; five of six in the company's stages.
async function insertTickets(
  client: pg.Client,
  { tenantId, connectionId, agents, queues, amount }: NewTickets,
): Promise<void> {
  await client.query(
    `insert into stages (tenant_id, name, color, position) select $1, 'Etapa ' || i, '#3874B6', i from generate_series(1, 5) i`,
    [tenantId],
  )
  await client.query(
    `insert into contacts (tenant_id, name, number, kanban, kanban_order)
   select $1, (array['Ana','Bruno','Carla','Davi','Elisa','Fábio','Gabriela','Heitor','Íris','João'])[1 + i % 10] || ' '
     || (array['Souza','Silva','Lima','Rocha','Melo','Dias','Nunes','Prado','Teles','Viana'])[1 + (i / 10) % 10] || ' ' || lpad(i::text, 7, '0'), '55119' || (10000000 + i),
     s.id, case when s.id is not null then 'g' || lpad(i::text, 7, '0') end
   from generate_series(1, $2::int) i left join stages s on s.tenant_id = $1 and s.position = i % 6`,
    [tenantId, amount],
  )
  await client.query(
    `insert into tickets (tenant_id, status, user_id, queue_id, connection_id, contact_id, conversation_key, channel, last_message, last_message_at, updated_at, unread_messages)
   select $1, case when r % 20 = 0 then 'open' when r % 20 = 1 then 'pending' else 'closed' end,
     case when r % 20 = 1 then null else ($3::bigint[])[1 + r % cardinality($3::bigint[])] end, ($4::bigint[])[1 + r % cardinality($4::bigint[])], $2, c.id, 'k' || c.id, 'test',
     'Mensagem de ' || c.name, now() - make_interval(secs => r), now() - make_interval(secs => r), r % 3
   from (select id, name, row_number() over (order by id)::int as r from contacts where tenant_id = $1) c`,
    [tenantId, connectionId, agents, queues],
  )
}

/** Keys of the conversations that receive messages while the long list is scrolled. */
export const TALKING = Array.from({ length: 200 }, (_, n) => `k-lista-${n}`)

/**
 * Fills a company with a long list: `amount` tickets without messages, and 200 with conversations, all of one administrator.
 */
export async function fillList({ platform }: Product, ownerUrl: string, amount: number): Promise<ListTenant> {
  const m = make(platform)
  const tenantId = await m.tenant(`Lista ${amount}`)
  const queues = [await m.queue(tenantId, { queue: 'Fila' })]
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const admin = await m.user(tenantId, { profile: 'admin' })
  await asOwner(ownerUrl, async (client) => {
    await insertTickets(client, { tenantId, connectionId, agents: [admin.id], queues, amount })
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  await receive(
    platform,
    { tenantId, connectionId },
    TALKING.map((from) => textEvent({ from, body: sentence(0) })),
  )
  await ingestIdle(platform)
  return { tenantId, connectionId, email: admin.email }
}

/** Company with a long list: the connection of its messages, and the user who views it. */
export type ListTenant = { tenantId: number; connectionId: number; email: string }

/** An id that follows from a text, in SQL and here. */
const uuid = (text: string): string => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`
const uuidOf = (text: string): string =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')

/** Returns the ids of the first tickets of a user's list, page by page. */
async function listed(address: string, token: string): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null = ''; cursor !== null && ids.length < LIVE; ) {
    const page = await readList(address, token, { cursor })
    ids.push(...page.tickets.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids.slice(0, LIVE)
}

/** The page of a list of tickets behind a cursor (the first one: ''). */
export async function readList(
  address: string,
  token: string,
  query: { cursor: string; showAll?: 'true' },
): Promise<{ tickets: { id: number }[]; nextCursor: string | null }> {
  const answer = await fetch(`${address}/api/tickets?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`GET /api/tickets: ${answer.status}`)
  return (await answer.json()) as { tickets: { id: number }[]; nextCursor: string | null }
}
