import { beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle, wakeIngest } from '#features/ledger/server/ingest/ingest.ts'
import { appendEvents, receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { notifications } from '#features/messages/notifications-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { sendFailure } from '#providers/channels/port.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { schedules } from './contract.ts'
import { releaseDue } from './server/release.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
let channel: TestChannel
let tenantId: number
let connectionId: number
let queueId: number
let agent: { id: number; token: string }
let foreign: string
/** Logs in again, since tokens expire after fifteen minutes. */
let enter: () => Promise<void>

beforeAll(async () => {
  const m = make(product().platform)
  channel = testChannel(product().platform)
  tenantId = await m.tenant()
  connectionId = await m.connection(tenantId, { type: 'test' })
  const user = await m.user(tenantId, { profile: 'admin', name: 'Ana' })
  queueId = await m.queue(tenantId)
  const stranger = await m.user(await m.tenant(), { profile: 'admin' })
  enter = async () => {
    agent = { id: user.id, token: await m.token(user) }
    foreign = await m.token(stranger)
  }
  await enter()
})

const hear = async (...events: Parameters<typeof receive>[2]) => {
  await receive(product().platform, { tenantId, connectionId }, events)
  await ingestIdle(product().platform)
}
let people = 0
/** An open ticket of the agent's with one question in it. */
async function talking() {
  const from = `55119100${String(++people).padStart(5, '0')}`
  await hear(textEvent({ from, body: 'Oi' }))
  const row = await ticketOf(from)
  await set(row.id, { status: 'open', userId: agent.id })
  return { from, id: row.id, contactId: row.contact_id }
}
const set = async (id: number, body: object) =>
  expect((await call(product(), tickets.update, agent.token, { params: { id }, body })).status).toBe(200)
const ticketOf = async (from: string) =>
  (await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('conversation_key', '=', from).orderBy('id', 'desc').executeTakeFirst(),
  ))!
const row = async (id: string) =>
  (await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst(),
  ))!
type Message = {
  id: string
  status: string
  body: string
  sendAt: string | null
  scheduleDate: string | null
  errorCode: string | null
}
type Sent = { messages: Message[]; details?: Record<string, string> }
let front = 0
const send = async (ticketId: number, body: object, token = agent.token) => {
  const reply = await call(product(), messages.send, token, {
    params: { ticketId },
    body: { idFront: `front-${++front}-abc`, isNote: false, ...body },
  })
  return { status: reply.status, body: reply.body as Sent }
}
const ahead = (ms: number) => new Date(Date.now() + shiftMs + ms).toISOString()
const scheduled = async (ticketId: number, body: object = {}, inMs = HOUR) => {
  const reply = await send(ticketId, { body: 'Lembrete', scheduleDate: ahead(inMs), ...body })
  expect(reply.status).toBe(200)
  return reply.body.messages[0]!
}
/** Advances the clock and runs the due sends, twice, as after a crash. */
const later = async (ms: number) => {
  shiftMs += ms
  await enter()
  await releaseDue(product().platform, tenantId)
  await releaseDue(product().platform, tenantId)
}
const detail = async (id: number) =>
  (await call(product(), tickets.get, agent.token, { params: { id } })).body as unknown as {
    status: string
    userId: number | null
    lastMessage: string
    waitingSince: number | null
    scheduledMessages: {
      id: string
      body: string
      scheduleDate: string
      cancelOnReply: boolean
      repeat: string | null
    }[]
  }
const thread = async (ticketId: number) =>
  ((await call(product(), messages.list, agent.token, { params: { ticketId } })).body as Sent).messages
const sentTexts = (from: string) => channel.sent.filter((one) => one.conversationKey === from).map((one) => one.body)
const change = (id: string, body: object, token = agent.token) =>
  call(product(), messages.change, token, { params: { id }, body })
const remove = (id: string, more: object = {}) =>
  call(product(), messages.remove, agent.token, { body: { id, ...more } })
const cancel = (id: string) => call(product(), messages.cancel, agent.token, { params: { id } })
const trail = async (id: string) =>
  (await call(product(), messages.trail, agent.token, { params: { id } })).body.steps.map(({ step }) => step)

