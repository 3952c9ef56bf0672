import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tagUses } from '#features/catalog/tags.ts'
import { stages } from '#features/kanban/stages.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Queryable } from '#server/db/db.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'
import { contacts } from './contract.ts'
import { linkJob } from './server/merges/link.ts'

const product = withProduct()
let channel: TestChannel
let tenantId: number
let connectionId: number
let lead: { id: number; token: string }
let agent: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  channel = testChannel(product().platform)
  tenantId = await m.tenant()
  connectionId = await m.connection(tenantId, { type: 'test' })
  lead = await m.person(tenantId, { profile: 'admin', name: 'Lídia' })
  agent = await m.person(tenantId, { name: 'Ana' })
})

let line = 0
const newLine = () => `55119${String(70_000_000 + ++line)}`
const rows = <T>(read: (db: Queryable) => Promise<T>): Promise<T> => product().platform.db.read(tenantId, read)
const hear = async (from: string, body: string, more: { alias?: string; number?: string | null } = {}) => {
  const event = textEvent({ from, body, name: `Cliente ${from}` })
  const { alias, number = from } = more
  const sender = { ...event.sender, number, ...(alias ? { alias } : {}) }
  await receive(product().platform, { tenantId, connectionId }, [{ ...event, sender }])
  await ingestIdle(product().platform)
}
const contactAt = async (address: string): Promise<number> =>
  (
    await rows((db) =>
      db
        .selectFrom('contact_identities')
        .select('contact_id')
        .where('identity', '=', address)
        .executeTakeFirstOrThrow(),
    )
  ).contact_id
const ticketsOf = (contactId: number) =>
  rows((db) => db.selectFrom('tickets').selectAll().where('contact_id', '=', contactId).orderBy('id').execute())
const messagesOf = (ticketId: number) =>
  rows((db) => db.selectFrom('messages').selectAll().where('ticket_id', '=', ticketId).orderBy('seq').execute())
const get = (id: number, token = agent.token) => call(product(), contacts.get, token, { params: { id } })
const mergeInto = (id: number, contactId: number, keep?: object, token = lead.token) =>
  call(product(), contacts.merge, token, { params: { id }, body: { contactId, ...(keep ? { keep } : {}) } })
const undo = (mergeId: number, token = lead.token) =>
  call(product(), contacts.undoMerge, token, { params: { mergeId } })
const merged = async (id: number, contactId: number, keep?: object): Promise<number> => {
  const { status, body } = await mergeInto(id, contactId, keep)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.mergeId
}
/** Creates two people who have written, each with an active ticket. */
const two = async (): Promise<{ x: string; y: string; a: number; b: number }> => {
  const [x, y] = [newLine(), newLine()]
  await hear(x, 'um de x')
  await hear(y, 'um de y')
  return { x, y, a: await contactAt(x), b: await contactAt(y) }
}

