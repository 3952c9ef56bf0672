import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
let tenantId: number
let queues: { theirs: number; ours: number }
let channels: { one: number; other: number }
let contactId: number
let admin: string
let agent: string
/** The contact's tickets: the present one, an earlier one there, one of another queue, one of another channel. */
let tickets: { now: number; before: number; hidden: number; elsewhere: number }

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  queues = { theirs: await m.queue(tenantId), ours: await m.queue(tenantId) }
  channels = { one: await m.connection(tenantId), other: await m.connection(tenantId) }
  admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  agent = await m.token(await m.user(tenantId, { queues: [queues.ours] }))
  contactId = await m.contact(tenantId)
  const ticket = (queue_id: number, connection_id: number, status: string) =>
    m.ticket(tenantId, { queue_id, connection_id, contact_id: contactId, status })
  tickets = {
    before: await ticket(queues.ours, channels.one, 'closed'),
    hidden: await ticket(queues.theirs, channels.one, 'closed'),
    elsewhere: await ticket(queues.ours, channels.other, 'closed'),
    now: await ticket(queues.ours, channels.one, 'pending'),
  }
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  for (const [days, id] of [tickets.before, tickets.hidden, tickets.elsewhere].entries())
    await owner.query(
      `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
       select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, false, 'received', 'Dia ' || $3::int || ', ' || n,
         timestamptz '2026-01-01' + $3::int * interval '1 day' + n * interval '1 minute' from tickets, generate_series(1, 20) n where tenant_id = $1 and id = $2`,
      [tenantId, id, days + 1],
    )
  await owner.end()
})

/** Returns the tickets of the whole history's messages, in the order of the messages. */
async function stream(token: string, read: 'list' | 'ofContact' = 'list') {
  const pages: number[][] = []
  const named = new Set<number>()
  let cursor: string | undefined
  do {
    const params = read === 'list' ? { ticketId: tickets.now } : { contactId }
    const answer = await call(product(), messages[read] as typeof messages.list, token, {
      params: params as never,
      query: { cursor },
    })
    expect(answer.status).toBe(200)
    const { messages: rows, tickets: others, nextCursor } = answer.body
    pages.unshift(rows.map((one) => one.ticketId))
    for (const { id } of others) named.add(id)
    cursor = nextCursor ?? undefined
  } while (cursor)
  const all = pages.flat()
  expect(new Set(all)).toEqual(named)
  return [...new Set(all)].map((id) => [id, all.filter((one) => one === id).length])
}

it('a customer who returns is met with what was said before: the channel’s, of what the asker sees', async () => {
  expect(await stream(agent)).toEqual([[tickets.before, 20]])
  expect(await stream(admin)).toEqual([
    [tickets.before, 20],
    [tickets.hidden, 20],
  ])
})

it.each([
  ['byTicket', 'enabled', () => []],
  ['byQueue', 'enabled', () => [tickets.before, tickets.elsewhere]],
  ['complete', 'enabled', () => [tickets.before, tickets.hidden, tickets.elsewhere]],
  ['default', 'disabled', () => [tickets.before, tickets.elsewhere]],
  ['default', 'enabled', () => [tickets.before, tickets.hidden]],
] as const)('what of the past stands there is the company’s choice: %s, history %s', async (listing, grouped, past) => {
  await make(product().platform).setting(tenantId, 'messageListingType', listing)
  await make(product().platform).setting(tenantId, 'groupTickets', grouped)
  expect(await stream(admin)).toEqual(past().map((id) => [id, 20]))
})

it('all that was ever said with a contact is read page by page, of tickets that the asker sees', async () => {
  expect(await stream(admin, 'ofContact')).toHaveLength(3)
  expect(await stream(agent, 'ofContact')).toEqual([
    [tickets.before, 20],
    [tickets.elsewhere, 20],
  ])
  const m = make(product().platform)
  const stranger = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  expect((await call(product(), messages.ofContact, stranger, { params: { contactId } })).status).toBe(404)
})