describe('a scheduled message', () => {
  it('leaves at its time by itself, and not before', async () => {
    const { id } = await talking()
    const message = await scheduled(id, {}, 6_000)
    await until(async () => (await row(message.id)).status === 'sent')
    const { timestamp, schedule_date } = await row(message.id)
    expect(timestamp.getTime() - schedule_date!.getTime()).toBeGreaterThanOrEqual(0)
  })

  it('waits beside the conversation, leaves at its time once, and answers nobody', async () => {
    const { id, from } = await talking()
    const message = await scheduled(id)
    expect(message).toMatchObject({ status: 'pending', sendAt: message.scheduleDate })
    await later(HOUR - MINUTE)
    expect(await detail(id)).toMatchObject({
      lastMessage: 'Oi',
      scheduledMessages: [{ id: message.id, body: 'Lembrete' }],
    })
    expect((await thread(id)).map(({ body }) => body)).toEqual(['Oi'])
    expect(sentTexts(from)).toEqual([])
    await later(2 * MINUTE)
    await until(async () => (await row(message.id)).status === 'sent')
    expect(sentTexts(from)).toEqual(['Lembrete'])
    const after = await detail(id)
    expect(after).toMatchObject({ lastMessage: 'Lembrete', scheduledMessages: [], status: 'open', userId: agent.id })
    expect(after.waitingSince).not.toBeNull()
    expect((await thread(id)).map(({ body, sendAt }) => [body, sendAt])).toEqual([
      ['Oi', null],
      ['Lembrete', null],
    ])
    expect(await trail(message.id)).toEqual(['scheduled', 'accepted', 'attempt', 'sent'])
  })

  it.each([
    [{ scheduleDate: ahead(1000) }, 'scheduleDate', /ainda não passou/],
    [{ scheduleDate: ahead(366 * 24 * HOUR) }, 'scheduleDate', /um ano/],
    [{ scheduleDate: 'amanhã' }, 'scheduleDate', /dia e o horário/],
    [{ scheduleDate: ahead(HOUR), isNote: true }, 'scheduleDate', /Notas/],
    [{ scheduleDate: ahead(HOUR), repeat: 'FREQ=SECONDLY' }, 'repeat', /não é possível/],
    [{ cancelOnReply: true }, 'scheduleDate', /horário/],
  ])('%o is refused with a sentence, and nothing is stored', async (bad, field, sentence) => {
    const { id } = await talking()
    const reply = await send(id, { body: 'Não', ...bad })
    expect(reply.status).toBe(400)
    expect(reply.body.details?.[field]).toMatch(sentence)
    expect(await detail(id)).toMatchObject({ scheduledMessages: [], lastMessage: 'Oi' })
  })

  it('is stored once however often it is asked for at once', async () => {
    const { id } = await talking()
    const ask = { body: 'Uma', scheduleDate: ahead(HOUR), idFront: 'front-the-same' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(id, ask)))
    expect(new Set(replies.map(({ body }) => body.messages[0]!.id)).size).toBe(1)
    expect((await detail(id)).scheduledMessages).toHaveLength(1)
  })

  it('goes late by less than an hour; later it is canceled, with a reason, and its people are told', async () => {
    const { id, from } = await talking()
    const inTime = await scheduled(id, { body: 'Em tempo' })
    await later(2 * HOUR - MINUTE)
    await until(() => sentTexts(from).includes('Em tempo'))
    const late = await scheduled(id, { body: 'Tarde' })
    await later(2 * HOUR + MINUTE)
    expect(await row(late.id)).toMatchObject({ status: 'canceled', error_code: 'ERR_SCHEDULE_LATE' })
    expect((await thread(id)).at(-1)).toMatchObject({ id: late.id, errorCode: 'ERR_SCHEDULE_LATE' })
    expect(sentTexts(from)).toEqual(['Em tempo'])
    const bell = (await call(product(), notifications.list, agent.token)).body
    expect(bell.notifications).toContainEqual(expect.objectContaining({ ticketId: id, isLate: true, text: 'Tarde' }))
    expect((await row(inTime.id)).status).toBe('sent')
  })

  it('waits for a channel that is down, goes when it is back within the hour, and is canceled after it', async () => {
    const { id, from } = await talking()
    const connect = (status: string) =>
      product().platform.db.write(tenantId, (db) =>
        db.updateTable('connections').set({ status }).where('id', '=', connectionId).execute(),
      )
    const first = await scheduled(id, { body: 'Primeira' })
    await connect('TIMEOUT')
    await later(HOUR + MINUTE)
    expect(await row(first.id)).toMatchObject({ status: 'pending' })
    await connect('CONNECTED')
    await later(0)
    await until(() => sentTexts(from).includes('Primeira'))
    // The channel is down, but not known to be: the send fails as unreachable.
    channel.behave(async () => {
      throw sendFailure('unreachable', 'ninguém')
    })
    const second = await scheduled(id, { body: 'Segunda' })
    await later(HOUR)
    await until(async () => (await trail(second.id)).includes('waiting'))
    shiftMs += 2 * HOUR
    await enter()
    channel.behave(async ({ messageId }) => ({ providerId: messageId }))
    await product().platform.db.asPlatform((db) =>
      db
        .updateTable('messages')
        .set({ updated_at: new Date(0) })
        .where('id', '=', second.id)
        .execute(),
    )
    const { sendJob } = await import('#features/ledger/server/outbox/outbox.ts')
    await sendJob.run(
      product().platform,
      { tenantId, connectionId, conversationKey: from },
      { requireOwnership: () => {} },
    )
    expect(await row(second.id)).toMatchObject({ status: 'canceled', error_code: 'ERR_SCHEDULE_LATE' })
    channel = testChannel(product().platform)
  })

  it('neither reopens nor takes a ticket, and goes on in the next one of its conversation', async () => {
    const { id, from } = await talking()
    const closed = await scheduled(id, { body: 'No resolvido' })
    await set(id, { status: 'closed' })
    await later(HOUR)
    await until(() => sentTexts(from).includes('No resolvido'))
    expect(await detail(id)).toMatchObject({ status: 'closed', lastMessage: 'No resolvido' })
    expect((await row(closed.id)).ticket_id).toBe(id)
    const next = await scheduled(id, { body: 'No próximo' })
    await hear(textEvent({ from, body: 'De novo' }))
    const opened = await ticketOf(from)
    expect(opened.id).not.toBe(id)
    expect((await detail(opened.id)).scheduledMessages).toMatchObject([{ id: next.id }])
    await later(HOUR)
    await until(() => sentTexts(from).includes('No próximo'))
    expect(await ticketOf(from)).toMatchObject({ id: opened.id, status: 'pending', user_id: null })
  })

  it('is canceled by the customer’s word before it, also by one that was only journaled; others stay', async () => {
    const { id, from } = await talking()
    const awaits = await scheduled(id, { body: 'Só se calar', cancelOnReply: true })
    const stays = await scheduled(id, { body: 'De todo modo' })
    await hear(textEvent({ from, body: 'Respondi' }))
    expect(await row(awaits.id)).toMatchObject({
      status: 'canceled',
      error_code: 'ERR_SCHEDULE_ANSWERED',
      send_at: null,
    })
    expect((await detail(id)).scheduledMessages).toMatchObject([{ id: stays.id }])
    expect((await thread(id)).map(({ body }) => body)).toContain('Só se calar')
    const journaled = await scheduled(id, { body: 'Corrida', cancelOnReply: true })
    // The process died between taking the word in and working on it.
    await product().platform.db.write(tenantId, (db) =>
      appendEvents({ platform: product().platform, tenantId, db, afterCommit: () => {} } as never, connectionId, [
        textEvent({ from, body: 'Antes da hora' }),
      ]),
    )
    await later(HOUR + MINUTE)
    expect((await row(journaled.id)).status).toBe('pending')
    wakeIngest(product().platform, tenantId)
    await until(async () => (await row(journaled.id)).status === 'canceled')
    await until(() => sentTexts(from).includes('De todo modo'))
    expect(sentTexts(from)).toEqual(['De todo modo'])
  })

  it('repeats at the same time of the company’s day, counted from its beginning, until it is over or canceled', async () => {
    const { id, from } = await talking()
    const first = await scheduled(id, { body: 'Todo dia', repeat: 'FREQ=DAILY;COUNT=3' })
    const at = Date.parse(first.scheduleDate!)
    await later(HOUR)
    await until(() => sentTexts(from).length === 1)
    const [second] = (await detail(id)).scheduledMessages
    expect(Date.parse(second!.scheduleDate)).toBe(at + 24 * HOUR)
    // Two days without a server: the missed one is canceled, and the next comes at its time.
    await later(26 * HOUR)
    expect((await row(second!.id)).status).toBe('canceled')
    const [third] = (await detail(id)).scheduledMessages
    expect(Date.parse(third!.scheduleDate)).toBe(at + 48 * HOUR)
    await later(22 * HOUR)
    await until(() => sentTexts(from).length === 2)
    expect((await detail(id)).scheduledMessages).toEqual([])
  })

  it('is changed, sent at once and canceled; what has left is not', async () => {
    const { id, from } = await talking()
    const message = await scheduled(id)
    const moved = await change(message.id, { body: 'Outro texto', scheduleDate: ahead(3 * HOUR) })
    expect(moved.body).toMatchObject({ body: 'Outro texto', status: 'pending' })
    await later(2 * HOUR)
    expect(sentTexts(from)).toEqual([])
    for (const [bad, status] of [
      [{ scheduleDate: ahead(0) }, 400],
      [{ body: ' ' }, 400],
      [{}, 400],
      [{ status: 'sent' }, 400],
    ] as const)
      expect((await change(message.id, bad)).status).toBe(status)
    expect((await change(message.id, { body: 'x' }, foreign)).status).toBe(404)
    const both = await Promise.all([
      change(message.id, { scheduleDate: null }),
      change(message.id, { scheduleDate: null }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    await until(() => sentTexts(from).length === 1)
    await later(3 * HOUR)
    expect(sentTexts(from)).toEqual(['Outro texto'])
    expect((await change(message.id, { body: 'tarde' })).status).toBe(409)
    await until(async () => (await row(message.id)).status === 'sent')
    expect((await cancel(message.id)).status).toBe(409)
    const dropped = await scheduled(id, { body: 'Não mais' })
    expect((await remove(dropped.id, { messageId: 'of-another' })).status).toBe(404)
    expect((await remove(dropped.id)).status).toBe(200)
    await later(HOUR)
    expect((await row(dropped.id)).status).toBe('canceled')
    expect((await thread(id)).map(({ body }) => body)).not.toContain('Não mais')
    expect((await call(product(), messages.remove, foreign, { body: { id: dropped.id } })).status).toBe(404)
  })

  it('is listed with the next first, page by page, and only to who sees its ticket', async () => {
    const { id } = await talking()
    const times = [3, 1, 2]
    for (const hours of times) await scheduled(id, { body: `Em ${hours} h` }, hours * HOUR)
    const list = async (query: object, token = agent.token) =>
      (await call(product(), schedules.list, token, { query })).body as Sent & { hasMore: boolean }
    expect((await list({ ticketId: id, page: 1 })).messages.map(({ body }) => body)).toEqual([
      'Em 1 h',
      'Em 2 h',
      'Em 3 h',
    ])
    expect((await list({}, foreign)).messages).toEqual([])
    const choices = (await call(product(), schedules.choices, agent.token)).body
    // At 17:30 both are one moment, which bears the day's name.
    expect(choices.choices.map(({ label }) => label).join()).toMatch(/Em 30 minutos|Hoje, 18:00/)
    for (const one of (await list({ ticketId: id })).messages) await remove(one.id)
  })

  it('reaches a contact without a ticket in one that is closed from its beginning, and 409 tells who has an open one', async () => {
    const m = make(product().platform)
    const contactId = await m.contact(tenantId, { number: '5511977770001' })
    const ask = (body: { scheduleDate: string; contactId?: number; body?: string }, token = agent.token) =>
      call(product(), schedules.create, token, {
        body: { whatsappId: connectionId, contactId, body: 'Olá', ...body },
      }) as Promise<{
        status: number
        body: Sent
      }>
    const made = await ask({ scheduleDate: ahead(HOUR) })
    expect(made.status).toBe(200)
    const ticket = await ticketOf('5511977770001')
    expect(ticket).toMatchObject({ status: 'closed', closed_at: null })
    await later(HOUR)
    await until(() => sentTexts('5511977770001').length === 1)
    expect(await ticketOf('5511977770001')).toMatchObject({ id: ticket.id, status: 'closed', last_message: 'Olá' })
    expect((await ask({ scheduleDate: ahead(HOUR) }, foreign)).status).toBe(404)
    expect((await ask({ scheduleDate: ahead(0) })).status).toBe(400)
    expect((await ask({ scheduleDate: ahead(HOUR), body: '' })).status).toBe(400)
    // A person who may not see the open ticket learns who has it.
    const other = await m.token(await m.user(tenantId, { profile: 'user', queues: [queueId] }))
    const { contactId: theirs } = await talking()
    const refused = await ask({ scheduleDate: ahead(HOUR), contactId: theirs }, other)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ ticket: { userId: agent.id } })
  })
})

