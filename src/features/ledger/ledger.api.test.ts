import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { receiptEvent, type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'
import { ingestIdle } from './server/ingest/ingest.ts'
import { receive } from './server/ingest/journal.ts'
import { addTrail } from './server/messages/queries.ts'
import { enqueueSending } from './server/outbox/outbox.ts'
import { recoverSends } from './server/outbox/wake.ts'
import { findLive } from './server/ticket/presence-queries.ts'

const product = withProduct()
let channel: TestChannel
let tenantId: number
let connectionId: number
let agent: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  channel = testChannel(product().platform)
  tenantId = await m.tenant()
  connectionId = await m.connection(tenantId, { type: 'test' })
  const user = await m.user(tenantId, { profile: 'admin' })
  agent = { id: user.id, token: await m.token(user) }
})

const hear = async (...events: Parameters<typeof receive>[2]) => {
  await receive(product().platform, { tenantId, connectionId }, events)
  await ingestIdle(product().platform)
}
const stored = (from: string) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_key', '=', from)
      .orderBy('timestamp')
      .orderBy('seq')
      .execute(),
  )
const ticketsOf = (from: string) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('conversation_key', '=', from).execute(),
  )
const close = (id: number) =>
  product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ status: 'closed' }).where('id', '=', id).execute(),
  )
async function openTicket(from: string): Promise<number> {
  await hear(textEvent({ from, body: 'Oi' }))
  const [ticket] = await ticketsOf(from)
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ status: 'open', user_id: agent.id }).where('id', '=', ticket!.id).execute(),
  )
  return ticket!.id
}
let front = 0
const send = (ticketId: number, body: string, idFront = `front-${Date.now()}-${++front}`) =>
  call(product(), messages.send, agent.token, { params: { ticketId }, body: { idFront, body, isNote: false } })
const statusOf = async (id: string) =>
  (
    await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['status', 'provider_id']).where('id', '=', id).executeTakeFirst(),
    )
  )?.status
const idOf = (reply: { body: unknown }) => (reply.body as { messages: { id: string }[] }).messages[0]!.id

