import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { findTicket } from '#features/ledger/server/rows/queries.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/contract.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make, type Person } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { type Cast, COMMAND_TABLE, commandBy, STATES, subjectOf } from '#test/ticket-table.ts'
import { until } from '#test/until.ts'
import { ticketsBulk } from './bulk-contract.ts'
import { ticketCommands } from './commands-contract.ts'
import { tickets } from './contract.ts'
import { stateOf } from './server/change/change.ts'
import { closeQuiet } from './server/closing/auto-close.ts'

const product = withProduct()
const m = () => make(product().platform)

type Body = TicketDetail & { error: string; details: Record<string, string>; ticket: { id: number } }

const ask = <O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}) =>
  call(product(), op, who.token, input) as unknown as Promise<Reply<Body>>

const rowOf = async (id: number) => (await product().platform.db.read(tenantId, (db) => findTicket(db, id)))!
const logsOf = async (id: number) => {
  const { body } = await ask(admin, tickets.logs, { params: { id } })
  return (body as unknown as { logs: { type: string; reason: string | null; until: string | null }[] }).logs
}
/** Returns the payloads of an event type in the changes feed, for a ticket. */
const infoOf = (type: string, id: number) =>
  product().platform.db.read(tenantId, async (db) => {
    const rows = await readChanges(db, 0, 10 ** 9, 100_000)
    return rows.filter((row) => row.type === type && (row.payload as { id?: number }).id === id)
  })

let channel: TestChannel
let tenantId: number
let queue: number
let otherQueue: number
let here: number
let there: number
let flow: number
let admin: Person
let ana: Person
let bia: Person
let front = 0

beforeAll(async () => {
  const rows = m()
  channel = testChannel(product().platform)
  tenantId = await rows.tenant()
  queue = await rows.queue(tenantId)
  otherQueue = await rows.queue(tenantId)
  here = await rows.connection(tenantId, { type: 'test' })
  there = await rows.connection(tenantId, { type: 'test' })
  flow = await rows.insert('chat_flows', tenantId, {
    name: 'Recepção',
    definition: JSON.stringify({ lineList: [{ from: 'start', to: 'boas-vindas' }] }),
  })
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queue] })
  bia = await m().person(tenantId, { name: 'Bia', queues: [queue, otherQueue] })
  await m().setting(tenantId, 'allowPause', 'enabled')
})

let counter = 0
const numbers = () => `55119${String(10_000_000 + ++counter)}`
/** Creates a ticket on the first connection, with a contact who has a number. */
async function ticketOn(row: object = {}): Promise<{ id: number; number: string }> {
  const number = numbers()
  const contact_id = await m().contact(tenantId, { number })
  const made = { status: 'open', user_id: ana.id, queue_id: queue, contact_id, connection_id: here, ...row } as const
  return { id: await m().ticket(tenantId, { conversation_key: number, channel: 'test', ...made }), number }
}
const hear = async (connectionId: number, from: string, body = 'Oi') => {
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body })])
  await ingestIdle(product().platform)
}

const refusals: Readonly<Record<string, number>> = {
  ERR_TICKET_TAKEN: 409,
  ERR_NO_PERMISSION: 403,
  ERR_TICKET_IS_GROUP: 409,
  ERR_TICKET_PAUSED: 409,
  ERR_TICKET_NOT_PAUSED: 409,
  ERR_TICKET_TRANSITION: 409,
}