it('what is due at once leaves a few at a time of each connection, and what people write goes ahead of the rest', async () => {
  await enter()
  const all = await Promise.all(Array.from({ length: 24 }, () => talking()))
  const live = await talking()
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const order: string[] = []
  channel.behave(async (message) => {
    order.push(message.body)
    await gate
    channel.sent.push(message)
    return { providerId: message.messageId }
  })
  const waiting = await Promise.all(all.map(({ id }) => scheduled(id)))
  await later(HOUR)
  const states = () => Promise.all(waiting.map(({ id }) => row(id)))
  const unsent = async () =>
    (await states()).filter(({ send_at, status }) => send_at === null && status !== 'sent').length
  await until(async () => (await unsent()) === 16)
  // Asked again, nothing more leaves: those that did are not sent yet.
  await releaseDue(product().platform, tenantId)
  expect(await unsent()).toBe(16)
  expect((await send(live.id, { body: 'Agora' })).status).toBe(200)
  open()
  await until(async () => (await states()).every(({ status }) => status === 'sent'))
  await until(() => order.includes('Agora'))
  // Ahead of what had not left, and behind no more than what was being sent.
  expect(order.indexOf('Agora')).toBeLessThanOrEqual(16)
  expect(order.filter((text) => text === 'Lembrete')).toHaveLength(24)
  channel.behave(async (message) => {
    channel.sent.push(message)
    return { providerId: message.messageId }
  })
})