describe('two contacts that are one person', () => {
  it('have one ticket on a connection, are answered where they wrote last, and are two again when it is undone', async () => {
    const { x, y, a, b } = await two()
    const [ofA] = await ticketsOf(a)
    const [ofB] = await ticketsOf(b)
    const mergeId = await merged(a, b)
    expect(await ticketsOf(b)).toEqual([])
    expect(await ticketsOf(a)).toMatchObject([
      { id: ofA!.id, status: 'pending', conversation_key: y, unread_messages: 2, last_message: 'um de y' },
      { id: ofB!.id, status: 'closed', closed_reason: 'merged', conversation_key: y },
    ])
    await hear(y, 'dois de y')
    await hear(x, 'dois de x')
    await hear(y, 'três de y')
    expect((await messagesOf(ofA!.id)).map((one) => [one.body, one.conversation_key])).toEqual([
      ['um de x', x],
      ['dois de y', y],
      ['dois de x', x],
      ['três de y', y],
    ])
    await call(product(), tickets.update, lead.token, {
      params: { id: ofA!.id },
      body: { status: 'open', userId: lead.id },
    })
    const sent = await call(product(), messages.send, lead.token, {
      params: { ticketId: ofA!.id },
      body: { idFront: `f-${x}`, body: 'Olá, y', isNote: false },
    })
    expect(sent).toMatchObject({ status: 200 })
    await until(() =>
      channel.sent.some(({ body, conversationKey }) => body.includes('Olá, y') && conversationKey === y),
    )
    await call(product(), messages.send, lead.token, {
      params: { ticketId: ofA!.id },
      body: { idFront: `n-${x}`, body: 'uma nota', isNote: true },
    })
    const parted = await undo(mergeId)
    expect(parted).toMatchObject({
      status: 200,
      body: {
        contacts: [
          { id: a, number: x },
          { id: b, number: y },
        ],
      },
    })
    expect(await ticketsOf(a)).toMatchObject([
      { id: ofA!.id, status: 'open', conversation_key: x, last_message: 'dois de x' },
    ])
    expect(await ticketsOf(b)).toMatchObject([
      { id: ofB!.id, status: 'pending', conversation_key: y, closed_reason: null },
    ])
    const bodies = async (id: number) => (await messagesOf(id)).map(({ body }) => body)
    expect(await bodies(ofA!.id)).toEqual(['um de x', 'dois de x', 'uma nota'])
    expect(await bodies(ofB!.id)).toEqual(['um de y', 'dois de y', 'três de y', expect.stringContaining('Olá, y')])
    await hear(y, 'quatro de y')
    expect(await bodies(ofB!.id)).toHaveLength(5)
  })

  it('fill what is empty, keep what was chosen, unite sets, and stand for each other under both ids', async () => {
    const m = make(product().platform)
    const [tag, other] = [await m.tag(tenantId), await m.tag(tenantId)]
    const a = await m.contact(tenantId, { name: 'Ana Luz', number: null, email: 'ana@luz.br' })
    const b = await m.contact(tenantId, {
      name: 'Aninha',
      number: newLine(),
      email: 'aninha@luz.br',
      business_name: 'Luz',
    })
    const set = (id: number, body: object) =>
      call(product(), contacts.update, agent.token, { params: { id }, body: body })
    await set(a, { tags: [tag], extraInfo: [{ id: 'p', name: 'Plano', value: 'ouro' }] })
    await set(b, { tags: [other], wallets: [agent.id], extraInfo: [{ id: 'q', name: 'Rota', value: '7' }] })
    const before = [(await get(a)).body, (await get(b)).body] as unknown as [
      Record<string, unknown>,
      { number: string },
    ]
    const { number } = before[1]
    const mergeId = await merged(a, b, { email: 'b' })
    expect((await get(b)).body).toMatchObject({
      ...{ id: a, name: 'Ana Luz', number, email: 'aninha@luz.br', businessName: 'Luz' },
      tags: [{ id: tag }, { id: other }],
      wallets: [{ id: agent.id }],
      extraInfo: [{ name: 'Plano' }, { name: 'Rota' }],
    })
    expect((await call(product(), contacts.byNumber, agent.token, { params: { number } })).body).toMatchObject({
      id: a,
    })
    const list = await call(product(), contacts.list, agent.token, { query: { searchParam: 'Aninha' } })
    expect(list.body.contacts.map(({ id }) => id)).toEqual([a])
    // Changes made while merged stay with the root contact.
    await set(b, { businessName: 'Luz e Filhos' })
    expect((await undo(mergeId)).status).toBe(200)
    const { updatedAt: _, ...unchanged } = before[0]
    expect((await get(a)).body).toMatchObject({ ...unchanged, businessName: 'Luz e Filhos' })
    const { updatedAt: __, ...asBefore } = before[1] as Record<string, unknown>
    expect((await get(b)).body).toMatchObject(asBefore)
  })

  it('get back the tag that took the place of theirs, when two tags became one meanwhile', async () => {
    const m = make(product().platform)
    const [gone, kept] = [await m.tag(tenantId), await m.tag(tenantId)]
    const [a, b] = [await m.contact(tenantId), await m.contact(tenantId)]
    await call(product(), contacts.setTags, lead.token, { params: { id: b }, body: { tags: [gone] } })
    const mergeId = await merged(a, b)
    const into = { params: { id: gone }, body: { into: kept } }
    expect(await call(product(), tagUses.merge, lead.token, into)).toMatchObject({ status: 200 })
    expect((await get(a)).body).toMatchObject({ tags: [{ id: kept }] })
    expect((await undo(mergeId)).status).toBe(200)
    expect([(await get(a)).body, (await get(b)).body]).toMatchObject([{ tags: [] }, { tags: [{ id: kept }] }])
  })

  it('have one stage, as have their live tickets, and each its own again, unless that is gone', async () => {
    const m = make(product().platform)
    const stage = () => m.row(tenantId, stages, { name: crypto.randomUUID() })
    const [ofA, ofB] = [await stage(), await stage()]
    const { b } = await two()
    const a = await m.contact(tenantId)
    for (const [id, kanban] of [
      [a, ofA],
      [b, ofB],
    ] as const)
      await call(product(), contacts.update, agent.token, { params: { id }, body: { kanban } })
    const first = await merged(a, b)
    expect(await ticketsOf(a)).toMatchObject([{ status: 'pending', kanban: ofA }])
    expect((await undo(first)).body).toMatchObject({ contacts: [{ kanban: ofA }, { kanban: ofB }] })
    expect(await ticketsOf(b)).toMatchObject([{ status: 'pending', kanban: ofB }])
    const second = await merged(a, b)
    expect(await call(product(), stages.ops.remove, lead.token, { params: { id: ofB } })).toMatchObject({ status: 200 })
    expect((await undo(second)).body).toMatchObject({ contacts: [{ kanban: ofA }, { kanban: null }] })
    expect(await ticketsOf(b)).toMatchObject([{ status: 'pending', kanban: null }])
  })

  it('are merged in turn, and told apart in any order', async () => {
    const [p, q] = [await two(), await two()]
    const first = await merged(p.a, p.b)
    const second = await merged(q.a, p.b)
    const third = await merged(q.b, q.a)
    expect((await get(p.b)).body).toMatchObject({ id: q.b })
    for (const from of [p.x, p.y, q.x, q.y]) await hear(from, 'juntos')
    const live = (await ticketsOf(q.b)).filter(({ status }) => status !== 'closed')
    expect(live).toHaveLength(1)
    for (const one of [first, third, second]) expect((await undo(one)).status).toBe(200)
    for (const [id, address] of [
      [p.a, p.x],
      [p.b, p.y],
      [q.a, q.x],
      [q.b, q.y],
    ] as const) {
      expect((await get(id)).body).toMatchObject({ id, number: address })
      const own = await ticketsOf(id)
      expect(own).toMatchObject([{ status: 'pending', conversation_key: address }])
      expect((await messagesOf(own[0]!.id)).map(({ body }) => body)).toEqual([expect.stringMatching(/^um/), 'juntos'])
    }
    expect((await undo(first)).body).toMatchObject({ error: 'ERR_MERGE_UNDONE' })
  })

  it('that went on in a third one, who is another now, have one ticket together, attended by whoever attended one of them', async () => {
    const { x: third, a: c } = await two()
    const { x, y, a, b } = await two()
    const { id } = (await ticketsOf(b))[0]!
    const open = { status: 'open', userId: agent.id } as const
    expect(await call(product(), tickets.update, lead.token, { params: { id }, body: open })).toMatchObject({
      status: 200,
    })
    const leaving = await merged(b, c)
    const staying = await merged(b, a)
    expect((await ticketsOf(b)).filter(({ status }) => status !== 'closed')).toMatchObject([{ status: 'open' }])
    for (const from of [x, y, third]) await hear(from, 'juntos')
    expect(await undo(leaving)).toMatchObject({ status: 200 })
    expect(await ticketsOf(c)).toMatchObject([{ status: 'pending', user_id: null, conversation_key: third }])
    const [ofA, ofB] = await ticketsOf(b)
    expect([ofA, ofB]).toMatchObject([
      { status: 'open', user_id: agent.id, closed_reason: null },
      { id, status: 'closed', closed_reason: 'merged' },
    ])
    expect((await messagesOf(ofA!.id)).map(({ body }) => body)).toEqual(['um de x', 'juntos', 'juntos'])
    expect(await undo(staying)).toMatchObject({ status: 200 })
    expect(await ticketsOf(a)).toMatchObject([{ id: ofA!.id, status: 'pending', user_id: null }])
    expect(await ticketsOf(b)).toMatchObject([{ id, status: 'open', user_id: agent.id, closed_reason: null }])
    for (const [address, owner] of [
      [third, c],
      [x, a],
      [y, b],
    ] as const) {
      const [own, ...more] = await ticketsOf(owner)
      expect(more).toEqual([])
      expect((await messagesOf(own!.id)).map(({ body, conversation_key }) => ({ body, conversation_key }))).toEqual([
        { body: expect.stringMatching(/^um/), conversation_key: address },
        { body: 'juntos', conversation_key: address },
      ])
    }
  })

  it('have one history, page by page, and one ticket when a colleague starts', async () => {
    const { a, b, x, y } = await two()
    const [ofA, ofB] = [(await ticketsOf(a))[0]!, (await ticketsOf(b))[0]!]
    const mergeId = await merged(b, a)
    const all = await call(product(), messages.ofContact, lead.token, { params: { contactId: a } })
    const bodies = all.body.messages.map(({ body }) => body)
    expect(bodies.toSorted()).toEqual(['um de x', 'um de y'])
    const again = await call(product(), tickets.create, lead.token, {
      body: { contactId: a, whatsappId: connectionId },
    })
    expect(again).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: ofA.id } } })
    const reopened = await call(product(), tickets.update, lead.token, {
      params: { id: ofB.id },
      body: { status: 'open' },
    })
    expect(reopened).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET' } })
    const known = await call(product(), contacts.identities, agent.token, { params: { id: a } })
    expect(known.body).toMatchObject({
      identities: expect.arrayContaining([
        expect.objectContaining({ channel: 'test', address: x, proof: 'provider', contactId: a }),
        expect.objectContaining({ channel: 'test', address: y, proof: 'provider', contactId: b }),
      ]),
    })
    const list = await call(product(), contacts.merges, agent.token, { params: { id: a }, query: {} })
    expect(list.body).toMatchObject({
      merges: [
        { id: mergeId, contact: { id: b }, other: { id: a }, proof: 'person', userName: 'Lídia', undoneAt: null },
      ],
    })
  })
})