describe('the table of commands', () => {
  const run: Readonly<Record<string, (who: Person, id: number, cast: Cast) => Promise<Reply<Body>>>> = {
    Atender: (who, id) => ask(who, tickets.update, { params: { id }, body: { status: 'open', userId: who.id } }),
    'Transferir para pessoa': (who, id, { colleague: userId, otherQueue: queueId }) =>
      ask(who, tickets.update, { params: { id }, body: { isTransference: true, userId, queueId } }),
    'Transferir para fila': (who, id, { otherQueue: queueId }) =>
      ask(who, tickets.update, { params: { id }, body: { isTransference: true, queueId } }),
    Devolver: (who, id) => ask(who, tickets.update, { params: { id }, body: { status: 'pending', userId: null } }),
    Resolver: (who, id) => ask(who, tickets.update, { params: { id }, body: { status: 'closed' } }),
    Reabrir: (who, id) => ask(who, tickets.update, { params: { id }, body: { status: 'open', userId: who.id } }),
    'Forçar fechamento': (who, id) => ask(who, tickets.force, { params: { id }, body: { status: 'closed' } }),
    'Forçar sem fila nem responsável': (who, id) =>
      ask(who, tickets.nullify, { params: { id }, body: { status: 'closed' } }),
    Pausar: (who, id) => ask(who, ticketCommands.pause, { params: { id }, body: { reason: 'almoço' } }),
    Retomar: (who, id) => ask(who, ticketCommands.resume, { params: { id } }),
    Adiar: (who, id, { now }) =>
      ask(who, tickets.update, {
        params: { id },
        body: { snoozedUntil: new Date(now + 86_400_000).toISOString() },
      }),
    'Trazer de volta': (who, id) => ask(who, tickets.update, { params: { id }, body: { snoozedUntil: null } }),
    'Passar para o chatbot': (who, id, { flow: { id: chatFlowId } }) =>
      ask(who, ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId } }),
    'Mudar de canal': (who, id, { target: { connectionId: whatsappId } }) =>
      ask(who, ticketCommands.changeChannel, { params: { id }, body: { whatsappId } }),
    'Avisar quem atende': (who, id) =>
      ask(who, ticketCommands.notify, { params: { id }, body: { type: 'notification:new' } }),
  }

  const keys = ['NotViewAssignedTickets', 'controlFeatures', 'showGroupsForAll'] as const
  beforeAll(async () => {
    for (const key of keys) await m().setting(tenantId, key)
  })
  afterAll(async () => {
    for (const key of keys) await m().setting(tenantId, key, 'disabled')
  })

  it('has them all', () => expect(Object.keys(run)).toEqual(Object.keys(COMMAND_TABLE)))

  it.each(Object.keys(COMMAND_TABLE))('%s: the server does to every ticket what the table says', async (name) => {
    for (const state of STATES) {
      if (COMMAND_TABLE[name]!.means?.[state.status]) continue
      const number = numbers()
      const contact_id = await m().contact(tenantId, { number })
      const now = product().platform.now().getTime()
      const to = { connectionId: there, conversationKey: number, channel: 'test', isTaken: false }
      const cast: Cast = {
        me: admin.id,
        colleague: bia.id,
        queue,
        otherQueue,
        flow: { id: flow, firstNode: 'boas-vindas' },
        target: to,
        connection: { connectionId: here, conversationKey: number, channel: 'test' },
        now,
      }
      const before = subjectOf(state, cast)
      const at = (time: number | null) => (time === null ? null : new Date(time))
      const id = await m().ticket(tenantId, {
        status: before.status,
        user_id: before.userId,
        queue_id: before.queueId,
        is_group: before.isGroup,
        chat_flow_id: before.chatFlowId,
        chat_flow_node: before.chatFlowNode,
        bot_retries: before.botRetries,
        started_attendance_at: at(before.startedAttendanceAt),
        closed_at: at(before.closedAt),
        paused_at: at(before.pausedAt),
        snoozed_until: at(before.snoozedUntil),
        contact_id,
        connection_id: here,
        conversation_key: number,
        channel: 'test',
      })
      const expected = COMMAND_TABLE[name]!.decide(before, commandBy('admin', cast), cast)
      const reply = await run[name]!(admin, id, cast)
      const what = `${name}, ${state.situation} ${state.status}`
      if (typeof expected === 'string') {
        expect([what, reply.status, reply.body.error]).toEqual([what, refusals[expected], expected])
        expect(stateOf(await rowOf(id))).toEqual(before)
        continue
      }
      expect([what, reply.status]).toEqual([what, 200])
      const after = stateOf(await rowOf(id))
      // Rounds times relative to now to minutes.
      const near = (time: number | null) => (time === null ? null : Math.round((time - now) / 60_000))
      const calm = ({
        startedAttendanceAt,
        closedAt,
        pausedAt,
        snoozedUntil,
        totalPausedMs,
        ...rest
      }: typeof after) => ({
        ...rest,
        times: [startedAttendanceAt, closedAt, pausedAt, snoozedUntil].map(near),
        rested: Math.round(totalPausedMs / 60_000),
      })
      expect([what, calm(after)]).toEqual([what, calm({ ...before, ...expected.set })])
      expect([what, (await logsOf(id)).map(({ type }) => type).reverse()]).toEqual([
        what,
        expected.logs.map(({ type }) => type),
      ])
    }
  })
})

