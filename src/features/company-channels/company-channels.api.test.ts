import { beforeAll, describe, expect, it } from 'vitest'
import { PROFILES } from '#domain/access/profiles.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { companyChannels } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)
let owner: string

beforeAll(async () => {
  owner = (await m().person(await m().tenant(), { profile: 'superadmin' })).token
})

const list = (query: { searchParam?: string; cursor?: string; only?: 'connected' | 'down' }) =>
  call(product(), companyChannels.list, owner, { query })

/** A company with a channel that is connected, one that is down, one never connected, and one that was removed. */
async function company() {
  const tenantId = await m().tenant()
  const word = `canais-${tenantId}`
  const add = async (name: string, about: object) => {
    const id = await m().connection(tenantId, { type: 'lab' })
    await product().platform.db.write(tenantId, (db) =>
      db
        .updateTable('connections')
        .set({ name: `${word} ${name}`, ...about })
        .where('id', '=', id)
        .execute(),
    )
  }
  await add('vendas', { status: 'CONNECTED', first_connected_at: new Date(), number: '5511988880000' })
  await add('suporte', { status: 'DISCONNECTED', first_connected_at: new Date(), cause: 'banned' })
  await add('nova', { status: 'DISCONNECTED', first_connected_at: null })
  await add('velha', { status: 'CONNECTED', is_deleted: true })
  return { tenantId, word }
}

describe('the channels of all companies', () => {
  it('are listed with their company and state, by a filter and by a search; removed ones are not', async () => {
    const { tenantId, word } = await company()
    const names = async (query: { only?: 'connected' | 'down' }) =>
      (await list({ searchParam: word, ...query })).body.connections.map(({ name }) => name.replace(`${word} `, ''))
    expect(await names({})).toEqual(['vendas', 'suporte', 'nova'])
    expect(await names({ only: 'connected' })).toEqual(['vendas'])
    expect(await names({ only: 'down' })).toEqual(['suporte'])
    const { body } = await list({ searchParam: word })
    expect(body).toMatchObject({ count: 3, hasMore: false })
    expect(body.connections[1]).toMatchObject({ tenantId, isTenantActive: true, cause: 'banned', wasConnected: true })
    expect(body.totals.down).toBeGreaterThan(0)
    expect(body.totals.all).toBeGreaterThanOrEqual(body.totals.connected + body.totals.down)
    expect((await list({ searchParam: '988880000' })).body.count).toBeGreaterThan(0)
  })

  it('are paged without one twice or missing', async () => {
    const tenantId = await m().tenant()
    for (let n = 0; n < 60; n++) await m().connection(tenantId, { type: 'lab' })
    await product().platform.db.asPlatform((db) =>
      db
        .updateTable('tenants')
        .set({ name: `Muitos canais ${tenantId}` })
        .where('id', '=', tenantId)
        .execute(),
    )
    const seen: number[] = []
    let cursor: string | null | undefined
    do {
      const { body } = await list({ searchParam: `Muitos canais ${tenantId}`, ...(cursor ? { cursor } : {}) })
      seen.push(...body.connections.map(({ id }) => id))
      cursor = body.nextCursor
    } while (cursor)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
    expect(seen).toHaveLength(60)
  })

  it('are the superadmin’s alone', async () => {
    const tenantId = await m().tenant()
    for (const profile of PROFILES.filter((one) => one !== 'superadmin')) {
      const { token } = await m().person(tenantId, { profile })
      expect((await call(product(), companyChannels.list, token)).status).toBe(403)
    }
  })
})
