import { beforeEach, describe, expect, it } from 'vitest'
import { users } from '#features/users/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { teams } from './contract.ts'

const product = withProduct()
let m: ReturnType<typeof make>
let tenantId: number
let lead: string

const create = async (group: string, token = lead) =>
  (await call(product(), teams.create, token, { body: { group } })).body
const add = async (groupId: number, userId: number) =>
  (await call(product(), teams.addMember, lead, { body: { groupId, userId } })).body
const drop = async (groupId: number, userId: number) =>
  (await call(product(), teams.removeMember, lead, { params: { groupId, userId } })).body
const members = async (id: number, query: object = {}) =>
  (await call(product(), teams.members, lead, { params: { id }, query })).body
const list = async (query: object = {}) => (await call(product(), teams.list, lead, { query })).body
const mine = async (token: string) => (await call(product(), teams.mine, token, {})).body

beforeEach(async () => {
  m = make(product().platform)
  tenantId = await m.tenant()
  lead = await m.token(await m.user(tenantId, { profile: 'super' }))
})

describe('a team', () => {
  it('is made, filled, emptied and removed; its people stay', async () => {
    const [ana, bia] = [await m.user(tenantId, { name: 'Ana' }), await m.user(tenantId, { name: 'Bia' })]
    const { id } = await create('Vendas internas')
    for (const one of [bia, ana, ana]) expect(await add(id, one.id)).toEqual({ message: 'ok' })
    expect(await list()).toMatchObject({
      items: [{ group: 'Vendas internas', isActive: true, userCount: 2, people: [{ name: 'Ana' }, { name: 'Bia' }] }],
    })
    expect((await members(id)).items.map(({ name }) => name)).toEqual(['Ana', 'Bia'])
    expect(await members(id, { searchParam: 'bía' })).toMatchObject({ items: [{ userId: bia.id }], count: 1 })
    await drop(id, ana.id)
    expect((await members(id)).items.map(({ userId }) => userId)).toEqual([bia.id])
    expect(await call(product(), teams.remove, lead, { params: { id } })).toMatchObject({ status: 200 })
    expect((await members(id)).error).toBe('ERR_NO_TEAM_FOUND')
    expect(await product().platform.actors.get(`${tenantId}:${bia.id}`)).not.toBeNull()
  })

  it('is seen as one’s own while it is active', async () => {
    const ana = await m.user(tenantId)
    const token = await m.token(ana)
    const { id } = await create('Plantão')
    await create('Outra')
    await add(id, ana.id)
    expect((await mine(token)).items.map(({ group }) => group)).toEqual(['Plantão'])
    await call(product(), teams.update, lead, { params: { id }, body: { isActive: false } })
    expect((await mine(token)).items).toEqual([])
  })

  it('takes people of the company who work there, and loses who leaves', async () => {
    const admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
    const ana = await m.user(tenantId)
    const stranger = await m.user(await m.tenant())
    const { id } = await create('Plantão')
    expect((await add(id, stranger.id)).error).toBe('ERR_NO_USER_FOUND')
    expect((await add(999_999, ana.id)).error).toBe('ERR_NO_TEAM_FOUND')
    await add(id, ana.id)
    await call(product(), users.remove, admin, { params: { id: ana.id } })
    expect(await members(id)).toMatchObject({ items: [], count: 0 })
    expect((await list()).items[0]).toMatchObject({ userCount: 0, people: [] })
  })

  it('has a name of its own, and is listed by it, page by page', async () => {
    for (let n = 0; n < 42; n++) await create(`Equipe ${String(n).padStart(2, '0')}`)
    expect((await create('Equipe 00')).error).toBe('ERR_DUPLICATED')
    const first = await list()
    expect([first.items.length, first.count, first.hasMore]).toEqual([40, 42, true])
    const rest = await list({ cursor: first.nextCursor })
    expect(rest.items.map(({ group }) => group)).toEqual(['Equipe 40', 'Equipe 41'])
  })
})