describe('pause', () => {
  it('carries its reason, keeps a quiet ticket from being resolved, and can be ended after the setting is off', async () => {
    const longAgo = new Date(Date.now() - 30 * 86_400_000)
    const { id } = await ticketOn({ last_message_at: longAgo })
    const { id: quiet } = await ticketOn({ last_message_at: longAgo })
    const { id: later } = await ticketOn({ last_message_at: longAgo, snoozed_until: new Date(Date.now() + 86_400_000) })
    const paused = await ask(ana, ticketCommands.pause, { params: { id }, body: { reason: '  almoço ' } })
    expect(paused.body).toMatchObject({ isPaused: true, pausedAt: expect.any(Number), status: 'open' })
    expect((await logsOf(id))[0]).toMatchObject({ type: 'pause', reason: 'almoço', until: null })
    await m().setting(tenantId, 'autoClose', 'enabled')
    await closeQuiet(product().platform)
    await m().setting(tenantId, 'autoClose', 'disabled')
    expect([(await rowOf(id)).status, (await rowOf(quiet)).status, (await rowOf(later)).status]).toEqual([
      'open',
      'closed',
      'open',
    ])
    await m().setting(tenantId, 'allowPause', 'disabled')
    const { id: other } = await ticketOn()
    const off = await ask(ana, ticketCommands.pause, { params: { id: other } })
    expect([off.status, off.body.error]).toEqual([403, 'ERR_PAUSE_DISABLED'])
    expect((await ask(ana, ticketCommands.resume, { params: { id } })).body).toMatchObject({ isPaused: false })
    await m().setting(tenantId, 'allowPause', 'enabled')
    const long = await ask(ana, ticketCommands.pause, { params: { id }, body: { reason: 'a'.repeat(201) } })
    expect([long.status, Object.keys(long.body.details)]).toEqual([400, ['reason']])
  })
})

describe('to the chatbot', () => {
  it('goes to flows that are there and on, and shows where it stands', async () => {
    const { id } = await ticketOn()
    const off = await m().insert('chat_flows', tenantId, { name: 'Desligado', is_active: false })
    const foreign = await m().insert('chat_flows', await m().tenant(), { name: 'De outra empresa' })
    for (const chatFlowId of [off, foreign, 999_999]) {
      const { status, body } = await ask(ana, ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId } })
      expect([status, body.error]).toEqual([404, 'ERR_NO_CHAT_FLOW_FOUND'])
    }
    const list = await ask(ana, ticketCommands.chatFlows)
    expect(list.body).toEqual({ chatFlow: [{ id: flow, name: 'Recepção', isActive: true }] })
    const { body } = await ask(ana, ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId: flow } })
    const begun = { status: 'pending', userId: null, queueId: null, chatFlowId: flow, stepChatFlow: 'boas-vindas' }
    expect(body).toMatchObject({ ...begun, botRetries: 0, capabilities: { chatbot: true } })
  })
})