describe('whoever merges', () => {
  it('is a lead, of the same company, and names two people', async () => {
    const { a, b } = await two()
    const stranger = await make(product().platform).person(await make(product().platform).tenant(), {
      profile: 'admin',
    })
    const group = await make(product().platform).contact(tenantId, { number: null, is_group: true })
    expect(await mergeInto(a, b, {}, agent.token)).toMatchObject({ status: 403 })
    expect(await mergeInto(a, b, {}, stranger.token)).toMatchObject({ status: 404 })
    expect(await mergeInto(a, 999_999_999)).toMatchObject({ status: 404 })
    expect(await mergeInto(a, a)).toMatchObject({ status: 400, body: { error: 'ERR_MERGE_SAME' } })
    expect(await mergeInto(a, group)).toMatchObject({ status: 409, body: { error: 'ERR_MERGE_GROUP' } })
    expect(await mergeInto(a, b, { name: 'c' })).toMatchObject({ status: 400 })
    const mergeId = await merged(a, b)
    expect(await mergeInto(b, a)).toMatchObject({ status: 400, body: { error: 'ERR_MERGE_SAME' } })
    expect(await undo(mergeId, stranger.token)).toMatchObject({ status: 404 })
    expect(await undo(mergeId, agent.token)).toMatchObject({ status: 403 })
  })

  it('sees, where wallets rule, neither duplicates nor merges of who is in another’s', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    for (const key of ['DirectTicketsToWallets', 'supervisorAdmin'] as const) await m.setting(company, key)
    const [boss, limited] = [
      await m.person(company, { profile: 'admin' }),
      await m.person(company, { profile: 'super' }),
    ]
    const email = 'duas@casa.br'
    const [a, b] = [await m.contact(company, { email }), await m.contact(company, { email })]
    const found = async (token: string) =>
      (await call(product(), contacts.duplicates, token, { query: {} })).body.duplicates.length
    expect(await found(limited.token)).toBe(1)
    for (const id of [a, b])
      await call(product(), contacts.setWallets, boss.token, { params: { id }, body: { wallets: [boss.id] } })
    expect([await found(boss.token), await found(limited.token)]).toEqual([1, 0])
    const { body } = await mergeInto(a, b, undefined, boss.token)
    const { mergeId } = body
    expect(await undo(mergeId, limited.token)).toMatchObject({ status: 404, body: { error: 'ERR_NO_MERGE_FOUND' } })
    expect(await undo(mergeId, boss.token)).toMatchObject({ status: 200 })
  })

  it('sees before what it would change, and of twenty who do the same at once one has done it', async () => {
    const { a, b } = await two()
    const preview = await call(product(), contacts.previewMerge, lead.token, {
      params: { id: a },
      query: { contactId: b },
    })
    expect(preview.body).toMatchObject({ conflicts: ['name', 'number'], tickets: 1, identities: 1, live: [{}] })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? mergeInto(a, b) : mergeInto(b, a))))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => ![400, 409].includes(status))).toEqual([200])
  })
})

