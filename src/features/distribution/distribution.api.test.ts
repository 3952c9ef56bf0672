import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { queues } from '#features/queues/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, ownProduct } from '#test/server.ts'
import { distribution } from './contract.ts'
import { distributeWaiting } from './server/run.ts'

// A process that serves and does not work: what is distributed here, the tests distribute.
let shiftMs = 0
const product = ownProduct('a process of one role', {
  env: { ROLES: ['web'] },
  now: () => new Date(Date.now() + shiftMs),
})
const m = () => make(product().platform)
const MINUTE = 60_000

let tenantId: number
let queue: number
let admin: Person

beforeEach(async () => {
  shiftMs = 0
  testChannel(product().platform)
  tenantId = await m().tenant()
  queue = await m().queue(tenantId, { distribution: 'B' })
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
})

const ask = <O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}) =>
  call(product(), op, who.token, input)
const write = (change: Parameters<ReturnType<typeof product>['platform']['db']['write']>[1]) =>
  product().platform.db.write(tenantId, change)

/** Creates a person who is online. */
async function someone(name: string, { in: inQueues = [queue], ...row }: { in?: number[]; capacity?: number } = {}) {
  const one = await m().person(tenantId, { name, queues: inQueues })
  await write((db) =>
    db
      .updateTable('users')
      .set({ is_online: true, ...row })
      .where('id', '=', one.id)
      .execute(),
  )
  return one
}
const waits = (row: object = {}) =>
  m().ticket(tenantId, { status: 'pending', queue_id: queue, last_message_at: product().platform.now(), ...row })
const distribute = () => distributeWaiting(product().platform, tenantId)
const rowOf = (id: number) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
const ownerOf = async (id: number) => (await rowOf(id)).user_id
const why = async (id: number, who = admin) => (await ask(who, distribution.why, { params: { id } })).body
const logsOf = async (id: number) => {
  const { body } = await ask(admin, tickets.logs, { params: { id } })
  return (body as unknown as { logs: { type: string; label: string; user: { name: string } | null }[] }).logs
}

