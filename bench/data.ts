import pg from 'pg'
import type { Platform } from '#server/platform.ts'
import { make } from '#test/make.ts'

/** A tenant filled for measuring (docs/benchmarks.md says how). */
export type BenchTenant = {
  tenantId: number
  connectionId: number
  agentToken: string
  adminToken: string
  userTokens: string[]
  liveTickets: number[]
}

const SUBJECTS = ['entrega', 'boleto', 'garantia', 'horário', 'orçamento', 'troca', 'visita', 'pedido']

/** What the n-th message says, in the words of those that the tenant is filled with: a search finds old and new alike. */
export const sentence = (n: number): string =>
  `Mensagem ${n % 55} sobre ${SUBJECTS[n % SUBJECTS.length]} do pedido ${(n * 7) % 99_991}`

/**
 * One tenant with `messages` messages: a tenth as many contacts and tickets; 5 % of the tickets open, 5 % pending,
 * 90 % closed; open and pending ones hold about 55 messages, closed ones 5; 20 users, 5 queues.
 */
export async function fill(platform: Platform, ownerUrl: string, messages: number): Promise<BenchTenant> {
  const m = make(platform)
  const tenantId = await m.tenant(`Medida ${messages}`)
  const queues = await Promise.all(Array.from({ length: 5 }, (_, n) => m.queue(tenantId, { queue: `Fila ${n}` })))
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const admin = await m.user(tenantId, { profile: 'admin' })
  const agents = await Promise.all(
    Array.from({ length: 19 }, (_, n) => m.user(tenantId, { queues: [queues[n % 5]!, queues[(n + 1) % 5]!] })),
  )
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('update tenants set max_users = 50 where id = $1', [tenantId])
  const n = messages / 10
  await client.query(
    `insert into contacts (tenant_id, name, number)
     select $1, (array['Ana','Bruno','Carla','Davi','Elisa','Fábio','Gabriela','Heitor','Íris','João'])[1 + i % 10] || ' '
       || (array['Souza','Silva','Lima','Rocha','Melo','Dias','Nunes','Prado','Teles','Viana'])[1 + (i / 10) % 10] || ' ' || i, '55119' || (10000000 + i)
     from generate_series(1, $2::int) i`,
    [tenantId, n],
  )
  await client.query(
    `insert into tickets (tenant_id, status, user_id, queue_id, connection_id, contact_id, conversation_key, channel, last_message, last_message_at, updated_at, unread_messages)
     select $1, case when r % 20 = 0 then 'open' when r % 20 = 1 then 'pending' else 'closed' end,
       case when r % 20 = 1 then null else ($3::bigint[])[1 + r % 19] end, ($4::bigint[])[1 + r % 5], $2, c.id, 'k' || c.id, 'test',
       'Mensagem de ' || c.name, now() - make_interval(secs => r), now() - make_interval(secs => r), r % 3
     from (select id, name, row_number() over (order by id)::int as r from contacts where tenant_id = $1) c`,
    [tenantId, connectionId, agents.map((agent) => agent.id), queues],
  )
  await client.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, provider_id, from_me, status, body, timestamp)
     select t.tenant_id, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key, t.id || '-' || i, i % 2 = 0,
       case when i % 2 = 0 then 'read' else 'received' end,
       'Mensagem ' || i || ' sobre ' || ($2::text[])[1 + (t.id + i) % 8]
         || ' do pedido ' || (t.id * 7 + i) % 99991, t.updated_at - make_interval(secs => i * 60)
     from tickets t cross join lateral generate_series(1, case when t.status = 'closed' then 5 else 55 end) i where t.tenant_id = $1`,
    [tenantId, SUBJECTS],
  )
  await client.query('vacuum analyze contacts, tickets, messages')
  const { rows } = await client.query<{ id: string }>(
    "select id from tickets where tenant_id = $1 and status in ('open', 'pending') order by updated_at desc limit 400",
    [tenantId],
  )
  await client.end()
  return {
    tenantId,
    connectionId,
    agentToken: await m.token(agents[0]!),
    adminToken: await m.token(admin),
    userTokens: await Promise.all([admin, ...agents].map((user) => m.token(user))),
    liveTickets: rows.map((row) => Number(row.id)),
  }
}
