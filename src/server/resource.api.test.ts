import { beforeAll, describe, expect, it } from 'vitest'
import { withSamples } from '#test/features/samples/product.ts'
import { samples } from '#test/features/samples/samples.ts'
import { make } from '#test/make.ts'
import { plainTables } from '#test/plain-tables.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { Change } from './realtime/audience.ts'

/** Every `resource()` that a feature declares is tested here, without being named. */
const resources = [...plainTables.values()]

const product = ownProduct('has a feature of its own', withSamples)
let ours: string
let theirs: string
let tenants: Map<string, number>
const told: Change[] = []

async function newCompanies(): Promise<void> {
  const m = make(product().platform)
  const [own, other] = [await m.tenant(), await m.tenant()]
  ours = await m.token(await m.user(own, { profile: 'admin' }))
  theirs = await m.token(await m.user(other, { profile: 'admin' }))
  tenants = new Map([
    [ours, own],
    [theirs, other],
  ])
}

beforeAll(() => void product().platform.bus.subscribe((_, changes) => void told.push(...changes)))

it('finds the resources', () => {
  expect(resources.map(({ spec }) => spec.name)).toEqual(expect.arrayContaining(['tags', 'fastReplies', 'samples']))
})

type Row = Record<string, unknown> & { id: number }
type List = { items: Row[]; count: number; hasMore: boolean; nextCursor: string | null }

/** Returns the words as a valid name of a row; names of constants are variables of texts. */
const called = ({ name }: { name: string }, words: string): string =>
  name === 'constants' ? words.normalize('NFD').replace(/\p{M}/gu, '').replace(/ /g, '_').toLowerCase() : words

