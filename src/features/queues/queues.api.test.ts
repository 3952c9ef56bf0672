import { beforeEach, describe, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { queues } from './contract.ts'

const product = withProduct()
let m: ReturnType<typeof make>
let tenantId: number
let boss: string

const create = async (body: object, token = boss) =>
  (await call(product(), queues.create, token, { body: body as never })).body
const change = async (id: number, body: object, token = boss) =>
  (await call(product(), queues.update, token, { params: { id }, body: body })).body
const remove = async (id: number) => (await call(product(), queues.remove, boss, { params: { id } })).body
const replace = async (id: number, queueId: number, token = boss) =>
  (await call(product(), queues.replace, token, { params: { id }, body: { queueId } })).body
const queuesOf = async (userId: number) =>
  (await product().platform.actors.get(`${tenantId}:${userId}`))?.queueIds ?? []

beforeEach(async () => {
  m = make(product().platform)
  tenantId = await m.tenant()
  boss = await m.token(await m.user(tenantId, { profile: 'admin' }))
})

describe('a queue', () => {
  it('keeps its hours, its message and its people', async () => {
    const person = await m.user(tenantId)
    const made = await create({
      queue: ' Vendas ',
      businessHours: USUAL_WEEK,
      messageBusinessHours: 'Voltamos amanhã.',
      userIds: [person.id],
    })
    expect(made).toMatchObject({
      queue: 'Vendas',
      color: '#3874B6',
      isActive: true,
      hasHours: true,
      userCount: 1,
      businessHours: USUAL_WEEK,
      messageBusinessHours: 'Voltamos amanhã.',
      userIds: [person.id],
    })
    const changed = await change(made.id, { businessHours: null })
    expect(changed).toMatchObject({ queue: 'Vendas', hasHours: false, userIds: [person.id] })
    const list = (await call(product(), queues.list, boss, { query: { searchParam: 'VÊNDAS' } })).body
    expect(list).toMatchObject({ items: [{ id: made.id, userCount: 1 }], count: 1 })
  })

  it.each([
    [{ queue: '' }, 'queue'],
    [{ color: 'roxo' }, 'color'],
    [{ businessHours: [] }, 'businessHours.0'],
    [{ tenantId: 1 }, 'tenantId'],
  ])('is refused with %o, at its field', async (part, field) => {
    expect(Object.keys((await create({ queue: 'Vendas', ...part })).details ?? {})[0]).toBe(field)
  })

  it('has a name of its own, and people of the company', async () => {
    const { id } = await create({ queue: 'Vendas' })
    expect((await create({ queue: 'Vendas' })).error).toBe('ERR_DUPLICATED')
    const stranger = await m.user(await m.tenant())
    expect((await change(id, { userIds: [stranger.id] })).error).toBe('ERR_NO_USER_FOUND')
  })

  it('changes at once what the rules know: whether there are queues, and whose they are', async () => {
    const { platform } = product()
    const hasQueues = async () => (await platform.settings.get(String(tenantId))).tenantHasQueues
    const [one, two] = [await m.user(tenantId), await m.user(tenantId)]
    expect(await hasQueues()).toBe(false)
    const { id } = await create({ queue: 'Vendas', userIds: [one.id] })
    expect([await hasQueues(), await queuesOf(one.id), await queuesOf(two.id)]).toEqual([true, [id], []])
    await change(id, { userIds: [two.id] })
    expect([await queuesOf(one.id), await queuesOf(two.id)]).toEqual([[], [id]])
    await remove(id)
    expect([await hasQueues(), await queuesOf(two.id)]).toEqual([false, []])
  })

  it('hands out no more sight than its supervisor has', async () => {
    const lead = await m.user(tenantId, { profile: 'super' })
    const token = await m.token(lead)
    const { id } = await create({ queue: 'Vendas' })
    const other = await create({ queue: 'Suporte' })
    expect((await change(id, { userIds: [lead.id] }, token)).userIds).toEqual([lead.id])
    await make(product().platform).setting(tenantId, 'supervisorAdmin')
    expect((await change(other.id, { userIds: [lead.id] }, token)).error).toBe('ERR_NO_PERMISSION')
    expect((await replace(other.id, id, token)).error).toBe('ERR_NO_PERMISSION')
    expect((await change(other.id, { queue: 'Ajuda' }, token)).queue).toBe('Ajuda')
  })
})

describe('removing a queue', () => {
  it('waits while a ticket is in it', async () => {
    const id = await m.queue(tenantId)
    await m.ticket(tenantId, { queue_id: id, status: 'closed' })
    expect((await remove(id)).error).toBe('ERR_QUEUE_TICKET_EXISTS')
    expect((await call(product(), queues.get, boss, { params: { id } })).status).toBe(200)
  })

  it('moves everything to another one in the same step', async () => {
    const [from, to] = [await m.queue(tenantId), await m.queue(tenantId, { queue: 'Destino' })]
    const person = await m.user(tenantId, { queues: [from] })
    const channel = await m.connection(tenantId, { queue_id: from })
    const open = await m.ticket(tenantId, { queue_id: from, status: 'open', connection_id: channel })
    const closed = await m.ticket(tenantId, { queue_id: from, status: 'closed' })
    const before = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').select('updated_at').where('id', '=', closed).executeTakeFirstOrThrow(),
    )
    expect(await replace(from, to)).toEqual({ moved: 1 })
    for (const id of [open, closed]) {
      const { body } = await call(product(), tickets.get, boss, { params: { id } })
      expect(body).toMatchObject({ queueId: to, queue: 'Destino' })
    }
    const after = await product().platform.db.read(tenantId, async (db) => ({
      ticket: await db.selectFrom('tickets').select('updated_at').where('id', '=', closed).executeTakeFirstOrThrow(),
      channel: await db.selectFrom('connections').select('queue_id').where('id', '=', channel).executeTakeFirst(),
    }))
    expect(after).toEqual({ ticket: before, channel: { queue_id: to } })
    expect(await queuesOf(person.id)).toEqual([])
    expect((await call(product(), queues.get, boss, { params: { id: from } })).status).toBe(404)
  })

  it('moves nothing to itself, nowhere, or to another company', async () => {
    const id = await m.queue(tenantId)
    const ticket = await m.ticket(tenantId, { queue_id: id })
    expect((await replace(id, id)).details).toHaveProperty('queueId')
    expect((await replace(id, await m.queue(await m.tenant()))).error).toBe('ERR_NO_QUEUE_FOUND')
    const { body } = await call(product(), tickets.get, boss, { params: { id: ticket } })
    expect(body).toMatchObject({ queueId: id })
  })
})