describe('inbound', () => {
  it('makes one contact, one pending ticket and one message out of a first word', async () => {
    await hear(textEvent({ from: '5511900000001', body: 'Bom dia!', name: 'Marlene' }))
    expect(await ticketsOf('5511900000001')).toMatchObject([
      { status: 'pending', unread_messages: 1, last_message: 'Bom dia!', answered: false },
    ])
    expect(await stored('5511900000001')).toMatchObject([{ body: 'Bom dia!', status: 'received', from_me: false }])
  })

  it('puts the next word into the same ticket, and after closing into a new one', async () => {
    const from = '5511900000002'
    await hear(textEvent({ from, body: 'um' }))
    await hear(textEvent({ from, body: 'dois' }))
    const [first] = await ticketsOf(from)
    expect(first).toMatchObject({ unread_messages: 2, last_message: 'dois' })
    await close(first!.id)
    await hear(textEvent({ from, body: 'três' }))
    expect((await ticketsOf(from)).map((ticket) => ticket.status).sort()).toEqual(['closed', 'pending'])
  })

  it('marks a late message and shows it in its place', async () => {
    const from = '5511900000003'
    const now = Date.now()
    await hear(textEvent({ from, body: 'segunda', at: now }))
    await hear(textEvent({ from, body: 'primeira', at: now - 60_000 }))
    expect((await stored(from)).map((row) => [row.body, row.is_late])).toEqual([
      ['primeira', true],
      ['segunda', false],
    ])
    expect((await ticketsOf(from))[0]).toMatchObject({ last_message: 'segunda' })
  })

  it('does not open a ticket for a known message under another key', async () => {
    const from = '5511900000004'
    await hear(textEvent({ from, body: 'uma vez', id: 'same-id' }))
    await close((await ticketsOf(from))[0]!.id)
    await hear(textEvent({ from, body: 'uma vez', id: 'same-id', dedupeKey: 'another-key' }))
    expect(await ticketsOf(from)).toHaveLength(1)
  })

  const lineOf = async (keys: string[]) => {
    const { platform } = product()
    return {
      contacts: await platform.db.read(tenantId, (db) =>
        db.selectFrom('contacts').select(['id', 'number']).where('number', 'in', keys).execute(),
      ),
      tickets: (await Promise.all(keys.map(ticketsOf))).flat(),
      messages: (await Promise.all(keys.map(stored))).flat(),
    }
  }

  it.each([
    ['with the ninth digit, then without', '5511987654321', '551187654321'],
    ['without the ninth digit, then with', '551187654322', '5511987654322'],
  ])('knows one person %s', async (_, first, then) => {
    await hear(textEvent({ from: first, body: 'um' }))
    await hear(textEvent({ from: then, body: 'dois' }), textEvent({ from: first, body: 'três' }))
    const line = await lineOf([first, then])
    // The number is stored with its ninth digit, the conversation as first named by the channel.
    expect(line.contacts.map(({ number }) => number?.length)).toEqual([13])
    expect(line.tickets).toMatchObject([{ conversation_key: first, unread_messages: 3 }])
    expect(line.messages.map(({ body, contact_id }) => [body, contact_id])).toEqual(
      ['um', 'dois', 'três'].map((body) => [body, line.contacts[0]!.id]),
    )
    await close(line.tickets[0]!.id)
    await hear(textEvent({ from: then, body: 'outro dia' }))
    expect((await lineOf([first, then])).tickets.map(({ status }) => status)).toEqual(['closed', 'pending'])
  })

  it('holds a line back in both spellings behind an event that failed', async () => {
    const [from, other] = ['551187654325', '5511987654325']
    const bad = textEvent({ from, body: 'arquivo que não existe' })
    await hear(
      { ...bad, message: { ...bad.message, fileId: '0190aaaa-0000-7000-8000-000000000000' } },
      textEvent({ from: other, body: 'depois dela' }),
    )
    expect((await lineOf([from, other])).messages).toEqual([])
    await product().platform.db.write(tenantId, (db) =>
      db.deleteFrom('journal').where('dedupe_key', '=', bad.dedupeKey).execute(),
    )
    await until(async () => (await lineOf([from, other])).messages.length === 1)
  })

  it('takes the older of two contacts that one line had before', async () => {
    const m = make(product().platform)
    const older = await m.contact(tenantId, { name: 'Antes', number: '551187654323' })
    await m.contact(tenantId, { name: 'Depois', number: '5511987654323' })
    await hear(textEvent({ from: '5511987654323', body: 'Oi' }))
    expect(await ticketsOf('5511987654323')).toMatchObject([{ contact_id: older }])
  })

  it('finds the open ticket of a line by its other spelling: presence, start, constraint', async () => {
    const m = make(product().platform)
    const from = '551187654324'
    await hear(textEvent({ from, body: 'Oi' }))
    const [ticket] = await ticketsOf(from)
    const { platform } = product()
    expect((await platform.db.read(tenantId, (db) => findLive(db, connectionId, '5511987654324')))?.id).toBe(ticket!.id)
    const other = await m.contact(tenantId, { name: 'Duas vezes', number: '5521900000099' })
    await platform.db.write(tenantId, (db) =>
      db
        .updateTable('contact_identities')
        .set({ identity: '5511987654324', contact_id: other })
        .where('identity', '=', from)
        .execute(),
    )
    const started = await call(product(), tickets.create, agent.token, {
      body: { contactId: other, whatsappId: connectionId },
    })
    expect(started).toMatchObject({
      status: 409,
      body: { error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: ticket!.id } },
    })
    await expect(
      m.ticket(tenantId, { connection_id: connectionId, conversation_key: '5511987654324', status: 'open' }),
    ).rejects.toThrow('tickets_one_line')
  })

  it('property: however a line is spelled and whatever races, it is one contact and one ticket', async () => {
    // Far from the fixed numbers of other tests in this file, as both spellings are one number.
    let next = 87_000_000
    const spelling = fc.record({ nine: fc.boolean(), suffix: fc.constantFrom('', '@s.whatsapp.net') })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('11', '19', '31', '55', '92'),
        fc.constantFrom('6', '7', '8', '9'),
        fc.array(spelling, { minLength: 2, maxLength: 8 }),
        fc.boolean(),
        async (ddd, first, spellings, together) => {
          const subscriber = `${first}${String(++next).slice(1)}`
          const suffix = spellings[0]!.suffix
          const froms = spellings.map(({ nine }) => `55${ddd}${nine ? '9' : ''}${subscriber}${suffix}`)
          const events = froms.map((from, n) => {
            const event = textEvent({ from, body: `${n}` })
            return { ...event, sender: { ...event.sender, number: from.split('@')[0]! } }
          })
          if (together) await Promise.all(events.map((event) => hear(event)))
          else for (const event of events) await hear(event)
          const line = await lineOf([...new Set(froms)])
          const people = await lineOf([`55${ddd}9${subscriber}`, `55${ddd}${subscriber}`])
          expect([people.contacts.length, line.tickets.length, line.messages.length]).toEqual([1, 1, events.length])
        },
      ),
      { numRuns: breadth(8, 25) },
    )
  })

  it('puts a bad event aside without holding up the others', async () => {
    const from = '5511900000005'
    const bad = textEvent({ from: '5511900000006', body: 'arquivo que não existe' })
    await hear(
      { ...bad, message: { ...bad.message, fileId: '0190aaaa-0000-7000-8000-000000000000' } },
      textEvent({ from, body: 'boa' }),
    )
    expect(await stored(from)).toMatchObject([{ body: 'boa' }])
    expect(await ticketsOf('5511900000006')).toHaveLength(0)
    const failed = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('journal').select(['attempts', 'error']).where('error', 'is not', null).orderBy('seq').execute(),
    )
    // On a slow machine its next attempt may be over already.
    expect(failed.at(-1)?.attempts).toBeOneOf([1, 2, 3])
    expect(failed.at(-1)?.error).toContain('foreign key')
  })

  it('property: duplicates, reordering and concurrency leave every message once, in order, in one ticket', async () => {
    const people = ['5521900000001', '5521900000002', '5521900000003']
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            who: fc.constantFrom(...people),
            n: fc.integer({ min: 0, max: 8 }),
            copies: fc.integer({ min: 1, max: 3 }),
            otherKey: fc.boolean(),
          }),
          { minLength: 1, maxLength: 25 },
        ),
        fc.infiniteStream(fc.nat(3)),
        async (script, lanes) => {
          round++
          const before = new Map(
            await Promise.all(people.map(async (who) => [who, (await stored(who)).length] as const)),
          )
          const base = Date.now() + round * 1_000_000
          const expected = new Map(people.map((who) => [who, new Set<string>()]))
          const events = script.flatMap(({ who, n, copies, otherKey }) => {
            const id = `r${round}-${who}-${n}`
            expected.get(who)!.add(id)
            return Array.from({ length: copies }, (_, copy) =>
              textEvent({
                from: who,
                body: id,
                id,
                at: base + n,
                dedupeKey: otherKey && copy > 0 ? `${id}-${copy}` : id,
              }),
            )
          })
          const byLane: (typeof events)[] = [[], [], [], []]
          for (const event of events) byLane[lanes.next().value!]!.push(event)
          await Promise.all(
            byLane
              .filter((lane) => lane.length > 0)
              .map((lane) => receive(product().platform, { tenantId, connectionId }, lane)),
          )
          await ingestIdle(product().platform)
          for (const who of people) {
            const rows = (await stored(who)).slice(before.get(who)!)
            expect(rows.map((row) => row.body).sort()).toEqual([...expected.get(who)!].sort())
            expect(rows.map((row) => row.timestamp.getTime())).toEqual(
              rows.map((row) => row.timestamp.getTime()).sort((a, b) => a - b),
            )
            expect((await ticketsOf(who)).length).toBeLessThanOrEqual(1)
          }
        },
      ),
      { numRuns: breadth(8, 25) },
    )
  }, 60_000)
})

