import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { messages } from './messages-contract.ts'

const product = withProduct()
let tenantId: number
let queues: { theirs: number; ours: number }
let admin: string
let agent: string

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  queues = { theirs: await m.queue(tenantId), ours: await m.queue(tenantId) }
  admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  agent = await m.token(await m.user(tenantId, { queues: [queues.ours] }))
})

async function conversation(queueId: number, bodies: number, at: string, body: string): Promise<number> {
  const ticketId = await make(product().platform).ticket(tenantId, { queue_id: queueId })
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
     select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, false, 'received', $4, $5
     from tickets, generate_series(1, $3) where tenant_id = $1 and id = $2`,
    [tenantId, ticketId, bodies, body, at],
  )
  await owner.end()
  return ticketId
}

type Answer = {
  tickets: { ticket: { id: number }; messages: { id: string; seq: number }[] }[]
  hasMore: boolean
  nextCursor: string | null
}

async function pages(token: string, query: { searchParam: string; ticketId?: number }): Promise<Answer[]> {
  const all: Answer[] = []
  let cursor: string | undefined
  do {
    const { status, body } = await call(product(), messages.search, token, { query: { ...query, cursor } as never })
    expect(status).toBe(200)
    all.push(body)
    cursor = all.at(-1)!.nextCursor ?? undefined
  } while (cursor)
  return all
}

const found = (answers: Answer[]) =>
  answers.flatMap((answer) => answer.tickets.flatMap(({ messages }) => messages.map(({ seq }) => seq)))

it('a search pages through messages of one moment, each once, newest first', async () => {
  const ticketId = await conversation(queues.theirs, 200, '2026-01-05T12:00:00Z', 'Segue o orçamento')
  for (const query of [{ searchParam: 'orcamento' }, { searchParam: 'orçamento', ticketId }]) {
    const seqs = found(await pages(admin, query))
    expect(seqs).toHaveLength(200)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => b - a))
  }
})

it('what somebody may see is found behind however many messages that they may not', async () => {
  await conversation(queues.theirs, 1500, '2026-02-05T12:00:00Z', 'A garantia vale um ano')
  const mine = await conversation(queues.ours, 40, '2026-01-05T12:00:00Z', 'E a garantia?')
  const answers = await pages(agent, { searchParam: 'garantia' })
  expect(answers[0]).toMatchObject({ tickets: [], hasMore: true })
  expect(found(answers)).toHaveLength(40)
  expect(new Set(answers.flatMap((answer) => answer.tickets.map(({ ticket }) => ticket.id)))).toEqual(new Set([mine]))
})

it('a rare word is found behind however many messages that do not have it', async () => {
  const ticketId = await conversation(queues.ours, 1, '2025-01-05T12:00:00Z', 'O guarda-chuva amarelo')
  await conversation(queues.ours, 4000, '2026-03-05T12:00:00Z', 'Bom dia')
  const answers = await pages(agent, { searchParam: 'amarelo' })
  expect(answers.map(({ tickets }) => tickets.map(({ ticket }) => ticket.id))).toEqual([[ticketId]])
})
