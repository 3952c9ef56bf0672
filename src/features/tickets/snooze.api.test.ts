import { beforeAll, describe, expect, it } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { findTicket } from '#features/ledger/server/rows/queries.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/contract.ts'
import { notifications } from '#features/messages/notifications-contract.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ticketsBulk } from './bulk-contract.ts'
import { ticketCommands } from './commands-contract.ts'
import { tickets } from './contract.ts'
import { wakeJob } from './server/change/snooze.ts'
import { mendJob } from './server/sets/mend.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)

type Body = TicketDetail & { error: string; details: Record<string, string>; count: number }

const ask = <O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}) =>
  call(product(), op, who.token, input) as unknown as Promise<Reply<Body>>
const rowOf = async (id: number) => (await product().platform.db.read(tenantId, (db) => findTicket(db, id)))!
async function listed(who: Person, query: object) {
  const { body } = await ask(who, tickets.list, { query })
  const { tickets: rows, counts } = body as unknown as { tickets: TicketRow[]; counts: Record<string, number> }
  return { ids: rows.map(({ id }) => id), counts }
}
const logTypes = async (id: number) => {
  const { body } = await ask(admin, tickets.logs, { params: { id } })
  return (body as unknown as { logs: { type: string; until: string | null }[] }).logs.map(({ type }) => type)
}

const HOUR = 3_600_000
const inOneHour = () => new Date(product().platform.now().getTime() + HOUR).toISOString()

let tenantId: number
let queue: number
let connection: number
let admin: Person
let ana: Person
let line = 0

beforeAll(async () => {
  const rows = m()
  testChannel(product().platform)
  tenantId = await rows.tenant()
  queue = await rows.queue(tenantId)
  connection = await rows.connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queue] })
})

async function talking(row: object = {}): Promise<{ id: number; number: string }> {
  const number = `55119${String(20_000_000 + ++line)}`
  const contact_id = await m().contact(tenantId, { number })
  const made = { user_id: ana.id, queue_id: queue, contact_id, connection_id: connection, channel: 'test' } as const
  return { id: await m().ticket(tenantId, { conversation_key: number, ...made, ...row }), number }
}
const snoozeUntil = (who: Person, id: number, snoozedUntil: string | null) =>
  ask(who, tickets.update, { params: { id }, body: { snoozedUntil } })
/** Runs the wake job at that moment, twice, as after a crash. */
async function wake(until: string, atShift: number): Promise<void> {
  shiftMs = atShift
  const run = () =>
    wakeJob.run(product().platform, { tenantId, until: Date.parse(until) }, { requireOwnership: () => {} })
  await run()
  await run()
  shiftMs = 0
}