describe('outbound', () => {
  it('sends in order, ticks only on receipts, and repeats of the same idFront are the same message', async () => {
    const from = '5511900000010'
    const ticketId = await openTicket(from)
    const [one, again] = await Promise.all([
      send(ticketId, 'primeira', 'front-same-1'),
      send(ticketId, 'primeira', 'front-same-1'),
    ])
    expect(idOf(one)).toBe(idOf(again))
    const two = await send(ticketId, 'segunda')
    await until(async () => (await statusOf(idOf(two))) === 'sent')
    expect(channel.sent.filter((message) => message.conversationKey === from).map((message) => message.body)).toEqual([
      'primeira',
      'segunda',
    ])
    await hear(receiptEvent(from, idOf(one), 'read'), receiptEvent(from, idOf(one), 'delivered'))
    expect(await statusOf(idOf(one))).toBe('read')
    expect(await statusOf(idOf(two))).toBe('sent')
    const trail = await call(product(), messages.trail, agent.token, { params: { id: idOf(one) } })
    expect(trail.body.steps.map((step) => step.step)).toEqual(['accepted', 'attempt', 'sent', 'read'])
  })

  it('tells a long way of a message page by page, no step twice and none left out', async () => {
    const m = make(product().platform)
    const id = await m.message(tenantId, await openTicket('long-way'), { from_me: true, status: 'uncertain' })
    const steps = Array.from({ length: 250 }, (_, n) => ({ messageId: id, step: 'attempt', detail: { attempt: n } }))
    await product().platform.db.write(tenantId, (db) => addTrail(db, steps))
    const told: unknown[] = []
    let cursor: string | null = null
    do {
      const query: { cursor?: string } = cursor ? { cursor } : {}
      const reply = await call(product(), messages.trail, agent.token, { params: { id }, query })
      const page = reply.body
      told.push(...page.steps.map(({ detail }) => Number(detail['attempt'])))
      cursor = page.nextCursor
    } while (cursor)
    expect(told).toEqual(steps.map(({ detail }) => detail.attempt))
  })

  it('finds every conversation whose sending lost its job, however few recovery looks for at once', async () => {
    const m = make(product().platform)
    const froms = ['recover-1', 'recover-2', 'recover-3', 'recover-4', 'recover-5']
    const left = { from_me: true, status: 'pending', body: 'Sem tarefa' }
    for (const from of froms) await m.message(tenantId, await openTicket(from), { ...left, conversation_key: from })
    await recoverSends(product().platform, 0, 2)
    await until(async () => froms.every((from) => channel.sent.some((one) => one.conversationKey === from)))
  })

  it('shows failed for what the channel refuses, goes on with the next, and sends again on request', async () => {
    const ticketId = await openTicket('5511900000011')
    channel.behave(async (message) => {
      if (message.body === 'recusada') throw Object.assign(new Error('número bloqueado'), { kind: 'refused' })
      return { providerId: message.messageId }
    })
    const bad = await send(ticketId, 'recusada')
    const good = await send(ticketId, 'aceita')
    await until(async () => (await statusOf(idOf(good))) === 'sent')
    expect(await statusOf(idOf(bad))).toBe('failed')
    channel.behave(async (message) => ({ providerId: message.messageId }))
    expect((await call(product(), messages.retry, agent.token, { params: { id: idOf(bad) } })).status).toBe(200)
    await until(async () => (await statusOf(idOf(bad))) === 'sent')
    expect((await call(product(), messages.retry, agent.token, { params: { id: idOf(bad) } })).body).toMatchObject({
      error: 'ERR_SEND_STATE',
    })
  })

  it.each([
    ['closed', 'ERR_MESSAGE_TICKET_CLOSED'],
    ['pending', 'ERR_MESSAGE_TICKET_PENDING'],
  ])('refuses a reply on a %s ticket, takes a note', async (status, code) => {
    const ticketId = await openTicket(`55119000001${status.length}`)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('tickets').set({ status }).where('id', '=', ticketId).execute(),
    )
    expect((await send(ticketId, 'oi')).body).toMatchObject({ error: code })
    const note = await call(product(), messages.send, agent.token, {
      params: { ticketId },
      body: { idFront: `note-${status}-1`, body: 'só nós', isNote: true },
    })
    expect(note.body).toMatchObject({ messages: [{ isNote: true, mediaType: 'note' }] })
  })

  it('refuses what the channel would refuse, before storing it', async () => {
    const ticketId = await openTicket('5511900000020')
    expect((await send(ticketId, 'x'.repeat(4097))).body).toMatchObject({ error: 'ERR_MESSAGE_TOO_LONG' })
    expect((await send(ticketId, '   ')).body).toMatchObject({ error: 'ERR_MESSAGE_EMPTY' })
  })
})