describe('over another connection', () => {
  it('goes on there with what is scheduled; what is on its way and what comes stays with the old one', async () => {
    const { id, number } = await ticketOn()
    const message = { from_me: true, user_id: ana.id, status: 'pending' } as const
    const sent = await m().message(tenantId, id, { ...message, status: 'sent', provider_id: 'lá' })
    const at = new Date(Date.now() + 86_400_000)
    const later = await m().message(tenantId, id, { ...message, schedule_date: at, send_at: at })
    const { status, body } = await ask(ana, ticketCommands.changeChannel, {
      params: { id },
      body: { whatsappId: there },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ whatsappId: there, userId: ana.id, queueId: queue, whatsapp: { id: there } })
    const targets = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['id', 'connection_id']).where('id', 'in', [sent, later]).execute(),
    )
    expect(new Map(targets.map((one) => [one.id, one.connection_id]))).toEqual(
      new Map([
        [sent, here],
        [later, there],
      ]),
    )
    // A reply leaves over the new connection. The customer's message there continues the ticket; on the old connection
    // it creates another. Only the old connection knows the quoted message.
    const body2 = { idFront: `canal-novo-${++front}`, body: 'Agora por aqui', isNote: false, quotedMsgId: sent }
    const answer = await call(product(), messages.send, ana.token, { params: { ticketId: id }, body: body2 })
    expect(answer.status).toBe(200)
    await until(() => channel.sent.some((message) => message.body.endsWith(body2.body)))
    expect(channel.sent.find((message) => message.body.endsWith(body2.body))).toMatchObject({
      connectionId: there,
      quotedProviderId: null,
      quoted: null,
    })
    await hear(there, number)
    expect((await rowOf(id)).unread_messages).toBe(1)
    await hear(here, number)
    const others = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['id', 'connection_id']).where('conversation_key', '=', number).execute(),
    )
    expect(others.map((one) => one.connection_id).sort()).toEqual([here, there].sort())
    // Another ticket now occupies the old connection: the error names it.
    const back = await ask(ana, ticketCommands.changeChannel, { params: { id }, body: { whatsappId: here } })
    expect([back.status, back.body.error, back.body.ticket.id]).toEqual([
      409,
      'ERR_OTHER_OPEN_TICKET',
      others.find((one) => one.connection_id === here)!.id,
    ])
  })

  it('refuses connections that are not there, foreign, of another channel or not one’s own, and contacts without an address', async () => {
    const { id } = await ticketOn()
    const foreign = await m().connection(await m().tenant())
    const removed = await m().connection(tenantId, { is_deleted: true })
    const carla = await m().person(tenantId, { name: 'Carla', queues: [queue] })
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('user_connections')
        .values({ tenant_id: tenantId, user_id: carla.id, connection_id: here })
        .execute(),
    )
    const to = (who: Person, body: { whatsappId: number; channel?: string }) =>
      ask(who, ticketCommands.changeChannel, { params: { id }, body })
    for (const [who, body] of [
      [ana, { whatsappId: foreign }],
      [ana, { whatsappId: removed }],
      [ana, { whatsappId: 999_999 }],
      [ana, { whatsappId: there, channel: 'telegram' }],
      [carla, { whatsappId: there }],
    ] as const) {
      const { status, body: answer } = await to(who, body)
      expect([status, answer.error]).toEqual([404, 'ERR_NO_WAPP_FOUND'])
    }
    const stranger = await m().contact(tenantId, { number: null })
    const { id: unknown } = await ticketOn({ contact_id: stranger })
    const { status, body } = await ask(ana, ticketCommands.changeChannel, {
      params: { id: unknown },
      body: { whatsappId: there },
    })
    expect([status, body.error]).toEqual([422, 'ERR_NO_ADDRESS'])
  })

  it('of twenty who ask at once all see it there, and one log entry is written', async () => {
    const { id } = await ticketOn()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(ana, ticketCommands.changeChannel, { params: { id }, body: { whatsappId: there } }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect((await logsOf(id)).map(({ type }) => type)).toEqual(['channel'])
  })
})

