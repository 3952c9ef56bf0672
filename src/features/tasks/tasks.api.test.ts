import { beforeAll, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import { call, ownProduct } from '#test/server.ts'
import { delayAll } from './server/delay.ts'
import { remindAll } from './server/remind.ts'
import { type Task, taskCounts, taskEvents, taskLogs, tasks } from './tasks.ts'

// Late in the evening in São Paulo, when it is another day in London already.
let clock = new Date('2027-02-28T02:59:00Z')
const product = ownProduct('its clock is set to a day', { now: () => clock })
const m = () => make(product().platform)
type Person = { id: number; token: string }
let tenantId: number
let boss: Person
let ana: Person
let bia: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  boss = await m().person(tenantId, { profile: 'admin' })
  ana = await m().person(tenantId)
  bia = await m().person(tenantId)
})

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
const ask = (who: Person, op: Operation, input: object = {}): Promise<{ status: number; body: any }> =>
  call(product(), op as never, who.token, input as never) as never
const create = (who: Person, body: object) =>
  ask(who, tasks.ops.create, {
    body: { name: 'Ligar', description: 'Confirmar a entrega', limitDate: '2027-03-01', ownerId: ana.id, ...body },
  })
const listed = async (who: Person, query: object = {}) => {
  const { body } = await ask(who, tasks.ops.list, { query })
  return body.items as Task[]
}
const types = async (who: Person, userId: number) => {
  const { body } = await ask(who, taskLogs.list, { params: { userId } })
  return (body.logs as { type: string; todoListId: number }[]).map(({ type, todoListId }) => [todoListId, type])
}

it('is made, changed, finished and opened again, and each is recorded with what was changed', async () => {
  const { status, body: task } = await create(boss, { priority: 'high' })
  expect([status, task]).toMatchObject([200, { status: 'pending', priority: 'high', userId: boss.id, recurrence: 1 }])
  const put = (body: object, who = ana) => ask(who, tasks.ops.update, { params: { id: task.id }, body })
  expect((await put({ comments: 'Às 10h' })).body.comments).toBe('Às 10h')
  expect((await put({ status: 'finished' })).body.status).toBe('finished')
  expect((await put({ status: 'pending' })).body.status).toBe('pending')
  // The same again is no change.
  await put({ status: 'pending' })
  expect(await types(ana, ana.id)).toEqual(
    ['reopened', 'finished', 'changed', 'created'].map((type) => [task.id, type]),
  )
  const { body } = await ask(ana, taskLogs.list, { params: { userId: ana.id } })
  expect(body.logs[2].changes).toEqual({ comments: ['', 'Às 10h'] })
})

it('is seen by whose it is, who made it and leads, and by no other colleague or company', async () => {
  const { body: task } = await create(boss, { name: 'Só de Ana' })
  const other = await m().person(await m().tenant(), { profile: 'admin' })
  const seen = (who: Person) => ask(who, tasks.ops.get, { params: { id: task.id } }).then(({ status }) => status)
  expect(await Promise.all([ana, boss, bia, other].map(seen))).toEqual([200, 200, 404, 404])
  const put = (who: Person) => ask(who, tasks.ops.update, { params: { id: task.id }, body: { name: 'Dela' } })
  expect((await put(bia)).status).toBe(404)
  expect((await ask(bia, tasks.ops.remove, { params: { id: task.id } })).status).toBe(404)
  expect((await listed(bia)).map(({ name }) => name)).not.toContain('Só de Ana')
  expect((await ask(bia, taskLogs.list, { params: { userId: ana.id } })).status).toBe(403)
})

it('is listed among some ids, for as far as it is seen and the other filters let it through', async () => {
  const [{ body: seen }, { body: hidden }, { body: done }] = await Promise.all([
    create(ana, {}),
    create(boss, { ownerId: boss.id }),
    create(ana, { status: 'finished' }),
  ])
  const ids = [seen.id, hidden.id, done.id]
  expect((await listed(ana, { ids })).map(({ id }) => id).toSorted()).toEqual([seen.id, done.id].toSorted())
  expect((await listed(ana, { ids, status: 'finished' })).map(({ id }) => id)).toEqual([done.id])
  const stranger = await m().person(await m().tenant(), { profile: 'admin' })
  expect(await listed(stranger, { ids })).toEqual([])
  expect((await ask(ana, tasks.ops.list, { query: { ids: 'um' } })).status).toBe(400)
})

it('recurs on its days, once each', async () => {
  const { body: first } = await create(ana, { name: 'Inventário', recurrence: 7, recurrenceTimes: 3 })
  expect(first).toMatchObject({ limitDate: '2027-03-01', recurrence: 7, recurrenceTimes: 3 })
  const days = (await listed(ana, { searchParam: 'inventário' })).map(({ limitDate }) => limitDate)
  expect(days).toEqual(['2027-03-01', '2027-03-08', '2027-03-15'])
})