describe.each(resources.map((one) => [one.spec.name, one] as const))('%s', (_, { spec, ops }) => {
  beforeAll(newCompanies)
  const first = Object.keys(spec.fields)[0] as string
  /**
   * Returns a body whose name contains its number after an x (other texts are numbered as well); the server sets its
   * position.
   */
  const sample = async (n: number, token = ours) => {
    const { [spec.order]: place, ...values } = await make(product().platform).values(tenants.get(token)!, { spec })
    const name = called(spec, `Ação x${String(n).padStart(3, '0')}`)
    const body = { ...values, ...(place === null ? {} : { [spec.order]: place }), [first]: name }
    // An open one whose day is over is late.
    return { ...body, ...('limitDate' in body ? { limitDate: '2199-12-31' } : {}) } as Record<string, string>
  }
  const create = async (n: number, token = ours) => {
    const sent = await sample(n, token)
    const reply = await call(product(), ops.create, token, { body: sent })
    return { status: reply.status, body: reply.body, sent }
  }
  const list = async (query: object, token = ours) =>
    (await call(product(), ops.list, token, { query })).body as unknown as List

  it('creates, reads, changes and deletes, and tells everybody that something changed', async () => {
    const { status, body: row, sent } = await create(900)
    expect(status).toBe(200)
    expect(row).toMatchObject(sent)
    const params = { id: row.id }
    expect((await call(product(), ops.get, ours, { params })).body).toEqual(row)
    const renamed = await call(product(), ops.update, ours, { params, body: { [first]: called(spec, 'Outro nome') } })
    expect(renamed.body).toMatchObject({ ...sent, [first]: called(spec, 'Outro nome') })
    expect((await call(product(), ops.remove, ours, { params })).status).toBe(200)
    const gone = await call(product(), ops.get, ours, { params })
    expect([gone.status, gone.body]).toMatchObject([404, { error: spec.notFound }])
    const heard = () => told.filter((change) => change.type === `${spec.name}:changed`)
    await until(() => heard().length >= 3)
    expect(heard().map((change) => change.payload)).toEqual(
      ['create', 'update', 'delete'].map((action) => ({ id: row.id, action })),
    )
  })

  it('belongs to one company: another neither lists, reads, changes nor deletes it', async () => {
    const { body: row } = await create(901)
    expect((await list({}, theirs)).items).toEqual([])
    const params = { id: row.id }
    for (const reply of [
      await call(product(), ops.get, theirs, { params }),
      await call(product(), ops.update, theirs, { params, body: { [first]: called(spec, 'Nosso agora') } }),
      await call(product(), ops.remove, theirs, { params }),
    ]) {
      expect([reply.status, reply.body]).toMatchObject([404, { error: spec.notFound }])
    }
    expect((await call(product(), ops.get, ours, { params })).body).toEqual(row)
    expect((await create(901, theirs)).status).toBe(200)
  })

  it('refuses a second one of the same name, unknown fields, and says what is missing by field', async () => {
    await create(902)
    // Two films may bear one title, two tasks one name.
    expect((await create(902)).status).toBe(['tutorials', 'tasks'].includes(spec.name) ? 200 : 409)
    const unknown = await call(product(), ops.create, ours, { body: { ...(await sample(903)), surpresa: 1 } })
    expect([unknown.status, unknown.body]).toMatchObject([400, { details: { surpresa: expect.any(String) } }])
    const empty = await call(product(), ops.create, ours, { body: { ...(await sample(903)), [first]: '  ' } })
    expect(empty.body).toMatchObject({ details: { [first]: 'Preencha este campo.' } })
  })

  it('searches without accents and case, and takes no wildcard from the text', async () => {
    await create(904)
    expect((await list({ searchParam: 'ACAO' })).items.length).toBeGreaterThan(0)
    expect((await list({ searchParam: 'x904' })).items).toHaveLength(1)
    expect((await list({ searchParam: '%' })).items).toEqual([])
    if (spec.name !== 'constants') expect((await list({ searchParam: '_' })).items).toEqual([])
  })

  it('pages by cursor and by number, every row once and in order', async () => {
    const made = await Promise.all(Array.from({ length: 45 }, (_, n) => create(n)))
    // There may be no more of them than one page holds.
    const isPaged = made.every(({ status }) => status === 200)
    const one = await list({})
    const two = isPaged ? await list({ cursor: one.nextCursor }) : { ...one, items: [] }
    expect([one.items.length, one.hasMore, two.hasMore, two.nextCursor]).toEqual(
      isPaged ? [40, true, false, null] : [one.count, false, false, null],
    )
    const found = [...one.items, ...two.items]
    const places = found.map((row) => row[spec.order] as string | number)
    expect(places).toEqual(places.toSorted((a, b) => (typeof a === 'number' ? a - Number(b) : a < b ? -1 : 1)))
    expect(new Set(found.map((row) => row.id)).size).toBe(one.count)
    expect((await list({ pageNumber: 2 })).items).toEqual(two.items)
    expect(one.count).toBeGreaterThan(20)
    const far = await call(product(), ops.list, ours, { query: { pageNumber: 51 } })
    expect([far.status, far.body]).toMatchObject([400, { error: 'ERR_PAGE_TOO_FAR' }])
    const damaged = await call(product(), ops.list, ours, { query: { cursor: 'xx' } })
    expect([damaged.status, damaged.body]).toMatchObject([400, { details: { cursor: expect.any(String) } }])
  })
})