describe('all of a connection', () => {
  it('is a bulk operation with a report and a way back; other companies are none of its business', async () => {
    const [from, to] = [
      await m().connection(tenantId, { type: 'test' }),
      await m().connection(tenantId, { type: 'test' }),
    ]
    const made: number[] = []
    for (let n = 0; n < 3; n++) made.push((await ticketOn({ connection_id: from })).id)
    const nowhere = await ticketOn({ connection_id: from, contact_id: await m().contact(tenantId, { number: null }) })
    const move = (who: Person, body: object) => ask(who, ticketCommands.moveChannel, { body: body as never })
    const both = { whatsappId: from, newWhatsappId: to }
    expect((await move(ana, both)).status).toBe(403)
    expect((await move(admin, { ...both, tenantId: tenantId + 1 })).status).toBe(403)
    expect((await move(admin, { ...both, limit: 501 })).status).toBe(400)
    const preview = (await move(admin, { ...both, processAll: true, dryRun: true })).body as unknown as BulkAnswer
    const why = [{ id: nowhere.id, code: 'ERR_NO_ADDRESS' }]
    expect(preview).toMatchObject({ id: null, status: 'preview', total: 4, done: 3, refused: why })
    expect((await rowOf(made[0]!)).connection_id).toBe(from)
    const some = (await move(admin, { ...both, limit: 2 })).body as unknown as BulkAnswer
    expect(some).toMatchObject({ status: 'done', action: 'channel', total: 2, done: 2 })
    const rest = (await move(admin, { ...both, processAll: true, tenantId })).body as unknown as BulkAnswer
    expect(rest).toMatchObject({ total: 2, done: 1, refused: [{ id: nowhere.id, code: 'ERR_NO_ADDRESS' }] })
    const targets = async () => Promise.all(made.map(async (id) => (await rowOf(id)).connection_id))
    expect(await targets()).toEqual([to, to, to])
    const { bulk } = await import('#features/bulk/contract.ts')
    for (const { id } of [rest, some]) await ask(admin, bulk.undo, { params: { id: id! } })
    expect(await targets()).toEqual([from, from, from])
  })

  it('of one contact with two conversations, one goes', async () => {
    const to = await m().connection(tenantId, { type: 'test' })
    const number = numbers()
    const contact_id = await m().contact(tenantId, { number })
    const { id: one } = await ticketOn({ contact_id, conversation_key: number })
    const { id: two } = await ticketOn({ contact_id, conversation_key: number, connection_id: there })
    const body = { ids: [one, two], action: 'channel', args: { whatsappId: to } } as const
    const done = (await ask(ana, ticketsBulk.start, { body: body as never })).body as unknown as BulkAnswer
    expect(done).toMatchObject({ done: 1, refused: [{ id: two, code: 'ERR_OTHER_OPEN_TICKET' }] })
  })
})

describe('the people and the memory of a ticket', () => {
  it('its owner is told again, once in ten seconds, however often it is asked', async () => {
    const { id } = await ticketOn()
    const body = { type: 'notification:new' } as const
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ask(bia, ticketCommands.notify, { params: { id }, body })),
    )
    expect(replies.map((one) => (one.body as unknown as { notified: number }).notified).sort()).toEqual([
      ...Array.from({ length: 19 }, () => 0),
      1,
    ])
    expect(await infoOf('notification:new', id)).toHaveLength(1)
    const other = await ask(bia, ticketCommands.notify, { params: { id }, body: { type: 'chat:create' } as never })
    expect([other.status, Object.keys(other.body.details)]).toEqual([400, ['type']])
  })

  it('what assistants remember is emptied, of one ticket or (admins) of a connection', async () => {
    const connection_id = await m().connection(tenantId, { type: 'test' })
    const ids = [(await ticketOn({ connection_id })).id, (await ticketOn({ connection_id })).id]
    const { platform } = product()
    await platform.db.asPlatform((db) =>
      db
        .insertInto('assistant_sessions')
        .values(ids.map((ticket_id) => ({ tenant_id: tenantId, ticket_id, assistant: 'claude', memory: '[1]' })))
        .execute(),
    )
    const clear = (who: Person, query: object) => ask(who, ticketCommands.clear, { query })
    expect((await clear(ana, {})).status).toBe(400)
    expect((await clear(ana, { ticketId: ids[0], whatsappId: connection_id })).status).toBe(400)
    expect((await clear(ana, { whatsappId: connection_id })).status).toBe(403)
    expect((await clear(ana, { ticketId: ids[0] })).body).toEqual({ cleared: 1 })
    const byGet = await ask(admin, ticketCommands.clearByGet, { query: { whatsappId: connection_id } })
    expect(byGet.body).toEqual({ cleared: 1 })
    expect((await clear(admin, { whatsappId: connection_id })).body).toEqual({ cleared: 0 })
  })
})