describe('possible duplicates', () => {
  it('are told with their reason, strong ones first, until somebody says that they are two people', async () => {
    const m = make(product().platform)
    const number = newLine()
    const old = await m.contact(tenantId, { number })
    const short = await m.contact(tenantId, { number: number.replace(/^(55119?)9?/, '5511') })
    const mail = `${number}@casa.br`
    const [c, d] = [await m.contact(tenantId, { email: mail }), await m.contact(tenantId, { email: mail })]
    const born = { name: `Zulmira ${number}`, birthday_date: '1970-01-02' }
    const [e, f] = [await m.contact(tenantId, born), await m.contact(tenantId, born)]
    const found = async () => {
      const { body } = await call(product(), contacts.duplicates, lead.token, { query: {} })
      return body.duplicates
        .filter(({ contact }) => [old, short, c, e].includes(contact.id))
        .map(({ reason, isStrong, contact, other }) => [reason, isStrong, contact.id, other.id])
    }
    const email = ['email', true, c, d]
    const name = ['name', false, e, f]
    expect(await found()).toEqual([['line', true, old, short], email, name])
    await call(product(), contacts.setDistinct, lead.token, { body: { contactId: short, otherId: old } })
    await merged(c, d)
    expect(await found()).toEqual([name])
  })
})

