import { beforeAll, describe, expect, it } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { allFarewells, farewells } from '#features/catalog/farewells.ts'
import { reasons } from '#features/catalog/reasons.ts'
import { connections } from '#features/connections/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { macros } from '#features/macros/contract.ts'
import { queues } from '#features/queues/contract.ts'
import type { BulkAnswer } from '#kit/bulk.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { finalizeJob } from '#server/bulk/finalize.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ticketsBulk } from './bulk-contract.ts'
import { tickets } from './contract.ts'
import { closeQuiet } from './server/closing/auto-close.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)
const DAY = 86_400_000

let tenantId: number
let queueId: number
let connectionId: number
let admin: Person
let ana: Person
let channel: ReturnType<typeof testChannel>
/** Closing reasons: two active ones, an inactive one, and another company's. */
let why: { bought: number; asked: number; old: number; theirs: number }
let thanks: number

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
const ask = (op: Operation, input: object = {}, who = ana): Promise<{ status: number; body: any }> =>
  call(product(), op as never, who.token, input)
const put = (id: number, body: CallInput<typeof tickets.update>['body'], who = ana) =>
  ask(tickets.update, { params: { id }, body }, who)
const ticketOf = async (id: number) => (await ask(tickets.get, { params: { id } }, admin)).body
const stored = (id: number) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
let people = 0
/** Creates Ana's ticket in which a customer has written. */
async function talking(row: object = {}): Promise<{ id: number; from: string }> {
  const from = `cliente-${++people}`
  const contact_id = await m().contact(tenantId, { name: 'Marlene Dias' })
  const of = { connection_id: connectionId, conversation_key: from, channel: 'test', contact_id }
  const id = await m().ticket(tenantId, {
    ...{ status: 'open', user_id: ana.id, queue_id: queueId, ...of },
    ...{ last_message_received_at: product().platform.now(), ...row },
  })
  await product().platform.db.write(tenantId, (db) =>
    db
      .insertInto('contact_identities')
      .values({ tenant_id: tenantId, channel: 'test', identity: from, contact_id })
      .execute(),
  )
  return { id, from }
}
const say = async (from: string, body: string, at = Date.now()) => {
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body, at })])
  await ingestIdle(product().platform)
}
const said = (to: string) =>
  channel.sent.filter(({ conversationKey }) => conversationKey === to).map(({ body }) => body)
const end = (ids: number[], args: object, who = ana): Promise<{ status: number; body: BulkAnswer }> =>
  ask(ticketsBulk.start, { body: { ids, action: 'close', args } }, who)

async function finalize(operationId: string): Promise<void> {
  shiftMs += 10_001
  await finalizeJob.run(product().platform, { tenantId, operationId }, { requireOwnership: () => {} })
  shiftMs -= 10_001
}

beforeAll(async () => {
  channel = testChannel(product().platform)
  tenantId = await m().tenant()
  await m().setting(tenantId, 'forceReason')
  queueId = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin' })
  ana = await m().person(tenantId, { name: 'Ana Lima', queues: [queueId] })
  why = {
    bought: await m().row(tenantId, reasons, { name: 'Compra' }),
    asked: await m().row(tenantId, reasons, { name: 'Dúvida' }),
    old: await m().row(tenantId, reasons, { name: 'Antiga', isActive: false }),
    theirs: await m().row(await m().tenant(), reasons, { name: 'Deles' }),
  }
  thanks = await m().row(tenantId, farewells, { name: 'Obrigado', message: 'Obrigado, {{firstName}}! {{user}}' })
})