const file = async (token: string, format: string, ticketId = tickets.before) => {
  const answer = await fetch(`${product().address}/api/exportMessages/${ticketId}?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

it('a conversation is taken out whole: as data, on paper, and with its files', async () => {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, status, body, timestamp)
     select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, n % 2 = 0, 'sent', 'Ação “' || n || '” 🙂 ' || repeat('longa ', n % 90),
       timestamptz '2026-02-01' + n / 7 * interval '1 minute' from tickets, generate_series(1, 900) n where tenant_id = $1 and id = $2`,
    [tenantId, tickets.elsewhere],
  )
  await owner.end()
  const contents = Buffer.from('conteúdo do contrato, palavra por palavra')
  const form = new FormData()
  form.set('idFront', 'exportado-1')
  form.set('isNote', 'true')
  form.set('file', new Blob([contents], { type: 'text/plain' }), 'contrato/final.txt')
  const sent = await fetch(`${product().address}/api/messages/${tickets.now}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}` },
    body: form,
  })
  expect(sent.status).toBe(200)

  const json = await file(agent, 'json', tickets.elsewhere)
  const data = JSON.parse(json.bytes.toString()) as { ticket: { id: number }; messages: { seq: number }[] }
  expect(data.ticket.id).toBe(tickets.elsewhere)
  expect(data.messages).toHaveLength(920)
  expect(new Set(data.messages.map(({ seq }) => seq)).size).toBe(920)
  expect(json.headers.get('content-disposition')).toBe(
    `attachment; filename*=UTF-8''atendimento-${tickets.elsewhere}.json`,
  )

  const pdf = await file(agent, 'pdf', tickets.elsewhere)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.bytes.subarray(-6).toString()).toContain('%%EOF')
  expect(pdf.bytes.toString('latin1').match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(10)

  const zip = await file(agent, 'zip', tickets.now)
  expect(zip.bytes.includes(`atendimento-${tickets.now}.pdf`)).toBe(true)
  expect(zip.bytes.includes('arquivos/0001-')).toBe(true)
  expect(zip.bytes.includes(contents)).toBe(true)
  expect((await file(agent, 'json', tickets.hidden)).status).toBe(404)
  expect((await file(agent, 'doc')).status).toBe(400)
  const m = make(product().platform)
  const restricted = await m.user(tenantId, { profile: 'admin' })
  await product().platform.db.asPlatform((db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
  )
  expect((await file(await m.token(restricted), 'pdf')).status).toBe(403)
  const audited = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('audit_log').select('action').where('action', '=', 'messages.export').execute(),
  )
  expect(audited.length).toBeGreaterThanOrEqual(3)
})

it('messages that wait without a job get one; uncertain ones stay for a person', async () => {
  const insert = (status: string, key: string) =>
    product().platform.db.asPlatform(async (db) => {
      const ticket = await db.selectFrom('tickets').selectAll().where('id', '=', tickets.now).executeTakeFirstOrThrow()
      await db
        .insertInto('messages')
        .values({
          ...{ tenant_id: tenantId, id: crypto.randomUUID(), ticket_id: ticket.id, contact_id: contactId },
          ...{
            connection_id: ticket.connection_id,
            conversation_key: key,
            from_me: true,
            status,
            timestamp: new Date(),
          },
        })
        .execute()
    })
  await insert('pending', 'sem-trabalho')
  await insert('uncertain', 'sem-trabalho')
  expect((await call(product(), messages.resolvePending, agent, {})).status).toBe(403)
  const { status, body } = await call(product(), messages.resolvePending, admin, {})
  expect({ status, body }).toEqual({ status: 200, body: { requeued: 1, uncertain: 1 } })
  const statuses = () =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select('status')
        .where('conversation_key', '=', 'sem-trabalho')
        .orderBy('seq')
        .execute(),
    )
  await until(async () => (await statuses())[0]!.status !== 'pending')
  expect((await statuses())[1]!.status).toBe('uncertain')
})
