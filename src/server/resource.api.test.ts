import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Resource, ResourceField } from '#kit/resource.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { Change } from './realtime/audience.ts'

const root = join(import.meta.dirname, '../..')
const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'spec' in value && 'ops' in value && 'changed' in value

/** Every `resource()` that a feature declares is tested here, without being named. */
const resources: Resource[] = []
for (const file of globSync('src/features/*/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).sort()) {
  resources.push(...Object.values<unknown>(await import(join(root, file))).filter(isResource))
}

const product = withProduct()
let ours: string
let theirs: string
const told: Change[] = []

beforeAll(async () => {
  const m = make(product().platform)
  ours = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  theirs = await m.token(await m.user(await m.tenant(), { profile: 'admin' }))
  product().platform.bus.subscribe((_, changes) => void told.push(...changes))
})

it('finds the resources', () => {
  expect(resources.map(({ spec }) => spec.name)).toEqual(expect.arrayContaining(['tags', 'fastReplies']))
})

type Row = Record<string, unknown> & { id: number }
type List = { items: Row[]; count: number; hasMore: boolean; nextCursor: string | null }

const sampleOf = ({ kind, label }: ResourceField, n: number) =>
  kind === 'boolean' ? true : kind === 'color' ? '#1C5D99' : `Ação ${label} ${String(n).padStart(3, '0')}`

describe.each(resources.map((one) => [one.spec.name, one] as const))('%s', (_, { spec, ops }) => {
  const sample = (n: number) =>
    Object.fromEntries(Object.entries(spec.fields).map(([key, field]) => [key, sampleOf(field, n)]))
  const first = Object.keys(spec.fields)[0] as string
  const create = async (n: number, token = ours) => {
    const reply = await call(product(), ops.create, token, { body: sample(n) })
    return { status: reply.status, body: reply.body as Row }
  }
  const list = async (query: object, token = ours) =>
    (await call(product(), ops.list, token, { query })).body as unknown as List

  it('creates, reads, changes and deletes, and tells everybody that something changed', async () => {
    const { status, body: row } = await create(900)
    expect(status).toBe(200)
    expect(row).toMatchObject(sample(900))
    const params = { id: row.id }
    expect((await call(product(), ops.get, ours, { params })).body).toEqual(row)
    const renamed = await call(product(), ops.update, ours, { params, body: { [first]: 'Outro nome' } })
    expect(renamed.body).toMatchObject({ ...sample(900), [first]: 'Outro nome' })
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
      await call(product(), ops.update, theirs, { params, body: { [first]: 'Nosso agora' } }),
      await call(product(), ops.remove, theirs, { params }),
    ]) {
      expect([reply.status, reply.body]).toMatchObject([404, { error: spec.notFound }])
    }
    expect((await call(product(), ops.get, ours, { params })).body).toEqual(row)
    expect((await create(901, theirs)).status).toBe(200)
  })

  it('refuses a second one of the same name, unknown fields, and says what is missing by field', async () => {
    await create(902)
    expect((await create(902)).status).toBe(409)
    const unknown = await call(product(), ops.create, ours, { body: { ...sample(903), surpresa: 1 } })
    expect([unknown.status, unknown.body]).toMatchObject([400, { details: { surpresa: expect.any(String) } }])
    const empty = await call(product(), ops.create, ours, { body: { ...sample(903), [first]: '  ' } })
    expect(empty.body).toMatchObject({ details: { [first]: 'Preencha este campo.' } })
  })

  it('searches without accents and case, and takes no wildcard from the text', async () => {
    await create(904)
    expect((await list({ searchParam: 'ACAO' })).items.length).toBeGreaterThan(0)
    expect((await list({ searchParam: '904' })).items).toHaveLength(1)
    expect((await list({ searchParam: '%' })).items).toEqual([])
    expect((await list({ searchParam: '_' })).items).toEqual([])
  })

  it('pages by cursor and by number, every row once and in order', async () => {
    await Promise.all(Array.from({ length: 45 }, (_, n) => create(n)))
    const one = await list({})
    const two = await list({ cursor: one.nextCursor })
    expect([one.items.length, one.hasMore, two.hasMore, two.nextCursor]).toEqual([40, true, false, null])
    const names = [...one.items, ...two.items].map((row) => String(row[spec.order]))
    expect(names).toEqual([...names].sort())
    expect(new Set(names).size).toBe(one.count)
    expect((await list({ pageNumber: 2 })).items).toEqual(two.items)
    const far = await call(product(), ops.list, ours, { query: { pageNumber: 51 } })
    expect([far.status, far.body]).toMatchObject([400, { error: 'ERR_PAGE_TOO_FAR' }])
    const damaged = await call(product(), ops.list, ours, { query: { cursor: 'xx' } })
    expect([damaged.status, damaged.body]).toMatchObject([400, { details: { cursor: expect.any(String) } }])
  })
})