describe('files', () => {
  it('sends a recording as a voice note, whatever container the browser chose, and opens by its signed link only', async () => {
    const ticketId = await openTicket('5511900000026')
    const webm = Buffer.from(
      '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
      'hex',
    )
    const form = new FormData()
    for (const [key, value] of [
      ['idFront', 'voice-note-1'],
      ['isNote', 'false'],
      ['durationMs', '4200'],
    ] as const)
      form.append(key, value)
    form.append('medias', new Blob([webm], { type: 'audio/webm' }), 'audio.webm')
    const response = await fetch(`${product().address}/api/messages/${ticketId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.token}` },
      body: form,
    })
    const { messages: sent } = (await response.json()) as {
      messages: { mediaType: string; mediaUrl: string; file: { mime: string; durationMs: number } }[]
    }
    expect(sent).toMatchObject([{ mediaType: 'audio', file: { mime: 'audio/webm', durationMs: 4200 } }])
    const url = `${product().address}${sent[0]!.mediaUrl}`
    const file = await fetch(url)
    expect(Buffer.from(await file.arrayBuffer()).equals(webm)).toBe(true)
    expect((await fetch(url, { headers: { range: 'bytes=0-3' } })).status).toBe(206)
    expect(
      (
        await fetch(
          url.replace(
            /\.([\w-])([\w-]+)\/audio/,
            (_, first: string, rest: string) => `.${first === 'A' ? 'B' : 'A'}${rest}/audio`,
          ),
        )
      ).status,
    ).toBe(404)
  })
})