describe('distribution', () => {
  it('gives what waits to who is free, tells them, and says why to whom and why not to others', async () => {
    const ana = await someone('Ana')
    const bia = await someone('Bia', { capacity: 1 })
    const caio = await someone('Caio')
    await ask(caio, users.setAway, { params: { id: caio.id }, body: { until: inMinutes(30) } })
    const dora = await someone('Dora')
    await write((db) => db.updateTable('users').set({ is_online: false }).where('id', '=', dora.id).execute())
    // Deleted colleagues and support users are not listed at all.
    const [left, helper] = [await someone('Eva'), await someone('Fábio')]
    await write(async (db) => {
      await db.updateTable('users').set({ is_active: false }).where('id', '=', left.id).execute()
      await db.updateTable('users').set({ is_support: true }).where('id', '=', helper.id).execute()
    })
    await m().ticket(tenantId, { user_id: bia.id, status: 'open' })
    const id = await waits()
    await distribute()
    expect(await rowOf(id)).toMatchObject({ status: 'open', user_id: ana.id, queue_id: queue })
    expect((await rowOf(id)).started_attendance_at).not.toBe(null)
    const changes = await product().platform.db.read(tenantId, (db) => readChanges(db, 0, Number.MAX_SAFE_INTEGER, 100))
    expect(changes.find(({ type }) => type === 'notification:new')).toMatchObject({
      audience: { kind: 'users', ids: [ana.id] },
      payload: { id },
    })
    expect((await logsOf(id))[0]).toMatchObject({ type: 'distributed', user: { name: 'Ana' } })
    const { state, mode, user, people } = await why(id, ana)
    expect([state, mode, user!.name]).toEqual(['given', 'B', 'Ana'])
    expect(Object.fromEntries(people.map(({ name, reason }) => [name, reason]))).toEqual({
      ...{ Bia: 'full', Caio: 'paused', Dora: 'offline' },
    })
  })

  it('gives nobody a fourth of three, whatever else they do, and the tenth to whoever becomes free', async () => {
    const people = [
      await someone('Ana', { capacity: 3 }),
      await someone('Bia', { capacity: 3 }),
      await someone('Caio', { capacity: 3 }),
    ]
    const ids: number[] = []
    for (let n = 0; n < 10; n++) ids.push(await waits({ waiting_since: inMinutes(n - 60) }))
    // Two processes woken by the same event.
    await Promise.all([distribute(), distribute()])
    const owners = await Promise.all(ids.map(ownerOf))
    expect(people.map(({ id }) => owners.filter((one) => one === id).length)).toEqual([3, 3, 3])
    expect(owners.at(-1)).toBe(null)
    expect((await why(ids.at(-1)!)).people.map(({ reason }) => reason)).toEqual(['full', 'full', 'full'])
    const given = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('ticket_logs').select('ticket_id').where('type', '=', 'distributed').execute(),
    )
    expect(given).toHaveLength(9)
    await ask(people[1]!, tickets.update, {
      params: { id: owners.length && ids[owners.indexOf(people[1]!.id)]! },
      body: { status: 'closed' },
    } as never)
    await distribute()
    expect(await ownerOf(ids.at(-1)!)).toBe(people[1]!.id)
  })

  it('counts no groups and nothing that is paused, and leaves what is not for it', async () => {
    const ana = await someone('Ana', { capacity: 1 })
    await m().ticket(tenantId, { user_id: ana.id, is_group: true })
    await m().ticket(tenantId, { user_id: ana.id, paused_at: product().platform.now() })
    const flow = await m().insert('chat_flows', tenantId, { name: 'Recepção' })
    const left = [
      [await waits({ is_group: true }), 'group'],
      [await waits({ snoozed_until: inMinutes(5) }), 'snoozed'],
      [await waits({ chat_flow_id: flow }), 'bot'],
      [await waits({ assistants: JSON.stringify({ dify: true }) }), 'bot'],
      [await waits({ user_id: admin.id }), 'kept'],
      [await waits({ queue_id: await m().queue(tenantId, { distribution: 'N' }) }), 'off'],
      [await waits({ queue_id: await m().queue(tenantId) }), 'off'],
    ] as const
    const id = await waits()
    await distribute()
    expect(await ownerOf(id)).toBe(ana.id)
    for (const [one, state] of left) {
      expect((await rowOf(one)).status).toBe('pending')
      expect((await why(one)).state).toBe(state)
    }
  })

  it('passes over who was not seen for twenty minutes, though nobody said that they left', async () => {
    await someone('Ana')
    const id = await waits()
    shiftMs = 21 * MINUTE
    await distribute()
    expect(await ownerOf(id)).toBe(null)
    shiftMs = 19 * MINUTE
    await distribute()
    expect(await ownerOf(id)).not.toBe(null)
  })

  it('leaves what a person holds at that moment, and gives the rest', async () => {
    const ana = await someone('Ana')
    const [held, other] = [await waits(), await waits()]
    const person = new pg.Client({ connectionString: product().ownerUrl })
    await person.connect()
    await person.query('begin')
    await person.query('select from tickets where id = $1 for update', [held])
    await distribute()
    await person.query('rollback')
    await person.end()
    expect([await ownerOf(held), await ownerOf(other)]).toEqual([null, ana.id])
    await distribute()
    expect(await ownerOf(held)).toBe(ana.id)
  })

  it('company-wide: queues without a rule of their own, and what has none, as the settings say', async () => {
    await m().setting(tenantId, 'selfDistribute')
    await m().setting(tenantId, 'selfDistributeMode', 'S')
    await m().setting(tenantId, 'maxOpenTickets', '1')
    const plain = await m().queue(tenantId)
    const ana = await someone('Ana', { in: [plain] })
    const bia = await someone('Bia', { in: [plain], capacity: 5 })
    const ids = []
    for (const queue_id of [plain, plain, null])
      ids.push(await waits({ queue_id, waiting_since: inMinutes(ids.length - 9) }))
    await distribute()
    expect(await Promise.all(ids.map(ownerOf))).toEqual([ana.id, bia.id, bia.id])
  })

  it('where wallets rule: to their owners alone, unless what they miss is everybody’s', async () => {
    await m().setting(tenantId, 'DirectTicketsToWallets')
    await someone('Ana')
    const bia = await someone('Bia')
    await write((db) => db.updateTable('users').set({ is_online: false }).where('id', '=', bia.id).execute())
    const contact = await m().contact(tenantId)
    await write((db) =>
      db.insertInto('contact_wallets').values({ tenant_id: tenantId, contact_id: contact, user_id: bia.id }).execute(),
    )
    const id = await waits({ contact_id: contact })
    await distribute()
    expect(await ownerOf(id)).toBe(null)
    expect((await why(id)).people.map(({ reason }) => reason).sort()).toEqual(['offline', 'wallet'])
    await m().setting(tenantId, 'serviceTransfer')
    await distribute()
    expect(await ownerOf(id)).not.toBe(null)
  })
})

