import { beforeAll, expect, it } from 'vitest'
import type { CallInput, Operation } from '#kit/contract.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { type TicketView, ticketViews as views } from './views-contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Body = TicketView & { error: string; details: Record<string, string> }

let tenantId: number
let sales: number
let support: number
let lead: Person
let ana: Person
let bia: Person
let stranger: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  sales = await m().queue(tenantId)
  support = await m().queue(tenantId)
  lead = await m().person(tenantId, { profile: 'super' })
  ana = await m().person(tenantId, { queues: [sales] })
  bia = await m().person(tenantId, { queues: [support] })
  stranger = await m().person(await m().tenant(), { profile: 'admin' })
})

async function ask<O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}) {
  const { status, body } = await call(product(), op, who.token, input)
  return { status, body: body as unknown as Body }
}
const save = (who: Person, body: object) => ask(who, views.create, { body } as never)
const seen = async (who: Person) =>
  ((await ask(who, views.list)).body as unknown as { views: TicketView[] }).views.map(({ name }) => name)

it('a view is its author’s own, or a lead’s for a queue or the company; only those who may change it do', async () => {
  const own = (await save(ana, { name: 'Minhas paradas', filter: { scope: 'waiting' } })).body
  const ofQueue = (await save(lead, { name: 'Vendas', filter: {}, audience: 'queue', queueId: sales })).body
  const ofAll = (await save(lead, { name: 'Todas', filter: { tab: 'pending' }, audience: 'company' })).body
  expect(own).toMatchObject({ audience: 'person', mayChange: true, missing: [], filter: { scope: 'waiting' } })
  expect(await seen(ana)).toEqual(['Todas', 'Vendas', 'Minhas paradas'])
  expect(await seen(bia)).toEqual(['Todas'])
  expect(await seen(lead)).toEqual(['Todas', 'Vendas'])
  expect(await seen(stranger)).toEqual([])

  for (const audience of ['company', 'queue'])
    expect((await save(ana, { name: 'De todos', filter: {}, audience, queueId: sales })).body.error).toBe(
      'ERR_NO_PERMISSION',
    )
  const foreign = await m().queue(await m().tenant())
  const toForeign = await save(lead, { name: 'De fora', filter: {}, audience: 'queue', queueId: foreign })
  expect(toForeign.body.error).toBe('ERR_NO_QUEUE_FOUND')
  const change = (who: Person, id: number, body: object) => ask(who, views.update, { params: { id }, body })
  expect((await change(ana, ofAll.id, { name: 'Outra' })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await change(lead, own.id, { name: 'Outra' })).body.error).toBe('ERR_NO_VIEW_FOUND')
  expect((await change(stranger, ofQueue.id, { name: 'Outra' })).body.error).toBe('ERR_NO_VIEW_FOUND')
  expect((await change(ana, own.id, { audience: 'company' })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await change(ana, own.id, { name: 'Paradas' })).body).toMatchObject({
    name: 'Paradas',
    filter: { scope: 'waiting' },
  })
  expect((await change(lead, ofQueue.id, { audience: 'company' })).body).toMatchObject({ queueId: null })
  expect(await seen(bia)).toContain('Vendas')

  expect((await ask(ana, views.order, { body: { ids: [ofAll.id] } })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await ask(bia, views.order, { body: { ids: [own.id] } })).body.error).toBe('ERR_NO_VIEW_FOUND')
  await ask(lead, views.order, { body: { ids: [ofQueue.id, ofAll.id] } })
  expect(await seen(ana)).toEqual(['Vendas', 'Todas', 'Paradas'])
})