describe('reading', () => {
  it('tells the channel once that an agent has read', async () => {
    const from = '5511900000025'
    const ticketId = await openTicket(from)
    const read = () =>
      call(product(), tickets.update, agent.token, { params: { id: ticketId }, body: { unreadMessages: 0 } })
    expect((await read()).body).toMatchObject({ unreadMessages: 0 })
    await read()
    await until(() => channel.read.includes(from))
    expect(channel.read.filter((key) => key === from)).toHaveLength(1)
  })
})

describe('uncertain', () => {
  it('never repeats blindly where the provider has no idempotency key', async () => {
    const other = testChannel(product().platform, { isIdempotent: false })
    const ticketId = await openTicket('5511900000030')
    let calls = 0
    other.behave(async () => {
      calls++
      throw Object.assign(new Error('a resposta se perdeu'), { kind: 'unknown' })
    })
    const lost = await send(ticketId, 'talvez tenha ido')
    await until(async () => (await statusOf(idOf(lost))) === 'uncertain')
    expect(calls).toBe(1)
    const canceled = await call(product(), messages.cancel, agent.token, { params: { id: idOf(lost) } })
    expect(canceled.body).toMatchObject({ status: 'canceled' })
    channel = testChannel(product().platform)
  })

  it('asks a person about an attempt that a stopped process left behind, instead of making it again', async () => {
    const careful = testChannel(product().platform, { isIdempotent: false })
    const from = '5511900000031'
    const ticketId = await openTicket(from)
    const id = await make(product().platform).message(tenantId, ticketId, {
      from_me: true,
      status: 'queued',
      body: 'foi ou não foi',
    })
    await unit(product().platform, { tenantId, user: null }, async (ctx) =>
      enqueueSending(ctx, { connection_id: connectionId, conversation_key: from }),
    )
    await until(async () => (await statusOf(id)) === 'uncertain')
    expect(careful.sent).toEqual([])
    channel = testChannel(product().platform)
  })
})

describe('changes feed', () => {
  it('tells a client that was away exactly what the socket would have told', async () => {
    const start = (await call(product(), messages.changes, agent.token)).body
    const ticketId = await openTicket('5511900000040')
    await send(ticketId, 'resposta')
    const after = (await call(product(), messages.changes, agent.token, { query: { after: start.lastSeq } })).body
    expect(after.changes.map((change) => change.type)).toEqual(expect.arrayContaining(['ticket:create', 'chat:create']))
    expect(after.changes.map((change) => change.seq)).toEqual(
      [...after.changes.map((change) => change.seq)].sort((a, b) => a - b),
    )
    expect((await call(product(), messages.changes, agent.token, { query: { after: 10 ** 9 } })).body).toMatchObject({
      resync: true,
    })
  })
})
