import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type BenchTenant, sentence } from './data.ts'
import { closedLoop, type Measure } from './loop.ts'

/** Upper limits on the same data: the driver and the database without HTTP, permissions or events. */
export type Limits = {
  list(clients: number): Promise<Measure>
  chat(clients: number): Promise<Measure>
  search(clients: number): Promise<Measure>
  write(clients: number): Promise<Measure>
  end(): Promise<void>
}

/** The raw limits, each measured when it is asked for: as the owner, no row policies, prepared statements, JSON text. */
export function rawLimits(ownerUrl: string, tenant: BenchTenant): Limits {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 16 })
  const { tenantId, live, searchTerms } = tenant
  let next = 0
  const ticket = () => live[next++ % live.length]!.ticketId
  const list = async () => {
    const { rows } = await pool.query({
      name: 'list',
      text: `select t.id, t.status, t.user_id, t.queue_id, t.contact_id, t.unread_messages, t.last_message, t.last_message_at, t.updated_at, c.name, c.number
        from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
        where t.tenant_id = $1 and t.status in ('open', 'pending') order by t.updated_at desc, t.id desc limit 40`,
      values: [tenantId],
    })
    JSON.stringify(rows)
  }
  const chat = async () => {
    const { rows } = await pool.query({
      name: 'chat',
      text: 'select id, body, from_me, status, timestamp from messages where tenant_id = $1 and ticket_id = $2 order by timestamp desc, seq desc limit 30',
      values: [tenantId, ticket()],
    })
    JSON.stringify(rows)
  }
  const search = async () => {
    const { rows } = await pool.query({
      name: 'search',
      text: `select t.id, t.status, t.user_id, t.queue_id, t.contact_id, t.unread_messages, t.last_message, t.last_message_at, t.updated_at, c.name, c.number
        from contacts c join tickets t on t.tenant_id = c.tenant_id and t.contact_id = c.id
        where c.tenant_id = $1 and c.search_text like '%' || $2 || '%' order by t.updated_at desc, t.id desc limit 40`,
      values: [tenantId, searchTerms[next++ % searchTerms.length]],
    })
    JSON.stringify(rows)
  }
  const write = async () => {
    const id = ticket()
    const body = sentence(next)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({
        name: 'insert',
        text: `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, provider_id, from_me, status, body, timestamp)
          select tenant_id, $3, id, contact_id, connection_id, conversation_key, $4, false, 'received', $5, now() from tickets where tenant_id = $1 and id = $2`,
        values: [tenantId, id, randomUUID(), randomUUID(), body],
      })
      await client.query({
        name: 'touch',
        text: 'update tickets set last_message = $3, last_message_at = now(), unread_messages = unread_messages + 1 where tenant_id = $1 and id = $2',
        values: [tenantId, id, body],
      })
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const limit = (work: () => Promise<unknown>) => (clients: number) => closedLoop(clients, work)
  return { list: limit(list), chat: limit(chat), search: limit(search), write: limit(write), end: () => pool.end() }
}