describe('what is snoozed', () => {
  it('stands in its tab alone, is counted there, and is found by a search', async () => {
    const { id, number } = await talking()
    const { id: waiting } = await talking({ status: 'pending', user_id: null })
    const before = await listed(ana, { tab: 'open', count: true })
    expect(before.ids).toContain(id)
    const time = inOneHour()
    expect((await snoozeUntil(ana, id, time)).body).toMatchObject({ snoozedUntil: Date.parse(time), status: 'open' })
    await snoozeUntil(ana, waiting, time)
    for (const who of [ana, admin]) {
      expect((await listed(who, { tab: 'open' })).ids).not.toContain(id)
      expect((await listed(who, { tab: 'pending' })).ids).not.toContain(waiting)
      expect((await listed(who, { tab: 'live' })).ids).not.toContain(id)
      expect((await listed(who, { tab: 'snoozed' })).ids.sort()).toEqual([id, waiting].sort())
      expect((await listed(who, { searchParam: number, status: ['open', 'pending', 'closed'] })).ids).toEqual([id])
    }
    const after = await listed(ana, { tab: 'snoozed', count: true })
    expect(after.counts).toMatchObject({ snoozed: 2, open: before.counts['open']! - 1 })
    expect((await listed(admin, { tab: 'open', showAll: true })).ids).not.toContain(id)
    expect(await logTypes(id)).toEqual(['snooze'])
    // Ended by hand, the ticket returns to its old position.
    expect((await snoozeUntil(ana, id, null)).body.snoozedUntil).toBeNull()
    expect((await listed(ana, { tab: 'open' })).ids).toContain(id)
    await snoozeUntil(ana, waiting, null)
  })

  it('comes back when its time has come: on top, with something to read, its owner called; not before', async () => {
    const { id } = await talking()
    const { id: other } = await talking()
    const time = inOneHour()
    await snoozeUntil(ana, id, time)
    await wake(time, 0)
    expect((await rowOf(id)).snoozed_until).not.toBeNull()
    await wake(time, HOUR + 1)
    const woken = await rowOf(id)
    expect(woken).toMatchObject({ snoozed_until: null, unread_messages: 1, user_id: ana.id, revision: 1 })
    expect((await listed(ana, { tab: 'open' })).ids.indexOf(id)).toBeLessThan(
      (await listed(ana, { tab: 'open' })).ids.indexOf(other),
    )
    expect(await logTypes(id)).toEqual(['wake', 'snooze'])
    const called = await product().platform.db.read(tenantId, (db) => readChanges(db, 0, 10 ** 9, 100_000))
    expect(
      called.filter(({ type, payload }) => type === 'notification:new' && (payload as { id: number }).id === id),
    ).toHaveLength(1)
    const { body } = await ask(ana, notifications.list)
    const bell = (body as unknown as { notifications: { ticketId: number; answers: number }[] }).notifications
    expect(bell.find(({ ticketId }) => ticketId === id)).toMatchObject({ answers: 1 })
  })

  it('is woken by the worker by itself', async () => {
    const { id } = await talking()
    const soon = new Date(Date.now() + 1500).toISOString()
    expect((await snoozeUntil(ana, id, soon)).status).toBe(200)
    await until(async () => (await rowOf(id)).snoozed_until === null)
  })

  it('comes back with the customer’s next word, not with ours', async () => {
    const { id, number } = await talking()
    await snoozeUntil(ana, id, inOneHour())
    const body = { idFront: `adiado-${id}`, body: 'Até amanhã', isNote: false }
    await call(product(), messages.send, ana.token, { params: { ticketId: id }, body })
    expect((await rowOf(id)).snoozed_until).not.toBeNull()
    await receive(product().platform, { tenantId, connectionId: connection }, [textEvent({ from: number, body: 'Oi' })])
    await ingestIdle(product().platform)
    expect(await rowOf(id)).toMatchObject({ snoozed_until: null, unread_messages: 1, status: 'open' })
    expect(await logTypes(id)).toEqual(['wake', 'snooze'])
  })

  it('cannot be put off to the past, for more than a year, or when it is closed', async () => {
    const { id } = await talking()
    const bad = ['2020-01-01T12:00:00Z', new Date(Date.now() + 400 * 24 * HOUR).toISOString(), 'amanhã']
    for (const time of bad) {
      const { status, body } = await snoozeUntil(ana, id, time)
      expect([status, Object.keys(body.details)]).toEqual([400, ['snoozedUntil']])
    }
    const { id: closed } = await talking({ status: 'closed', closed_at: new Date() })
    expect((await snoozeUntil(ana, closed, inOneHour())).status).toBe(409)
    // One request may both return and snooze a ticket.
    const both = { status: 'pending', userId: null, snoozedUntil: inOneHour() } as const
    const { body } = await ask(ana, tickets.update, { params: { id }, body: both })
    expect(body).toMatchObject({ status: 'pending', userId: null, snoozedUntil: Date.parse(both.snoozedUntil) })
    expect(
      (await ask(ana, tickets.update, { params: { id }, body: { status: 'open', userId: ana.id } })).body,
    ).toMatchObject({ snoozedUntil: null, status: 'open' })
  })

  it('many at once, and back; what a customer woke meanwhile stays awake', async () => {
    const [one, two, woken] = [await talking(), await talking(), await talking()]
    const ids = [one.id, two.id, woken.id]
    const start = async (args: object) =>
      (await ask(ana, ticketsBulk.start, { body: { ids, action: 'snooze', args } as never })) as unknown as Reply<
        BulkAnswer & { details: Record<string, string> }
      >
    expect((await start({})).status).toBe(400)
    expect((await start({ until: '2020-01-01T12:00:00Z' })).status).toBe(400)
    const { body } = await start({ until: inOneHour() })
    expect(body).toMatchObject({ done: 3 })
    await receive(product().platform, { tenantId, connectionId: connection }, [
      textEvent({ from: woken.number, body: 'Oi' }),
    ])
    await ingestIdle(product().platform)
    expect((await ask(ana, bulk.undo, { params: { id: body.id! } })).body).toMatchObject({ restored: 3, refused: [] })
    expect(await Promise.all(ids.map(async (id) => (await rowOf(id)).snoozed_until))).toEqual([null, null, null])
    expect((await rowOf(woken.id)).unread_messages).toBe(1)
  })

  it('returns to where it was when its coming back is taken back', async () => {
    const { id } = await talking()
    const time = inOneHour()
    await snoozeUntil(ana, id, time)
    const body = { ids: [id], action: 'snooze', args: { until: null } }
    const back = (await ask(ana, ticketsBulk.start, { body: body as never })).body as unknown as BulkAnswer
    expect((await rowOf(id)).snoozed_until).toBeNull()
    await ask(ana, bulk.undo, { params: { id: back.id! } })
    expect((await rowOf(id)).snoozed_until?.toISOString()).toBe(time)
    await wake(time, HOUR + 1)
    expect((await rowOf(id)).snoozed_until).toBeNull()
  })
})

