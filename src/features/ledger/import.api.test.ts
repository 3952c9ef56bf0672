import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { history } from '#features/history/contract.ts'
import { type LabPhone, lab } from '#features/lab/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { mendJob } from '#features/tickets/server/sets/mend.ts'
import type { Returned } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ingestIdle } from './server/ingest/ingest.ts'

type Import = Returned<typeof history.importAll>

let atCheckpoint: ((name: string) => Promise<void>) | null = null
const product = withProduct({ checkpoint: (name) => atCheckpoint?.(name) })
const DAY = 86_400_000
let tenantId: number
let admin: string
let adminId: number
let agent: string
let otávio: LabPhone
let connectionId: number

const rows = <T>(
  read: (db: Parameters<Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]>[0]) => Promise<T>,
) => product().platform.db.read(tenantId, read)
const newPhone = async (name: string, number: string) =>
  (await call(product(), lab.create, admin, { body: { name, number } })).body
const said = (phone: LabPhone) =>
  rows((db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_key', '=', phone.number)
      .orderBy('timestamp')
      .orderBy('seq')
      .execute(),
  )
const ticketOf = (phone: LabPhone) =>
  rows((db) => db.selectFrom('tickets').selectAll().where('conversation_key', '=', phone.number).execute())
/** Stores `amount` messages of the last `days` days on a phone, alternating between both people. */
const keep = async (phone: LabPhone, amount: number, days: number) => {
  const first = product().platform.now().getTime() - days * DAY
  const talk = Array.from({ length: amount }, (_, n) => {
    // Two in each second.
    return {
      id: randomUUID(),
      fromPhone: n % 3 !== 1,
      body: `${days} dias, ${n}`,
      timestamp: first + Math.floor(n / 2) * 1000,
    }
  })
  expect(await call(product(), lab.keep, admin, { params: { id: phone.id }, body: { messages: talk } })).toMatchObject({
    body: { saved: amount },
  })
  return talk
}
const say = async (phone: LabPhone, body: string, more: object = {}) => {
  const reply = await call(product(), lab.send, admin, {
    params: { id: phone.id },
    body: { id: randomUUID(), body, ...more } as never,
  })
  await ingestIdle(product().platform)
  return (reply.body as unknown as { message: { id: string } }).message.id
}
const ask = (body: object, token = admin) => call(product(), history.importAll, token, { body: body as never })
const list = async () => (await call(product(), history.list, admin)).body.imports
const ended = async (id: string): Promise<Import> => {
  const one = async () => (await list()).find((each) => each.id === id)!
  await until(async () => (await one()).status !== 'running')
  return one()
}
const importAll = async (limit = 1000): Promise<Import> => {
  const reply = await ask({ whatsappId: connectionId, limit })
  expect([reply.status, reply.body]).toMatchObject([200, { limit }])
  return ended(reply.body.id)
}

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  const lead = await m.user(tenantId, { profile: 'admin' })
  adminId = lead.id
  admin = await m.token(lead)
  agent = await m.token(await m.user(tenantId))
  otávio = await newPhone('Otávio Rezende', '(19) 99812-3001')
  connectionId = otávio.connectionId
})

