import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { messages } from './contract.ts'

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

async function asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

async function conversation(queueId: number, bodies: number, at: string, body: string): Promise<number> {
  const ticketId = await make(product().platform).ticket(tenantId, { queue_id: queueId })
  await asOwner((owner) =>
    owner.query(
      `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
     select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, false, 'received', $4, $5
     from tickets, generate_series(1, $3) where tenant_id = $1 and id = $2`,
      [tenantId, ticketId, bodies, body, at],
    ),
  )
  return ticketId
}

type Answer = {
  tickets: { ticket: { id: number }; messages: { id: string; seq: number }[] }[]
  hasMore: boolean
  nextCursor: string | null
}

type Query = { searchParam: string; ticketId?: number; fromMe?: boolean; mediaType?: string[]; since?: number }

async function pages(token: string, query: Query & Record<string, unknown>, most = Number.POSITIVE_INFINITY) {
  const all: Answer[] = []
  let cursor: string | undefined
  do {
    const { status, body } = await call(product(), messages.search, token, { query: { ...query, cursor } as never })
    expect(status).toBe(200)
    all.push(body)
    cursor = all.at(-1)!.nextCursor ?? undefined
  } while (cursor && all.length < most)
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

it('over all messages one part has three letters, within a ticket any length is enough', async () => {
  const ticketId = await conversation(queues.ours, 1, '2026-01-02T12:00:00Z', 'É às 7h, à vista')
  for (const searchParam of ['', 'ab', 'às 7h à', '🙂🙂']) {
    const { status, body } = await call(product(), messages.search, agent, { query: { searchParam } })
    expect(status, searchParam).toBe(400)
    expect(body).toMatchObject({ details: { searchParam: 'Escreva ao menos uma palavra de 3 letras.' } })
  }
  expect(found(await pages(agent, { searchParam: 'AS 7h a', ticketId }))).toHaveLength(1)
  expect((await call(product(), messages.search, agent, { query: { searchParam: ' ', ticketId } })).status).toBe(400)
})

it('follows what is edited and what is taken back', async () => {
  const ticketId = await conversation(queues.ours, 1, '2026-01-02T12:00:00Z', 'O pássaro azul')
  const change = (set: string) =>
    asOwner((owner) => owner.query(`update messages set ${set} where ticket_id = $1`, [ticketId]))
  const hits = async (searchParam: string) => found(await pages(agent, { searchParam })).length
  expect(await hits('passaro azul')).toBe(1)
  await change(`body = 'O pássaro verde'`)
  expect([await hits('passaro azul'), await hits('passaro verde')]).toEqual([0, 1])
  await change('is_deleted = true')
  expect(await hits('passaro')).toBe(0)
})

// Each alone and between words: letters that fold, SQL wildcards, and texts without letters.
const PIECES =
  'boleto BOLETO Ação acao ção é São 50% 100% a_b ab _ % %% __ "oi" \'x\' \\ \\% 🙂 👍🏽 🙂🙂🙂 12 12345 345 nf NF-e ß ½ 日本語 привет e\u0301 Jose\u0301 ... de o -- ;'.split(
    ' ',
  )
const WORDS = Array.from({ length: 120 }, (_, n) => `p${(n * 7919).toString(26)}á${n % 13}`)
const piece = fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...WORDS))
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(' '))
const said = fc.record({
  body: text,
  file: fc.option(text, { freq: 4 }),
  isDeleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  fromMe: fc.boolean(),
  kind: fc.constantFrom('text', 'document'),
  minute: fc.integer({ min: 0, max: 40_000 }),
})
const part = fc
  .tuple(piece, fc.nat(4), fc.nat(6))
  .map(([whole, from, length]) => [...whole].slice(from, from + length + 1).join('') || whole)
const AMOUNT = 10_000
const START = Date.parse('2026-01-01T00:00:00Z')
type Told = {
  seq: number
  queue: number
  ticket: number
  text: string
  file: string
  mine: boolean
  kind: string
  at: number
}

/** Returns all messages of the company as a naive search compares them: folded, newest first, without deleted ones. */
async function everything(): Promise<Told[]> {
  const { rows } = await asOwner((owner) =>
    owner.query<Told>(
      `select m.seq::int, t.queue_id::int as queue, m.ticket_id::int as ticket, app.fold(m.body) as text, app.fold(coalesce(f.name, '')) as file,
         m.from_me as mine, m.media_type as kind, extract(epoch from m.timestamp)::float8 * 1000 as at
       from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
       left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
       where m.tenant_id = $1 and not m.is_deleted order by m.timestamp desc, m.seq desc`,
      [tenantId],
    ),
  )
  return rows
}