describe('overflow', () => {
  it('after its minutes, once for each queue, with a line in the log', async () => {
    const second = await m().queue(tenantId, { queue: 'Reforço', distribution: 'B' })
    await write((db) =>
      db
        .updateTable('queues')
        .set({ overflow_queue_id: second, overflow_minutes: 5 })
        .where('id', '=', queue)
        .execute(),
    )
    await someone('Ana', { capacity: 0 })
    const bia = await someone('Bia', { in: [second], capacity: 0 })
    const id = await waits()
    await distribute()
    expect(await why(id)).toMatchObject({ state: 'waiting', overflow: { queue: 'Reforço' } })
    shiftMs = 6 * MINUTE
    await distribute()
    expect(await rowOf(id)).toMatchObject({ status: 'pending', queue_id: second })
    expect((await logsOf(id))[0]).toMatchObject({ type: 'overflow' })
    // A ticket never overflows to a queue where it has been.
    await write((db) =>
      db
        .updateTable('queues')
        .set({ overflow_queue_id: queue, overflow_minutes: 1 })
        .where('id', '=', second)
        .execute(),
    )
    shiftMs = 12 * MINUTE
    await distribute()
    expect(await rowOf(id)).toMatchObject({ queue_id: second })
    await write((db) => db.updateTable('users').set({ capacity: 1 }).where('id', '=', bia.id).execute())
    await distribute()
    expect(await rowOf(id)).toMatchObject({ user_id: bia.id, queue_id: second })
  })

  it('at once while nobody is there', async () => {
    const second = await m().queue(tenantId, { distribution: 'B' })
    await write((db) => db.updateTable('queues').set({ overflow_queue_id: second }).where('id', '=', queue).execute())
    const bia = await someone('Bia', { in: [second] })
    const id = await waits()
    await distribute()
    expect(await rowOf(id)).toMatchObject({ user_id: bia.id, queue_id: second })
    expect((await logsOf(id)).map(({ type }) => type)).toEqual(['distributed', 'overflow'])
  })
})

describe('an owner who is away', () => {
  it('gives back what a customer waits for, after the minutes of the setting; paused ones rest', async () => {
    await m().setting(tenantId, 'returnAbsent')
    const ana = await someone('Ana')
    const open = (row: object) => m().ticket(tenantId, { user_id: ana.id, queue_id: queue, status: 'open', ...row })
    const waiting = await open({ waiting_since: product().platform.now() })
    const answered = await open({ waiting_since: null })
    const paused = await open({ waiting_since: product().platform.now(), paused_at: product().platform.now() })
    await ask(ana, users.setAway, { params: { id: ana.id }, body: { until: inMinutes(60) } })
    shiftMs = 9 * MINUTE
    await distribute()
    expect(await ownerOf(waiting)).toBe(ana.id)
    shiftMs = 11 * MINUTE
    await distribute()
    expect(await rowOf(waiting)).toMatchObject({ status: 'pending', user_id: null, queue_id: queue })
    expect(await Promise.all([answered, paused].map(ownerOf))).toEqual([ana.id, ana.id])
    expect((await logsOf(waiting))[0]).toMatchObject({ type: 'ownerAway', user: { name: 'Ana' } })
  })

  it('keeps everything while the setting is off, and when back in time', async () => {
    const ana = await someone('Ana')
    const id = await m().ticket(tenantId, { user_id: ana.id, waiting_since: product().platform.now() })
    await ask(ana, users.setAway, { params: { id: ana.id }, body: { until: inMinutes(60) } })
    shiftMs = 12 * MINUTE
    await distribute()
    expect(await ownerOf(id)).toBe(ana.id)
    await ask(ana, users.setAway, { params: { id: ana.id }, body: { until: null } })
    await m().setting(tenantId, 'returnAbsent')
    await distribute()
    expect(await ownerOf(id)).toBe(ana.id)
  })
})

describe('a break', () => {
  it('is one’s own, ahead, and at most a day', async () => {
    const ana = await someone('Ana')
    const bia = await someone('Bia')
    const away = (who: Person, until: string | null, id = who.id) =>
      ask(who, users.setAway, { params: { id }, body: { until } })
    expect((await away(bia, inMinutes(5), ana.id)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await away(ana, inMinutes(-1))).body.details).toHaveProperty('until')
    expect((await away(ana, inMinutes(1500))).body.details).toHaveProperty('until')
    const until = inMinutes(5)
    expect((await away(ana, until)).body).toMatchObject({ awayUntil: until })
    expect((await ask(bia, users.get, { params: { id: ana.id } })).body).toMatchObject({ awayUntil: until })
  })
})