it('brings what phones keep into its own time and place, once, and nobody notices', async () => {
  const tainá = await newPhone('Tainá', '(19) 99812-3002')
  await say(otávio, 'Oi, tudo bem?')
  const older = await keep(otávio, 120, 9)
  const only = await keep(tainá, 4, 30)
  // Messages written while the connection is ended are no longer delivered.
  await call(product(), connections.end, admin, { params: { id: connectionId } })
  expect((await ask({ whatsappId: connectionId })).body).toMatchObject({ error: 'ERR_WAPP_NOT_INITIALIZED' })
  await say(otávio, 'Vocês sumiram?', { isForwarded: true })
  expect(await said(otávio)).toHaveLength(1)
  await call(product(), connections.start, admin, { params: { id: connectionId } })
  const before = await ticketOf(otávio)
  const feed = () =>
    rows((db) => db.selectFrom('changes').select('type').where('channel', '=', 'ticketList').execute()).then(
      (all) => all.length,
    )
  const toldBefore = await feed()

  expect(await importAll()).toMatchObject({
    ...{ status: 'done', chats: 2, chatsDone: 2, messagesNew: 125, userName: expect.any(String), errorCode: null },
  })
  const all = await said(otávio)
  expect(all.map(({ body }) => body)).toEqual([...older.map(({ body }) => body), 'Oi, tudo bem?', 'Vocês sumiram?'])
  expect(
    all.slice(0, 120).map(({ timestamp, from_me, status, is_late, send_type }) => {
      return { at: timestamp.getTime(), from_me, status, is_late, send_type }
    }),
  ).toEqual(
    older.map(({ timestamp: at, fromPhone }) => {
      return { at, from_me: !fromPhone, status: fromPhone ? 'received' : 'read', is_late: false, send_type: 'sync' }
    }),
  )
  expect(all.at(-1)).toMatchObject({ send_type: 'forward', sync_time: expect.any(Date) })
  expect(await ticketOf(otávio)).toEqual(before)
  const last = new Date(only.at(-1)!.timestamp)
  expect(await ticketOf(tainá)).toMatchObject([
    { status: 'closed', unread_messages: 0, last_message: only.at(-1)!.body, updated_at: last, last_message_at: last },
  ])
  expect(await feed()).toBe(toldBefore)

  // Repeated, and after a correction of dates.
  expect(await importAll()).toMatchObject({ status: 'done', messagesNew: 0 })
  expect(await said(otávio)).toHaveLength(122)
  await mendJob.run(product().platform, { tenantId } as never, { requireOwnership: () => {} })
  expect(await ticketOf(otávio)).toEqual(before)

  // Answers from here are on the phone as well, and were never in the journal.
  const body = { idFront: randomUUID(), body: 'Aqui estamos', isNote: false }
  const { id } = before[0]!
  await call(product(), tickets.update, admin, { params: { id }, body: { status: 'open', userId: adminId } })
  const answer = await call(product(), messages.send, admin, { params: { ticketId: id }, body })
  expect(answer.status).toBe(200)
  await until(async () => (await said(otávio)).at(-1)!.provider_id !== null)
  expect(await importAll()).toMatchObject({ status: 'done', messagesNew: 0 })
  expect(await said(otávio)).toHaveLength(123)
})

it('goes into the ticket in whose time it was said, and into the first what was said before', async () => {
  const davi = await newPhone('Davi', '(19) 99812-3050')
  await say(davi, 'Voltei')
  const [live] = await ticketOf(davi)
  const earlier = await make(product().platform).ticket(tenantId, {
    ...{ connection_id: connectionId, contact_id: live!.contact_id, conversation_key: davi.number },
    ...{ status: 'closed', created_at: new Date(product().platform.now().getTime() - 20 * DAY) },
  })
  await keep(davi, 2, 5)
  await keep(davi, 1, 30)
  expect(await importAll()).toMatchObject({ messagesNew: 3 })
  expect((await said(davi)).map(({ ticket_id }) => ticket_id)).toEqual([earlier, earlier, earlier, live!.id])
})