describe('a plain table with a number, a choice, a reference and an order by hand', () => {
  const { ops, arrange } = samples
  const m = () => make(product().platform)
  let token: string
  let tenantId: number
  let tag: number
  const add = async (body: object) =>
    (await call(product(), ops.create, token, { body: body })) as never as {
      status: number
      body: Row & { details: Record<string, string> }
    }
  const names = async (query: object = {}) => {
    const { items } = (await call(product(), ops.list, token, { query })).body as unknown as List
    return items.map((row) => row['name'])
  }
  const move = (ids: number[], by = token) => call(product(), arrange!, by, { body: { ids } })
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    tenantId = await m().tenant()
    token = await m().token(await m().user(tenantId, { profile: 'admin' }))
    tag = await m().tag(tenantId)
    const rows = [
      { name: 'Um', amount: 10, price: '5.00', state: 'novo', tagId: tag, due: '2026-11-20' },
      { name: 'Dois', amount: 9, price: '49.90', state: 'usado', isActive: false },
      { name: 'Três', amount: 100, price: '100.00', state: 'novo', due: '2026-12-31' },
      { name: 'Quatro' },
    ]
    for (const row of rows) ids[row.name] = (await add(row)).body.id
  })

  it('is narrowed by what its fields offer as a filter, and by several at once', async () => {
    expect(await names({ state: 'novo' })).toEqual(['Um', 'Três'])
    expect(await names({ state: ['novo', 'usado'], amountFrom: 10 })).toEqual(['Um', 'Três'])
    expect(await names({ amountFrom: 9, amountTo: 10 })).toEqual(['Um', 'Dois'])
    expect(await names({ priceTo: '49.90' })).toEqual(['Um', 'Dois'])
    expect(await names({ tagId: tag })).toEqual(['Um'])
    expect(await names({ dueFrom: '2026-12-01' })).toEqual(['Três'])
    expect(await names({ isActive: 'false' })).toEqual(['Dois'])
    for (const query of [{ state: 'velho' }, { amountFrom: 'x' }, { tagId: "1' or true" }, { dueTo: '31/12/2026' }]) {
      const refused = await call(product(), ops.list, token, { query: query as object })
      const { error, details } = refused.body as { error: string; details: object }
      const [field = ''] = Object.keys(details)
      expect([refused.status, error, field.split('.')[0]]).toEqual([400, 'ERR_VALIDATION', Object.keys(query)[0]])
    }
  })

  it('is sorted by a field, up and down, what is empty last', async () => {
    expect(await names({ sort: 'amount' })).toEqual(['Dois', 'Um', 'Três', 'Quatro'])
    expect(await names({ sort: 'price', down: 'true' })).toEqual(['Quatro', 'Três', 'Dois', 'Um'])
    expect(await names({ sort: 'name' })).toEqual(['Dois', 'Quatro', 'Três', 'Um'])
    const other = await call(product(), ops.list, token, { query: { sort: 'tenant_id' } as object })
    expect(other.status).toBe(400)
  })

  it('is put in order by hand: rows trade places, a written place pushes the others on', async () => {
    expect(await names()).toEqual(['Um', 'Dois', 'Três', 'Quatro'])
    expect((await move([ids['Três']!, ids['Um']!])).status).toBe(200)
    expect(await names()).toEqual(['Três', 'Dois', 'Um', 'Quatro'])
    const place = (name: string, position: number) =>
      call(product(), ops.update, token, { params: { id: ids[name]! }, body: { position } })
    expect((await place('Quatro', 2)).body).toMatchObject({ position: 2 })
    expect(await names()).toEqual(['Três', 'Quatro', 'Dois', 'Um'])
    expect((await place('Três', 3)).body).toMatchObject({ position: 3 })
    expect(await names()).toEqual(['Quatro', 'Dois', 'Três', 'Um'])
    expect((await add({ name: 'Cinco', position: 1 })).body).toMatchObject({ position: 1 })
    expect(await names()).toEqual(['Cinco', 'Quatro', 'Dois', 'Três', 'Um'])
    await call(product(), ops.update, token, { params: { id: ids['Um']! }, body: { position: null, amount: 11 } })
    expect((await names()).at(-1)).toBe('Um')
  })

  it('keeps every row and every place, when many put it in order at once', async () => {
    const all = Object.values(ids)
    const turns = Array.from({ length: 20 }, (_, n) => [...all.slice(n % 4), ...all.slice(0, n % 4)])
    const replies = await Promise.all(turns.map((turn) => move(turn)))
    expect(replies.map(({ status }) => status)).toEqual(turns.map(() => 200))
    const { items } = (await call(product(), ops.list, token, {})).body as unknown as List
    expect(items.map((row) => row['position'])).toEqual(items.map((_, index) => index + 1))
  })

  it('is put in order by nobody else, and never with rows that are not there', async () => {
    const before = await names()
    for (const reply of [await move([ids['Um']!], theirs), await move([ids['Dois']!, 999_999_999])])
      expect([reply.status, reply.body]).toMatchObject([404, { error: samples.spec.notFound }])
    expect((await move([ids['Um']!, ids['Um']!])).status).toBe(400)
    expect(await names()).toEqual(before)
  })

  it('refers only to rows of the company, and says at the field what is wrong', async () => {
    const foreign = await m().tag(await m().tenant())
    for (const tagId of [foreign, 999_999_999]) {
      const refused = await add({ name: 'Fora', tagId })
      expect([refused.status, refused.body.details]).toEqual([
        400,
        { tagId: 'Este registro não existe mais. Escolha outro.' },
      ])
    }
    const wrong = await add({ name: 'Fora', amount: 1.5, price: '1,50', state: 'velho', due: '2026-02-30' })
    expect(Object.keys(wrong.body.details).sort()).toEqual(['amount', 'due', 'price', 'state'])
  })
})