describe('a channel that knows two addresses of one person', () => {
  it('joins them in the middle of a conversation, and no rule does again what somebody undid', async () => {
    const [lid, number] = [`${newLine()}@lid`, newLine()]
    await hear(number, 'pelo número')
    await hear(lid, 'escondido', { number: null })
    const [named, hidden] = [await contactAt(number), await contactAt(lid)]
    expect(hidden).not.toBe(named)
    await hear(lid, 'sou eu', { number: null, alias: number })
    await until(async () => (await get(hidden)).body.id === named)
    const [kept] = (await ticketsOf(named)).filter(({ status }) => status !== 'closed')
    await hear(lid, 'de novo', { alias: number })
    expect((await messagesOf(kept!.id)).map(({ body }) => body)).toContain('de novo')
    const list = await call(product(), contacts.merges, agent.token, { params: { id: named }, query: {} })
    const [one] = list.body.merges
    expect(one).toMatchObject({ proof: 'provider' })
    expect((await undo(one!.id)).status).toBe(200)
    await hear(lid, 'outra vez', { number: null, alias: number })
    const again = { tenantId, channel: 'test', identity: lid, alias: number, number: null }
    await linkJob.run(product().platform, again, { requireOwnership() {} })
    expect((await get(hidden)).body.id).toBe(hidden)
  })

  it('lets a new address of somebody known go on in their ticket, and gives them their number', async () => {
    const [lid, number] = [`${newLine()}@lid`, newLine()]
    await hear(lid, 'escondido', { number: null })
    const hidden = await contactAt(lid)
    await hear(number, 'com número', { alias: lid })
    expect(await contactAt(number)).toBe(hidden)
    expect(await ticketsOf(hidden)).toMatchObject([{ conversation_key: number, unread_messages: 2 }])
    await until(async () => ((await get(hidden)).body as { number: string }).number === number)
  })
})