const folded = async (parts: readonly string[]): Promise<string[]> =>
  (await asOwner((owner) => owner.query('select app.fold(p) as p from unnest($1::text[]) p', [parts]))).rows.map(
    (row: { p: string }) => row.p,
  )

it('finds what a slow reader finds who folds and compares every visible message', { timeout: 360_000 }, async () => {
  const m = make(product().platform)
  const tickets = await Promise.all(
    Array.from({ length: 12 }, (_, n) => m.ticket(tenantId, { queue_id: n % 3 ? queues.ours : queues.theirs })),
  )
  const drafts = fc
    .sample(said, { numRuns: AMOUNT, seed: 11 })
    .map((one, n) => ({ ...one, file: one.file || null, ticket: tickets[n % tickets.length], n }))
  await asOwner(async (owner) => {
    await owner.query(
      `create temp table d as select gen_random_uuid() as file_id, d.* from jsonb_to_recordset($1::jsonb) as d
         (body text, file text, "isDeleted" boolean, "fromMe" boolean, kind text, minute int, ticket bigint, n int)`,
      [JSON.stringify(drafts)],
    )
    await owner.query(
      `insert into files (tenant_id, id, sha256, path, name, mime, size)
       select $1, file_id, 'f' || n, 'f' || n, file, 'text/plain', 1 from d where file is not null`,
      [tenantId],
    )
    await owner.query(
      `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, media_type, body, file_id, is_deleted, timestamp)
       select t.tenant_id, gen_random_uuid(), t.id, t.contact_id, t.connection_id, t.conversation_key, "fromMe", case when "fromMe" then 'read' else 'received' end,
         kind, body, case when file is not null then file_id end, "isDeleted", $2::timestamptz + minute * interval '1 minute'
       from d join tickets t on t.tenant_id = $1 and t.id = d.ticket`,
      [tenantId, new Date(START)],
    )
    // A table filled by one statement has no statistics until it is analyzed.
    await owner.query('analyze messages, message_texts, tickets, files')
  })
  const all = await everything()
  const queries = fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    who: fc.constantFrom('admin' as const, 'agent' as const),
    ticketId: fc.option(fc.constantFrom(...tickets), { freq: 3 }),
    fromMe: fc.option(fc.boolean(), { freq: 3 }),
    kind: fc.option(fc.constantFrom('text', 'document'), { freq: 3 }),
    since: fc.option(
      fc.nat(40_000).map((minute) => START + minute * 60_000),
      { freq: 3 },
    ),
  })
  let tried = 0
  let hits = 0
  for (const query of fc.sample(queries, { numRuns: process.env['TEST_DB_POOL'] ? 800 : 120, seed: 7 })) {
    const { who, ticketId, fromMe, kind, since } = query
    const isVisible = (one: Told) => who === 'admin' || one.queue === queues.ours
    if (ticketId !== null && !all.some((one) => one.ticket === ticketId && isVisible(one))) continue
    if (ticketId === null && !query.parts.some((one) => [...one].length > 2)) query.parts.push('boleto')
    const parts = await folded(query.parts)
    const expected = all.filter(
      (one) =>
        isVisible(one) &&
        (ticketId === null || one.ticket === ticketId) &&
        (fromMe === null || one.mine === fromMe) &&
        (kind === null || one.kind === kind) &&
        (since === null || one.at >= since) &&
        parts.every((p) => one.text.includes(p) || one.file.includes(p)),
    )
    const answers = await pages(
      who === 'admin' ? admin : agent,
      {
        searchParam: query.parts.join(tried % 2 ? ' ' : '\n '),
        ...(ticketId === null ? {} : { ticketId }),
        ...(fromMe === null ? {} : { fromMe }),
        ...(kind === null ? {} : { mediaType: [kind] }),
        ...(since === null ? {} : { since }),
      },
      6,
    )
    const isWhole = answers.at(-1)!.nextCursor === null
    const got = answers.flatMap((answer) => answer.tickets.flatMap(({ messages }) => messages.map(({ seq }) => seq)))
    const wanted = expected.map(({ seq }) => seq)
    // Hits of a page are grouped by ticket; pages come newest first.
    const [some, same] = isWhole ? [wanted, got] : [wanted.slice(0, got.length), got]
    expect(
      [...same].sort((a, b) => a - b),
      JSON.stringify(query),
    ).toEqual([...some].sort((a, b) => a - b))
    tried++
    hits += got.length
  }
  expect(tried).toBeGreaterThan(80)
  expect(hits).toBeGreaterThan(1000)
})