it.each<[string, object, string]>([
  ['another interval', { recurrence: 8 }, 'recurrence'],
  ['too many times', { recurrence: 7, recurrenceTimes: 61 }, 'recurrenceTimes'],
  ['no name', { name: ' ' }, 'name'],
  ['no such day', { limitDate: '2027-02-30' }, 'limitDate'],
  ['nobody', { ownerId: null }, 'ownerId'],
  ['a colleague who is not there', { ownerId: 2 ** 40 }, 'ownerId'],
  ['another state', { status: 'parada' }, 'status'],
])('refuses %s', async (_, body, field) => {
  const before = (await listed(boss)).length
  expect(await create(ana, body)).toMatchObject({ status: 400, body: { details: { [field]: expect.any(String) } } })
  expect(await listed(boss)).toHaveLength(before)
})

it('is about a ticket that its author sees', async () => {
  const ticketId = await m().ticket(tenantId, { user_id: ana.id })
  const { body: task } = await create(ana, { ticketId })
  expect(task.ticketId).toBe(ticketId)
  expect((await listed(ana, { ticketId })).map(({ id }) => id)).toEqual([task.id])
  const elsewhere = await m().ticket(await m().tenant())
  expect((await create(ana, { ticketId: elsewhere })).status).toBe(404)
  expect((await create(ana, { contactId: 2 ** 40 })).body.error).toBe('ERR_NO_CONTACT_FOUND')
})

it('is late once its day is over where the company is, by whoever looks, and on time again on a later day', async () => {
  const { body: task } = await create(ana, { name: 'De hoje', limitDate: '2027-02-27' })
  expect(task.status).toBe('pending')
  await Promise.all([delayAll(product().platform), delayAll(product().platform)])
  const now = () => ask(boss, tasks.ops.get, { params: { id: task.id } }).then(({ body }) => body.status)
  expect(await now()).toBe('pending')
  clock = new Date('2027-02-28T03:00:01Z')
  await Promise.all([delayAll(product().platform), delayAll(product().platform)])
  expect(await now()).toBe('delayed')
  expect((await types(boss, ana.id)).filter(([id]) => id === task.id)).toEqual([
    [task.id, 'delayed'],
    [task.id, 'created'],
  ])
  const later = { params: { id: task.id }, body: { limitDate: '2027-03-05' } }
  expect((await ask(ana, tasks.ops.update, later)).body.status).toBe('pending')
})

it('is told to whose it is at once, counted until it is done, and reminded of once', async () => {
  const owner = await m().person(tenantId)
  const told = async () => {
    const { body } = await ask(owner, messages.changes, { query: { after: 0 } })
    return (body.changes as { type: string; payload: { name: string; reason: string; by: string | null } }[])
      .filter(({ type }) => type === taskEvents.notice.type)
      .map(({ payload: { name, reason, by } }) => [name, reason, by])
  }
  const name = 'Ligar para o banco'
  const limitDate = '2027-02-28'
  const { body: task } = await create(boss, {
    name,
    ownerId: owner.id,
    limitDate,
    remindAt: '2027-02-28T03:05:00.000Z',
  })
  const bossName = (await product().platform.actors.get(`${tenantId}:${boss.id}`))!.name
  expect(await told()).toEqual([[name, 'assigned', bossName]])
  const counted = () => ask(owner, taskCounts.mine).then(({ body }) => body)
  expect(await counted()).toEqual({ delayed: 0, today: 1 })
  await remindAll(product().platform)
  expect(await told()).toHaveLength(1)
  clock = new Date('2027-02-28T03:05:01Z')
  await Promise.all([remindAll(product().platform), remindAll(product().platform)])
  expect((await told()).slice(1)).toEqual([[name, 'reminder', null]])
  // Another time is another reminder; what is done is reminded of no more.
  const put = (body: object) => ask(owner, tasks.ops.update, { params: { id: task.id }, body })
  await put({ remindAt: '2027-02-28T03:05:01.000Z' })
  await remindAll(product().platform)
  expect(await told()).toHaveLength(3)
  await put({ remindAt: '2027-02-28T03:04:00.000Z', status: 'finished' })
  await remindAll(product().platform)
  expect(await told()).toHaveLength(3)
  expect(await counted()).toEqual({ delayed: 0, today: 0 })
})

it('is reminded of as long before each day of its series', async () => {
  const body = { name: 'Série', recurrence: 7, recurrenceTimes: 2, remindAt: '2027-02-27T12:00:00.000Z' }
  await create(ana, body)
  const reminders = (await listed(ana, { searchParam: 'série' })).map(({ remindAt }) => remindAt)
  expect(reminders).toEqual(['2027-02-27T12:00:00.000Z', '2027-03-06T12:00:00.000Z'])
})