describe('what can be taken back', () => {
  const prefer = (undoSeconds: number) =>
    call(product(), users.setConfigs, agent.token, { params: { id: agent.id }, body: { preferences: { undoSeconds } } })

  it('has not left before its time is over, keeps what is said after it behind it, and changes nothing when it is taken back', async () => {
    const { id, from } = await talking()
    expect((await prefer(11)).status).toBe(400)
    expect((await prefer(10)).status).toBe(200)
    const first = (await send(id, { body: 'Primeira' })).body.messages[0]!
    const second = (await send(id, { body: 'Segunda' })).body.messages[0]!
    expect(first.sendAt).not.toBeNull()
    expect((await thread(id)).map(({ body }) => body)).toEqual(['Oi', 'Primeira', 'Segunda'])
    expect(await detail(id)).toMatchObject({ lastMessage: 'Oi' })
    expect((await detail(id)).waitingSince).not.toBeNull()
    await prefer(0)
    // After the undo period.
    const third = (await send(id, { body: 'Terceira' })).body.messages[0]!
    expect((await remove(first.id)).status).toBe(200)
    await later(9000)
    expect(sentTexts(from)).toEqual([])
    await later(1500)
    await until(() => sentTexts(from).length === 2)
    expect(sentTexts(from)).toEqual(['Segunda', 'Terceira'])
    expect((await row(first.id)).status).toBe('canceled')
    expect((await thread(id)).map(({ body }) => body)).not.toContain('Primeira')
    expect((await detail(id)).waitingSince).toBeNull()
    await until(async () => (await row(third.id)).status === 'sent')
    expect((await cancel(second.id)).status).toBe(409)
  })

  it('leaves the customer waiting as before when all of it is taken back', async () => {
    const { id, from } = await talking()
    const before = await detail(id)
    await prefer(5)
    const message = (await send(id, { body: 'Engano' })).body.messages[0]!
    await remove(message.id)
    await prefer(0)
    await later(6000)
    expect(await detail(id)).toEqual(before)
    expect(sentTexts(from)).toEqual([])
  })

  it('so are forwarded messages, all of one forwarding together', async () => {
    const [from, to] = [await talking(), await talking()]
    const { messages: said } = (await call(product(), messages.list, agent.token, { params: { ticketId: from.id } }))
      .body
    await prefer(10)
    const body = { messages: said.map(({ id }) => id), contact: to.contactId }
    const sent = (await call(product(), messages.forward, agent.token, { body: body })).body as unknown as {
      messages: { id: string; sendAt: string | null }[]
    }
    expect(sent.messages.map(({ sendAt }) => sendAt !== null)).toEqual([true])
    expect(await detail(to.id)).toMatchObject({ lastMessage: 'Oi' })
    for (const { id } of sent.messages) expect((await remove(id)).status).toBe(200)
    await later(MINUTE)
    expect(sentTexts(to.from)).toEqual([])
    const again = (await call(product(), messages.forward, agent.token, { body: body })).body as unknown as typeof sent
    await later(MINUTE)
    await until(async () => (await row(again.messages[0]!.id)).status === 'sent')
    expect(await row(again.messages[0]!.id)).toMatchObject({ send_type: 'forward' })
    await prefer(0)
  })
})

it('one’s own note is changed, with its first text kept; and by leads, whose ever it is', async () => {
  const { id } = await talking()
  const note = (await send(id, { body: 'Nota', isNote: true })).body.messages[0]!
  expect((await change(note.id, { body: 'Nota melhor' })).body).toMatchObject({ body: 'Nota melhor', edition: 'Nota' })
  const m = make(product().platform)
  const lead = await m.person(tenantId, { profile: 'admin' })
  expect((await change(note.id, { body: 'Nossa' }, lead.token)).body).toMatchObject({ body: 'Nossa', edition: 'Nota' })
  expect((await change(note.id, { scheduleDate: ahead(HOUR) })).status).toBe(400)
})