describe('where a reason is asked for', () => {
  it('nobody resolves without one that is offered, whichever way; a timer does', async () => {
    const { id } = await talking()
    expect((await put(id, { status: 'closed' })).body).toMatchObject({ error: 'ERR_REASON_REQUIRED' })
    for (const reasons of [why.old, why.theirs, 2 ** 40])
      expect(await put(id, { status: 'closed', reasons })).toMatchObject({
        ...{ status: 400, body: { details: { reasons: expect.any(String) } } },
      })
    expect((await ticketOf(id)).status).toBe('open')
    const refused = await end([id], {})
    expect(refused.body).toMatchObject({ done: 0, refused: [{ id, code: 'ERR_REASON_REQUIRED' }] })
    expect((await end([id], { unrated: true })).body).toMatchObject({ refused: [{ code: 'ERR_REASON_REQUIRED' }] })
    expect((await end([id], { reasons: why.theirs })).status).toBe(400)
    expect((await put(id, { status: 'closed', reasons: why.bought })).body).toMatchObject({
      ...{ status: 'closed', reasons: why.bought },
    })
    // Tickets with an inactive reason keep it; it is no longer offered.
    const { id: other } = await talking({ reason_id: why.old })
    expect((await put(other, { reasons: why.old, status: 'closed' })).body).toMatchObject({ reasons: why.old })
  })

  it('many at once take it once for all, and give it back with everything else', async () => {
    const all = [(await talking()).id, (await talking({ reason_id: why.asked })).id]
    const before = await Promise.all(all.map(stored))
    const { body } = await end(all, { reasons: why.bought, farewellId: thanks })
    expect(body).toMatchObject({ done: 2, refused: [] })
    for (const id of all) expect(await ticketOf(id)).toMatchObject({ reasons: why.bought, isFarewellMessage: true })
    expect((await ask(bulk.undo, { params: { id: body.id } })).status).toBe(200)
    expect(await Promise.all(all.map(stored))).toEqual(before)
  })

  it('macros say it themselves, or are told when they are used', async () => {
    const macro = async (actions: object[]): Promise<number> =>
      (await ask(macros.create, { body: { name: 'Encerrar', actions } }, admin)).body.id
    const own = await macro([{ kind: 'close', reasonId: why.asked }])
    const open = await macro([{ kind: 'close' }])
    const use = (id: number, args: object) => ask(ticketsBulk.start, { body: { ids: [id], action: 'macro', args } })
    const [a, b] = [(await talking()).id, (await talking()).id]
    expect((await use(a, { macroId: own })).body.done).toBe(1)
    expect((await ticketOf(a)).reasons).toBe(why.asked)
    expect((await use(b, { macroId: open })).body).toMatchObject({ refused: [{ code: 'ERR_REASON_REQUIRED' }] })
    const look = async (query: object) =>
      (await ask(macros.preview, { params: { id: open, ticketId: b }, query })).body.mayRun
    expect([await look({}), await look({ reasons: why.bought })]).toEqual([false, true])
    expect((await use(b, { macroId: open, reasons: why.bought })).body.done).toBe(1)
    expect((await ticketOf(b)).reasons).toBe(why.bought)
    const gone = await ask(
      macros.create,
      { body: { name: 'X', actions: [{ kind: 'close', reasonId: why.theirs }] } },
      admin,
    )
    expect([gone.status, gone.body.error]).toEqual([404, 'ERR_NO_REASON_FOUND'])
  })

  it('all of a connection are resolved for one', async () => {
    const here = await m().connection(tenantId, { type: 'test' })
    const { id } = await talking({ connection_id: here })
    const whatsappId = here
    expect((await ask(connections.closeOpen, { body: { whatsappId } }, admin)).body).toMatchObject({ done: 0 })
    const body = { whatsappId, reasons: why.bought }
    expect((await ask(connections.closeOpen, { body }, admin)).body).toMatchObject({ done: 1 })
    expect((await ticketOf(id)).reasons).toBe(why.bought)
  })
})