describe('a connection on which no assistant answers beside a person', () => {
  const on = JSON.stringify({ claude: true, n8n: false })
  const assistantsOf = async (id: number) => (await rowOf(id)).assistants

  it('has them switched off by whatever makes a person attend, and by nothing else', async () => {
    const connection_id = await m().connection(tenantId, { type: 'test', disable_external_integration: true })
    const mine = { status: 'open', userId: ana.id } as const
    const waits = { status: 'pending', user_id: null } as const
    const ways: [string, object, (id: number) => Promise<Reply<Body>>][] = [
      ['accepting', waits, (id) => ask(ana, tickets.update, { params: { id }, body: mine })],
      [
        'giving',
        {},
        (id) => ask(ana, tickets.update, { params: { id }, body: { isTransference: true, userId: bia.id } }),
      ],
      ['reopening', { status: 'closed' }, (id) => ask(ana, tickets.update, { params: { id }, body: mine })],
      ['forcing', waits, (id) => ask(admin, tickets.force, { params: { id }, body: { status: 'open' } })],
    ]
    for (const [how, row, act] of ways) {
      const { id } = await ticketOn({ connection_id, assistants: on, ...row })
      const { status, body } = await act(id)
      expect([how, status, body.claudeStatus, await assistantsOf(id)]).toEqual([how, 200, 'disabled', {}])
      const { id: elsewhere } = await ticketOn({ assistants: on, ...row })
      await act(elsewhere)
      expect([how, await assistantsOf(elsewhere)]).toEqual([how, { claude: true, n8n: false }])
    }
    const { id } = await ticketOn({ connection_id, assistants: on })
    await ask(ana, tickets.update, { params: { id }, body: { status: 'pending', userId: null } })
    expect(await assistantsOf(id)).toEqual({ claude: true, n8n: false })
  })

  it('and an undo switches on again exactly those that were on', async () => {
    const connection_id = await m().connection(tenantId, { type: 'test', disable_external_integration: true })
    const { id } = await ticketOn({ connection_id, assistants: on, status: 'pending', user_id: null })
    const body = { ids: [id], action: 'accept' } as const
    const done = (await ask(ana, ticketsBulk.start, { body: body as never })).body as unknown as BulkAnswer
    expect([done.done, await assistantsOf(id)]).toEqual([1, {}])
    const { bulk } = await import('#features/bulk/contract.ts')
    await ask(ana, bulk.undo, { params: { id: done.id! } })
    expect(await assistantsOf(id)).toEqual({ claude: true, n8n: false })
  })
})

describe('the rest of the body of PUT /tickets/{id}', () => {
  it('takes reasons that are offered, the mark of a farewell, and who sees a group', async () => {
    const { id } = await ticketOn()
    const put = (who: Person, ticketId: number, body: CallInput<typeof tickets.update>['body']) =>
      ask(who, tickets.update, { params: { id: ticketId }, body })
    expect((await put(ana, id, { reasons: 3 })).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { reasons: expect.any(String) },
    })
    expect((await put(ana, id, { reasons: null, isFarewellMessage: true })).body).toMatchObject({
      reasons: null,
      isFarewellMessage: true,
      groupUserIdArray: null,
    })
    expect((await put(ana, id, { groupUserIdArray: [bia.id] })).status).toBe(400)
    const { id: group } = await ticketOn({ is_group: true })
    expect((await ask(bia, tickets.get, { params: { id: group } })).status).toBe(404)
    expect((await put(ana, group, { groupUserIdArray: [bia.id, 999_999] })).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await put(ana, group, { groupUserIdArray: [bia.id] })).body.groupUserIdArray).toEqual([bia.id])
    expect((await ask(bia, tickets.get, { params: { id: group } })).status).toBe(200)
    expect((await put(ana, group, { groupUserIdArray: null })).body.groupUserIdArray).toEqual([])
    expect((await ask(bia, tickets.get, { params: { id: group } })).status).toBe(404)
  })

  it('controlFeatures keeps users, not leads, from peeking', async () => {
    const { id } = await ticketOn({ status: 'pending', user_id: null })
    const messageId = await m().message(tenantId, id)
    const peek = (who: Person, isPeek: boolean) =>
      ask(who, tickets.read, { params: { id }, body: { messageId, isPeek } })
    await m().setting(tenantId, 'controlFeatures', 'enabled')
    await until(async () => (await peek(ana, true)).status === 403)
    expect([(await peek(ana, false)).status, (await peek(admin, true)).status]).toEqual([200, 200])
    await m().setting(tenantId, 'controlFeatures', 'disabled')
    expect((await peek(ana, true)).status).toBe(200)
  })
})