describe('what is unread', () => {
  it('falls on the own tickets, or on all of the company for admins', async () => {
    const { id: mine } = await talking({ unread_messages: 3 })
    const { id: others } = await talking({ unread_messages: 2, user_id: admin.id })
    const own = await ask(ana, ticketCommands.readOwn)
    expect(own.body).toMatchObject({ message: expect.any(String), count: expect.any(Number) })
    expect([(await rowOf(mine)).unread_messages, (await rowOf(others)).unread_messages]).toEqual([0, 2])
    expect((await ask(ana, ticketCommands.readOwn)).body.count).toBe(0)
    expect((await ask(ana, ticketCommands.readAllByGet)).status).toBe(403)
    const all = (await ask(admin, ticketCommands.readAllByGet)).body as unknown as BulkAnswer
    expect(all).toMatchObject({ id: expect.any(String), action: 'read', status: 'done' })
    expect((await rowOf(others)).unread_messages).toBe(0)
    expect((await ask(admin, ticketCommands.readAll)).body).toMatchObject({ total: 0 })
  })
})

describe('what tickets say of their last message', () => {
  const told = (from: number) =>
    product().platform.db.read(
      tenantId,
      async (db) =>
        (
          await db
            .selectFrom('changes')
            .select('seq')
            .where('seq', '>', from)
            .where('type', '=', 'ticket:update')
            .execute()
        ).length,
    )
  const head = () =>
    product().platform.db.read(tenantId, async (db) =>
      Number(
        (await db.selectFrom('changes').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0,
      ),
    )
  const mend = () => mendJob.run(product().platform, { tenantId } as never, { requireOwnership: () => {} })

  it('is mended from their messages; what is right, and a second run, change nothing', async () => {
    const { id, number } = await talking({ user_id: admin.id })
    const write = async (body: string) => {
      await receive(product().platform, { tenantId, connectionId: connection }, [textEvent({ from: number, body })])
      await ingestIdle(product().platform)
    }
    await write('Bom dia')
    const answer = { idFront: `conserto-${id}`, body: 'Bom dia! Em que ajudo?', isNote: false }
    await call(product(), messages.send, admin.token, { params: { ticketId: id }, body: answer })
    await write('Quero um bolo')
    await write('De cenoura')
    await until(async () => (await rowOf(id)).last_message === 'De cenoura')
    // Tickets that are already correct: a reopened one, and all of the earlier tests.
    const { id: reopened, number: again } = await talking({ user_id: admin.id })
    await receive(product().platform, { tenantId, connectionId: connection }, [
      textEvent({ from: again, body: 'Obrigado' }),
    ])
    await ingestIdle(product().platform)
    const put = (body: object) => ask(admin, tickets.update, { params: { id: reopened }, body: body })
    await put({ status: 'closed' })
    await put({ status: 'open', userId: admin.id })
    const right = await Promise.all([rowOf(id), rowOf(reopened)])
    const start = await head()
    await mend()
    expect(await Promise.all([rowOf(id), rowOf(reopened)])).toEqual(right)
    expect(await told(start)).toBe(0)
    const wrong = {
      last_message: 'outra coisa',
      last_message_from_me: true,
      last_message_at: new Date(0),
      answered: true,
      waiting_since: null,
    }
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tickets').set(wrong).where('tenant_id', '=', tenantId).where('id', '=', id).execute(),
    )
    expect((await ask(ana, ticketCommands.mendDates)).status).toBe(403)
    expect((await ask(admin, ticketCommands.mendDates)).status).toBe(200)
    await until(async () => (await rowOf(id)).last_message === 'De cenoura')
    expect(await rowOf(id)).toEqual(right[0])
    expect(await told(start)).toBe(1)
    await mend()
    expect(await told(start)).toBe(1)
  })
})