describe('the end of one attendance', () => {
  it('has its value and its farewell, which leaves when nobody can take it back, and never where somebody did', async () => {
    const { id, from } = await talking()
    const first = await end([id], { reasons: why.bought, farewellId: thanks, value: '150.50' })
    expect(await ticketOf(id)).toMatchObject({ value: '150.50', reasons: why.bought, isFarewellMessage: true })
    await ask(bulk.undo, { params: { id: first.body.id } })
    expect(await ticketOf(id)).toMatchObject({ value: null, reasons: null, isFarewellMessage: false, status: 'open' })
    await finalize(first.body.id!)
    const second = await end([id], { reasons: why.bought, farewellId: thanks })
    expect(said(from)).toEqual([])
    await finalize(second.body.id!)
    await until(() => said(from).length > 0)
    expect(said(from)).toEqual(['Obrigado, Marlene! Ana Lima'])
    const sent = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select(['send_type', 'status']).where('ticket_id', '=', id).orderBy('seq').execute(),
    )
    expect(sent.map((one) => one.send_type)).toEqual(['farewell', 'farewell'])
    expect(sent[0]!.status).toBe('canceled')
    await put(id, { status: 'open', userId: ana.id })
    expect((await ticketOf(id)).isFarewellMessage).toBe(false)
  })

  it.each<[string, object, number, string]>([
    ['a farewell that is not there', { reasons: 'bought', farewellId: 2 ** 40 }, 404, 'ERR_NO_FAREWELL_FOUND'],
    ['a value that is none', { reasons: 'bought', value: 'muito' }, 400, 'ERR_VALIDATION'],
  ])('is refused with %s', async (_, args, status, error) => {
    const { id } = await talking()
    const reply = await end([id], { ...args, reasons: why.bought })
    expect([reply.status, (reply.body as unknown as { error: string }).error]).toEqual([status, error])
    expect((await ticketOf(id)).status).toBe('open')
  })

  it('has a value of its own: many share none', async () => {
    const ids = [(await talking()).id, (await talking()).id]
    expect((await end(ids, { reasons: why.bought, value: '10' })).status).toBe(400)
  })
})

describe('the words of a connection', () => {
  it('end an attendance when a customer says one of them and nothing else, and are answered once', async () => {
    const body = { closeKeyWord: 'sair\nencerrar', farewellMessage: 'Até logo, {{firstName}}!' }
    const saved = await ask(connections.update, { params: { id: connectionId }, body }, admin)
    expect(saved.body).toMatchObject(body)
    await until(
      async () => (await product().platform.settings.get(String(tenantId))).closeKeywords[connectionId] !== undefined,
    )
    const { id, from } = await talking()
    await say(from, 'Posso sair daqui?')
    // An old message that arrives late closes nothing.
    await say(from, 'sair', Date.now() - DAY)
    expect((await ticketOf(id)).status).toBe('open')
    await say(from, 'SAIR!')
    expect(await ticketOf(id)).toMatchObject({ status: 'closed', reasons: null })
    await until(() => said(from).length > 1)
    // A new message creates a new ticket.
    await say(from, 'Voltei')
    // The keyword also opts out of campaigns.
    expect(said(from)).toEqual([expect.stringContaining('não receberá mais campanhas'), 'Até logo, Marlene!'])
    // Group members cannot close by keyword.
    const group = await talking({ is_group: true })
    await receive(product().platform, { tenantId, connectionId }, [
      { ...textEvent({ from: group.from, body: 'sair' }), isGroup: true },
    ])
    await ingestIdle(product().platform)
    expect((await ticketOf(group.id)).status).not.toBe('closed')
  })

  it('are said at the end, but not where a farewell was chosen', async () => {
    const [plain, chosen] = [await talking(), await talking()]
    const done = await end([plain.id], { reasons: why.bought })
    const with_ = await end([chosen.id], { reasons: why.bought, farewellId: thanks })
    await finalize(done.body.id!)
    await finalize(with_.body.id!)
    await until(() => said(plain.from).length > 0 && said(chosen.from).length > 0)
    expect([said(plain.from), said(chosen.from)]).toEqual([['Até logo, Marlene!'], ['Obrigado, Marlene! Ana Lima']])
  })

  it('are not said to somebody who never wrote', async () => {
    const whatsappId = await m().connection(tenantId, { type: 'test', farewell_message: 'Até logo!' })
    const { id, from } = await talking({ last_message_received_at: null, connection_id: whatsappId })
    const done = await end([id], { reasons: why.bought })
    await finalize(done.body.id!)
    const written = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('messages').select('body').where('ticket_id', '=', id).execute(),
    )
    expect([written, said(from)]).toEqual([[], []])
  })
})