describe('new conversations of customers in wallets', () => {
  async function arrival(owners: Person[], settings: Parameters<ReturnType<typeof make>['setting']>[1][]) {
    for (const key of ['DirectTicketsToWallets', ...settings] as const) await m().setting(tenantId, key)
    const number = `55119${String(30_000_000 + tenantId * 10 + settings.length)}`
    const connectionId = await m().connection(tenantId, { type: 'test', queue_id: queue })
    const contact = await m().contact(tenantId, { number })
    await write(async (db) => {
      await db
        .insertInto('contact_identities')
        .values({
          tenant_id: tenantId,
          contact_id: contact,
          channel: 'test',
          identity: number,
          proof: 'provider',
        })
        .execute()
      for (const { id } of owners)
        await db
          .insertInto('contact_wallets')
          .values({ tenant_id: tenantId, contact_id: contact, user_id: id })
          .execute()
    })
    await receive(product().platform, { tenantId, connectionId }, [textEvent({ from: number, body: 'Oi' })])
    await ingestIdle(product().platform)
    return product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select(['status', 'user_id']).where('contact_id', '=', contact).executeTakeFirst(),
    )
  }

  it('go to the first owner who is online and below capacity, else to the first', async () => {
    const [ana, bia] = [await someone('Ana', { capacity: 0 }), await someone('Bia')]
    expect(await arrival([ana, bia], [])).toEqual({ status: 'open', user_id: bia.id })
    expect(await arrival([ana], ['signed'])).toEqual({ status: 'open', user_id: ana.id })
  })
  it('wait for all where the company wants it so and no owner can', async () => {
    expect(await arrival([await someone('Ana', { capacity: 0 })], ['serviceTransfer'])).toEqual({
      ...{ status: 'pending', user_id: null },
    })
  })
})

describe('a queue', () => {
  const lead = () => m().person(tenantId, { profile: 'super' })
  const agent = () => m().person(tenantId, { profile: 'user' })
  it('says how it distributes and where it flows over; leads change that, agents do not', async () => {
    const other = await m().queue(tenantId)
    const change = { distribution: 'S', overflowQueueId: other, overflowMinutes: 7 } as const
    const reply = await ask(admin, queues.update, { params: { id: queue }, body: change })
    expect(reply.body).toMatchObject(change)
    const asAgent = await ask(await agent(), queues.update, { params: { id: queue }, body: change })
    expect(asAgent.body.error).toBe('ERR_NO_PERMISSION')
    const asLead = await ask(await lead(), queues.update, { params: { id: queue }, body: { ...change, queue: 'Nova' } })
    expect(asLead.status).toBe(200)
    for (const [body, field] of [
      [{ overflowQueueId: queue }, 'overflowQueueId'],
      [{ overflowQueueId: await m().queue(await m().tenant()) }, 'overflowQueueId'],
      [{ overflowMinutes: 0 }, 'overflowMinutes'],
      [{ distribution: 'X' }, 'distribution'],
    ] as const)
      expect(
        (await ask(admin, queues.update, { params: { id: queue }, body: body as never })).body.details,
      ).toHaveProperty(field)
    await ask(admin, queues.remove, { params: { id: other } })
    expect((await ask(admin, queues.get, { params: { id: queue } })).body).toMatchObject({ overflowQueueId: null })
  })

  it('tries other rules on yesterday’s arrivals and changes nothing', async () => {
    await someone('Ana', { capacity: 1 })
    const at = (hours: number) => new Date(product().platform.now().getTime() - 24 * 60 * MINUTE + hours * 1000)
    for (let n = 0; n < 3; n++)
      await m().ticket(tenantId, {
        queue_id: queue,
        status: 'closed',
        created_at: at(n),
        started_attendance_at: at(n),
        closed_at: at(n + 60),
      })
    const tryRules = (body: object, who = admin) =>
      ask(who, distribution.tryRules, {
        body: { queueId: queue, overflowQueueId: null, overflowMinutes: null, distribution: null, ...body },
      })
    const { body } = await tryRules({ distribution: 'B' })
    expect(body).toMatchObject({
      now: { arrivals: 3, given: 3, people: [{ name: 'Ana', given: 3 }] },
      changed: { arrivals: 3, given: 3 },
    })
    // With the company's own rules: no distribution.
    expect((await tryRules({})).body).toMatchObject({ now: { given: 3 }, changed: { given: 0, meanWaitMs: null } })
    expect((await tryRules({}, await agent())).body.error).toBe('ERR_NO_PERMISSION')
    expect((await tryRules({ overflowQueueId: 1 })).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await ask(admin, queues.get, { params: { id: queue } })).body).toMatchObject({ distribution: 'B' })
  })
})

const inMinutes = (minutes: number) => new Date(product().platform.now().getTime() + minutes * MINUTE).toISOString()