it('what was removed comes back by undo, for a day, and for its people alone', async () => {
  const { id } = (await save(bia, { name: 'Some e volta', filter: { tags: [1] } })).body
  const restore = (who: Person) => ask(who, views.restore, { params: { id } })
  expect((await ask(ana, views.remove, { params: { id } })).body.error).toBe('ERR_NO_VIEW_FOUND')
  expect((await ask(bia, views.remove, { params: { id } })).status).toBe(200)
  expect(await seen(bia)).not.toContain('Some e volta')
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(bia, views.remove, { params: { id } })))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
  expect((await restore(ana)).body.error).toBe('ERR_NO_VIEW_FOUND')
  expect((await restore(bia)).body).toMatchObject({ id, name: 'Some e volta', filter: { tags: [1] } })
  expect(await seen(bia)).toContain('Some e volta')
  await ask(bia, views.remove, { params: { id } })
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('ticket_views')
      .set({ deleted_at: new Date(0) })
      .where('id', '=', id)
      .execute(),
  )
  await ask(bia, views.remove, { params: { id: (await save(bia, { name: 'Outra', filter: {} })).body.id } })
  expect((await restore(bia)).body.error).toBe('ERR_NO_VIEW_FOUND')
})

it('a filter is what the list takes; what it names and is gone is said, and what is damaged is plain', async () => {
  for (const filter of [{ tab: 'lixo' }, { searchParam: 'x' }, { pageNumber: 2 }, { tags: ['x'] }, { nada: 1 }, []])
    expect((await save(ana, { name: 'Ruim', filter })).status, JSON.stringify(filter)).toBe(400)
  for (const name of ['', ' ', 'x'.repeat(41)]) expect((await save(ana, { name, filter: {} })).status).toBe(400)

  const queue = await m().queue(tenantId)
  const tag = await m().tag(tenantId)
  const { body } = await save(lead, {
    name: 'Tudo',
    filter: { queuesIds: [queue, sales], tags: [tag], selectedUser: ana.id },
    audience: 'queue',
    queueId: queue,
  })
  expect(body.missing).toEqual([])
  await product().platform.db.write(tenantId, async (db) => {
    await db.deleteFrom('queues').where('id', '=', queue).execute()
    await db.deleteFrom('tags').where('id', '=', tag).execute()
  })
  const again = async (name: string) =>
    ((await ask(lead, views.list)).body as unknown as { views: TicketView[] }).views.find((one) => one.name === name)
  expect(await again('Tudo')).toMatchObject({ missing: ['queue', 'tag'], queueId: null })
  expect(await seen(ana)).not.toContain('Tudo')
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('ticket_views').set({ filter: '{"tab":5}' }).where('id', '=', body.id).execute(),
  )
  expect((await again('Tudo'))?.filter).toEqual({})
})

it('counts what each view shows to whoever asks', async () => {
  const { id } = (await save(lead, { name: 'Abertas', filter: { tab: 'open' }, audience: 'company' })).body
  const countFor = async (who: Person) =>
    ((await ask(who, views.counts)).body as unknown as { counts: { id: number; count: number }[] }).counts.find(
      (one) => one.id === id,
    )?.count
  await m().ticket(tenantId, { status: 'open', user_id: ana.id, queue_id: sales })
  await m().ticket(tenantId, { status: 'open', user_id: bia.id, queue_id: support })
  await m().ticket(tenantId, { status: 'pending', queue_id: sales })
  expect([await countFor(ana), await countFor(bia), await countFor(stranger)]).toEqual([1, 1, undefined])
})

it('own views go with who leaves, shared ones stay', async () => {
  const leaver = await m().person(tenantId, { profile: 'admin' })
  await save(leaver, { name: 'Só dele', filter: {} })
  await save(leaver, { name: 'Da casa', filter: {}, audience: 'company' })
  const { forgetViews } = await import('./server/views/queries.ts')
  await product().platform.db.write(tenantId, (db) => forgetViews(db, leaver))
  const rows = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('ticket_views').select(['name', 'user_id']).where('name', 'in', ['Só dele', 'Da casa']).execute(),
  )
  expect(rows).toEqual([{ name: 'Da casa', user_id: null }])
})