describe('a number with and without the ninth digit', () => {
  it('is one person’s as soon as they write from it, until somebody undoes that', async () => {
    const m = make(product().platform)
    const number = newLine()
    const short = await m.contact(tenantId, { number: number.replace(/^(5511)9/, '$1'), name: 'De antes' })
    const long = await m.contact(tenantId, { number, name: 'De agora' })
    await hear(number, 'sou eu')
    await until(async () => (await get(long)).body.id === short)
    const list = await call(product(), contacts.merges, agent.token, { params: { id: short }, query: {} })
    const [one] = list.body.merges
    expect(one).toMatchObject({ proof: 'number' })
    expect((await undo(one!.id)).status).toBe(200)
    const again = { tenantId, channel: 'test', identity: number, alias: null, number }
    await linkJob.run(product().platform, again, { requireOwnership() {} })
    expect((await get(long)).body.id).toBe(long)
  })
})

describe('a person with thousands of tickets', () => {
  it('is merged and told apart without a message lost, doubled or kept waiting', async () => {
    const { x, y, a, b } = await two()
    const amount = breadth(15, 5000)
    await product().platform.db.write(tenantId, async (db) => {
      await sql`insert into tickets (tenant_id, status, connection_id, contact_id, conversation_key, channel, closed_at)
        select app.tenant(), 'closed', ${connectionId}, ${b}, ${y}, 'test', app.now() from generate_series(1, ${amount})`.execute(
        db,
      )
      await sql`insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, conversation_key, from_me, body, status, timestamp)
        select tenant_id, gen_random_uuid(), id, contact_id, connection_id, conversation_key, false, 'antes', 'received', app.now()
        from tickets where contact_id = ${b} and status = 'closed'`.execute(db)
    })
    const counted = (id: number) =>
      rows((db) =>
        sql<{
          tickets: number
          messages: number
        }>`select count(distinct t.id)::int as tickets, count(m.id)::int as messages
          from tickets t left join messages m on m.ticket_id = t.id where t.contact_id = ${id}`.execute(db),
      ).then((found) => found.rows[0]!)
    let said = 0
    const hearing = async (amount: number) => {
      for (let n = 0; n < amount; n++) {
        await hear(said++ % 2 ? x : y, `entretanto ${said}`)
      }
    }
    const [mergeId] = await Promise.all([merged(a, b), hearing(6)])
    await hearing(2)
    await until(async () => (await counted(b)).tickets === 0, 120_000)
    expect((await counted(a)).tickets).toBe(amount + 2)
    const [parted] = await Promise.all([undo(mergeId), hearing(6)])
    expect(parted.status).toBe(200)
    await until(async () => (await counted(b)).tickets === amount + 1, 120_000)
    // Messages that arrive during the separation wait, and are processed afterwards.
    await until(async () => (await counted(a)).messages + (await counted(b)).messages >= 2 + amount + said)
    const [ofA, ofB] = [await counted(a), await counted(b)]
    expect(ofA.tickets).toBe(1)
    expect(ofA.messages + ofB.messages).toBe(2 + amount + said)
    expect(ofB.messages).toBe(1 + amount + Math.ceil(said / 2))
  }, 300_000)
})