describe('what has gone quiet', () => {
  it('is resolved after the time of its queue, or never, and rests while it is paused or snoozed', async () => {
    const own = await m().queue(tenantId)
    const never = await m().queue(tenantId)
    const set = (id: number, body: object) => ask(queues.update, { params: { id }, body }, admin)
    await set(own, { autoClose: 'own', autoCloseTime: '60', autoCloseMessage: 'Encerramos por aqui.' })
    await set(never, { autoClose: 'never' })
    const at = (ms: number) => new Date(product().platform.now().getTime() - ms)
    const quiet = (row: object) => talking({ queue_id: own, last_message_at: at(2 * 3_600_000), ...row })
    const due = await quiet({})
    const others = [
      await quiet({ last_message_at: at(30 * 60_000) }),
      await quiet({ paused_at: at(0) }),
      await quiet({ snoozed_until: at(-DAY) }),
      await quiet({ waiting_since: at(DAY) }),
      await quiet({ queue_id: never }),
      await quiet({ is_group: true }),
      // The company itself closes nothing automatically.
      await quiet({ queue_id: queueId, last_message_at: at(30 * DAY) }),
    ]
    await Promise.all([closeQuiet(product().platform), closeQuiet(product().platform)])
    expect(await ticketOf(due.id)).toMatchObject({ status: 'closed', reasons: null })
    for (const { id } of others) expect((await ticketOf(id)).status).toBe('open')
    await until(() => said(due.from).length > 0)
    expect(said(due.from)).toEqual(['Encerramos por aqui.'])
    await m().setting(tenantId, 'autoClose')
    await until(async () => (await product().platform.settings.get(String(tenantId))).values.autoClose === 'enabled')
    await closeQuiet(product().platform)
    const statuses = await Promise.all(others.map(async ({ id }) => (await ticketOf(id)).status))
    expect(statuses).toEqual([...Array(6).fill('open'), 'closed'])
    // Nothing closes automatically in an inactive company.
    const { id } = await quiet({})
    const become = (status: string) =>
      product().platform.db.asPlatform((db) =>
        db.updateTable('tenants').set({ status }).where('id', '=', tenantId).execute(),
      )
    await become('inactive')
    await closeQuiet(product().platform)
    await become('active')
    expect((await stored(id)).status).toBe('open')
  })
})

describe('reasons and farewells', () => {
  it('a reason that tickets have stays, and can be switched off', async () => {
    await talking({ reason_id: why.asked })
    const params = { id: why.asked }
    const refused = await ask(reasons.ops.remove, { params }, admin)
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_REASON_TICKETS_EXIST'])
    expect((await ask(reasons.ops.update, { params, body: { isActive: false } }, admin)).status).toBe(200)
    expect((await ask(reasons.ops.create, { body: { name: 'Compra' } }, admin)).body.error).toBe('ERR_DUPLICATED')
  })

  it('all farewells go at once, the company’s own', async () => {
    const elsewhere = await m().tenant()
    const theirs = await m().row(elsewhere, farewells, { name: 'Tchau', message: 'Tchau' })
    expect((await ask(allFarewells.remove)).status).toBe(403)
    expect((await ask(allFarewells.remove, {}, admin)).status).toBe(200)
    const { action, changes } = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('audit_log').select(['action', 'changes']).orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    )
    expect([action, changes]).toMatchObject(['allFarewells.remove', { names: { before: ['Obrigado'] } }])
    expect((await ask(farewells.ops.list, {}, admin)).body.items).toEqual([])
    const left = await product().platform.db.read(elsewhere, (db) => db.selectFrom('farewells').select('id').execute())
    expect(left).toEqual([{ id: theirs }])
  })
})