it('what waits or was put aside comes as itself; what is not let in stays out', async () => {
  const marlene = await newPhone('Marlene', '(19) 99812-3003')
  const [put, blocked] = await keep(marlene, 2, 5)
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into journal (tenant_id, id, connection_id, dedupe_key, payload, received_at, processed_at, set_aside_at)
     values ($1, gen_random_uuid(), $2, $3, '{}', now(), now(), now())`,
    [tenantId, connectionId, put!.id],
  )
  expect(await importAll()).toMatchObject({ messagesNew: 1 })
  expect((await said(marlene)).map(({ provider_id }) => provider_id)).toEqual([blocked!.id])
  await owner.query('update contacts set blocked = true where tenant_id = $1 and number = $2', [
    tenantId,
    marlene.number,
  ])
  await owner.end()
  await keep(marlene, 3, 7)
  await importAll()
  expect(await said(marlene)).toHaveLength(1)
})

it('what a group kept comes with whoever said it, once, and so does what was said while nothing passed', async () => {
  const [rosa, caio] = [await newPhone('Rosa', '(19) 99812-3011'), await newPhone('Caio', '(19) 99812-3012')]
  const made = await call(product(), lab.createGroup, admin, { body: { name: 'Obra', phoneIds: [rosa.id, caio.id] } })
  const group = made.body
  await ingestIdle(product().platform)
  const first = product().platform.now().getTime() - 20 * DAY
  const talk = [rosa, caio, null].map((who, n) => ({
    ...{ id: randomUUID(), fromPhone: who !== null, body: `obra ${n}`, timestamp: first + n * 1000 },
    ...(who ? { senderId: who.id } : {}),
  }))
  const keepIn = (messages: object[]) =>
    call(product(), lab.keep, admin, { params: { id: group.id }, body: { messages } as never })
  expect((await keepIn([{ ...talk[0], senderId: otávio.id }])).status).toBe(400)
  expect((await keepIn(talk)).body).toEqual({ saved: 3 })
  await call(product(), connections.end, admin, { params: { id: connectionId } })
  await say(caio, 'sem conexão', { groupId: group.id })
  await call(product(), connections.start, admin, { params: { id: connectionId } })
  for (let twice = 0; twice < 2; twice++) expect((await importAll()).messagesNew).toBe(twice === 0 ? 4 : 0)
  const all = await said(group)
  expect(all.map(({ body, from_me, sender }) => [body, from_me, (sender as { name: string } | null)?.name])).toEqual([
    ['obra 0', false, 'Rosa'],
    ['obra 1', false, 'Caio'],
    ['obra 2', true, undefined],
    ['sem conexão', false, 'Caio'],
  ])
  expect(await ticketOf(group)).toMatchObject([{ is_group: true, status: 'closed', unread_messages: 0 }])
  const { body } = await call(product(), history.importOne, admin, {
    body: { whatsappId: connectionId, limit: 10, contactId: `${group.number}@g.us` },
  })
  expect(await ended(body.id)).toMatchObject({ status: 'done', messagesNew: 0 })
})

it('one conversation by its contact; as many of the newest as were asked for, then the older ones', async () => {
  const noel = await newPhone('Noel', '(19) 99812-3004')
  const talk = await keep(noel, 8, 12)
  const one = (limit: number, contactId: number | string) =>
    call(product(), history.importOne, admin, {
      body: { whatsappId: connectionId, limit, contactId },
    })
  const first = await one(4, `${noel.number}@c.us`)
  expect([first.status, first.body]).toMatchObject([200, { conversation: noel.number }])
  await ended(first.body.id)
  expect((await said(noel)).map(({ provider_id }) => provider_id)).toEqual(talk.slice(-4).map(({ id }) => id))
  const [{ contact_id: contactId }] = (await ticketOf(noel)) as unknown as [{ contact_id: number }]
  await ended((await one(1000, contactId)).body.id)
  expect((await said(noel)).map(({ provider_id }) => provider_id)).toEqual(talk.map(({ id }) => id))
  expect(await ticketOf(noel)).toHaveLength(1)

  const m = make(product().platform)
  const nobody = await m.contact(tenantId, { number: null })
  expect((await one(5, nobody)).body).toMatchObject({ error: 'ERR_NO_ADDRESS' })
  expect((await one(5, 999_999)).body).toMatchObject({ error: 'ERR_NO_CONTACT_FOUND' })
  for (const contact of ['x@c.us', `${noel.number}@evil`]) expect((await one(5, contact)).status).toBe(400)
})

it('of a range, and without groups where they are not wanted', async () => {
  const lia = await newPhone('Lia', '(19) 99812-3021')
  const rui = await newPhone('Rui', '(19) 99812-3022')
  const now = product().platform.now().getTime()
  await keep(lia, 6, 40)
  const inside = await keep(lia, 6, 20)
  await keep(lia, 6, 5)
  const group = (await call(product(), lab.createGroup, admin, { body: { name: 'Bazar', phoneIds: [lia.id, rui.id] } }))
    .body
  const talk = [{ id: randomUUID(), fromPhone: true, body: 'No grupo', timestamp: now - 20 * DAY, senderId: lia.id }]
  await call(product(), lab.keep, admin, { params: { id: group.id }, body: { messages: talk } })
  const range = { since: now - 21 * DAY, until: now - 19 * DAY }
  const body = { whatsappId: connectionId, limit: 4, groups: false, ...range }
  const { id } = (await ask(body)).body
  expect(await ended(id)).toMatchObject({ status: 'done', groups: false, ...range })
  // The newest four within the period, however many are newer.
  expect((await said(lia)).map(({ body }) => body)).toEqual(inside.slice(2).map(({ body }) => body))
  expect(await said(group)).toEqual([])
  await ended((await ask({ ...body, groups: true })).body.id)
  expect((await said(group)).map(({ body }) => body)).toEqual(['No grupo'])
  const wrong = await ask({ whatsappId: connectionId, since: range.until, until: range.since })
  expect(wrong.body).toMatchObject({ error: 'ERR_VALIDATION', details: { until: 'O fim vem antes do começo.' } })
  await importAll()
})

it('is the administrators’, of channels that keep something; many at once are one', async () => {
  const m = make(product().platform)
  const webchat = await m.connection(tenantId, { type: 'webchat' })
  const foreign = await m.tenant()
  const refused = async (body: object, token = admin) => {
    const reply = await ask(body, token)
    return [reply.status, (reply.body as unknown as { error: string }).error]
  }
  expect(await refused({ whatsappId: connectionId }, agent)).toEqual([403, 'ERR_NO_PERMISSION'])
  expect(await refused({ whatsappId: connectionId, tenantId: foreign })).toEqual([403, 'ERR_NO_PERMISSION'])
  expect(await refused({ whatsappId: webchat })).toEqual([422, 'ERR_NO_HISTORY'])
  expect(await refused({ whatsappId: await m.connection(foreign) })).toEqual([404, 'ERR_NO_WAPP_FOUND'])
  for (const limit of [0, 1001, 1.5, 'muitas'])
    expect(await refused({ whatsappId: connectionId, limit })).toEqual([400, 'ERR_VALIDATION'])

  // Without a connection the import waits, and can be stopped.
  await call(product(), lab.setFaults, admin, { params: { id: otávio.id }, body: { disconnected: true } })
  const body = { whatsappId: connectionId, limit: 7 }
  const all = await Promise.all(Array.from({ length: 20 }, () => ask(body)))
  expect(new Set(all.map((reply) => `${reply.status} ${reply.body.id}`)).size).toBe(1)
  expect(await refused({ whatsappId: connectionId, limit: 8 })).toEqual([409, 'ERR_IMPORT_RUNNING'])
  const failuresOf = (id: string) =>
    rows((db) =>
      db.selectFrom('history_imports').select('failures').where('id', '=', id).executeTakeFirstOrThrow(),
    ).then(({ failures }) => failures)
  await until(async () => (await failuresOf(all[0]!.body.id)) > 0)
  const { id } = all[0]!.body
  for (let twice = 0; twice < 2; twice++)
    expect((await call(product(), history.cancel, admin, { params: { id } })).body).toMatchObject({
      status: 'canceled',
    })
  expect((await call(product(), history.cancel, admin, { params: { id: randomUUID() } })).status).toBe(404)

  // In the end it reports that the channel did not answer.
  const again = (await ask(body)).body.id
  await until(async () => (await failuresOf(again)) > 0)
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('history_imports').set({ failures: 4 }).where('id', '=', again).execute(),
  )
  await ask(body)
  expect(await ended(again)).toMatchObject({ status: 'failed', errorCode: 'ERR_WAPP_NOT_INITIALIZED' })
  await call(product(), lab.setFaults, admin, { params: { id: otávio.id }, body: { disconnected: false } })
  expect(await importAll(7)).toMatchObject({ status: 'done', messagesNew: 0 })
})

it('is stopped between two blocks: what was taken stays, nothing follows', async () => {
  const lia = await newPhone('Lia', '(19) 99812-3060')
  const talk = await keep(lia, 120, 3)
  let stops = 0
  atCheckpoint = async (name) => {
    if (name !== 'history block committed' || stops++ > 0) return
    const { id } = (await list())[0]!
    await call(product(), history.cancel, admin, { params: { id } })
  }
  const body = { whatsappId: connectionId, contactId: `${lia.number}@c.us`, limit: 1000 }
  const { id } = (await call(product(), history.importOne, admin, { body })).body
  expect(await ended(id)).toMatchObject({ status: 'canceled' })
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  await until(
    async () =>
      (await owner.query(`select from graphile_worker.jobs where task_identifier = 'history:import'`)).rowCount === 0,
  )
  await owner.end()
  atCheckpoint = null
  await ingestIdle(product().platform)
  const found = await said(lia)
  expect(talk.map(({ id }) => id)).toEqual(expect.arrayContaining(found.map(({ provider_id }) => provider_id)))
  expect(found).toHaveLength(50)
  expect(await importAll()).toMatchObject({ status: 'done' })
  expect(await said(lia)).toHaveLength(120)
})

it('gives imported messages the times that the channel told', async () => {
  const before = await said(otávio)
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('messages')
      .set({ timestamp: new Date(0) })
      .where('conversation_key', '=', otávio.number)
      .where('sync_time', 'is not', null)
      .execute(),
  )
  const ask = (body: object) => call(product(), history.restoreTimes, admin, { body })
  expect((await ask({ tenantId: tenantId + 1 })).status).toBe(403)
  expect((await ask({ tenantId })).status).toBe(200)
  await until(async () => (await said(otávio))[0]!.timestamp.getTime() > 0)
  expect((await said(otávio)).map(({ id, timestamp }) => [id, timestamp])).toEqual(
    before.map(({ id, timestamp }) => [id, timestamp]),
  )
})

it('reaches a number directly: contact and ticket are found or made, and with the setting it goes ahead of the queue', async () => {
  const number = '(19) 99812-3005'
  const phone = await newPhone('Rui', number)
  const idFront = randomUUID()
  const direct = (body: object, token = agent) =>
    call(product(), messages.direct, token, {
      body: { whatsappId: connectionId, number, ...body },
    })
  const sent = await Promise.all(Array.from({ length: 5 }, () => direct({ message: 'Seu pedido saiu', idFront })))
  expect(new Set(sent.map(({ status, body }) => `${status} ${body.message?.id} ${body.ticket?.id}`)).size).toBe(1)
  expect(sent[0]).toMatchObject({ status: 200, body: { message: { body: 'Seu pedido saiu', fromMe: true } } })
  await until(async () => (await said(phone))[0]?.provider_id !== null)
  expect(await ticketOf(phone)).toMatchObject([{ status: 'open', id: sent[0]!.body.ticket.id }])
  expect(await ticketOf(phone)).toHaveLength(1)
  expect((await direct({ message: '' })).body).toMatchObject({ error: 'ERR_MESSAGE_EMPTY' })
  expect((await direct({ message: 'Oi', number: '12' })).body).toMatchObject({ error: 'ERR_VALIDATION' })
  expect((await direct({ message: 'Oi', whatsappId: 999_999 })).status).toBe(404)

  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  await owner.query("insert into settings (tenant_id, key, value) values ($1, 'noRedis', 'enabled')", [tenantId])
  product().platform.bus.stale(`settings ${tenantId}`)
  // While the connection is down, its job waits and can be inspected.
  await call(product(), lab.setFaults, admin, { params: { id: phone.id }, body: { disconnected: true } })
  await owner.query(`create table public.seen_jobs (priority int)`)
  await owner.query(`create function note_job() returns trigger language plpgsql as $$ begin
    if new.key like 'send:%' then insert into public.seen_jobs values (new.priority); end if; return new; end $$ security definer`)
  await owner.query('grant insert on public.seen_jobs to public')
  await owner.query(
    `create trigger note_job after insert or update on graphile_worker._private_jobs for each row execute function note_job()`,
  )
  expect(await direct({ message: 'Com pressa' })).toMatchObject({ status: 200, body: { message: { sendAt: null } } })
  const { rows: seen } = await owner.query('select min(priority) as priority from seen_jobs')
  expect(seen).toEqual([{ priority: -10 }])
  await owner.query('drop trigger note_job on graphile_worker._private_jobs')
  await owner.end()
})
