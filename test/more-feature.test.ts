import { describe, expect, test } from 'vitest'
import { access } from '#features/access/contract.ts'
import { settings } from '#features/settings/contract.ts'
import { companies } from '#features/tenants/companies.ts'
import { assignableRoutes } from '#kit/permissions.ts'
import { sampleUse } from './features/samples/contract.ts'
import { withSamples } from './features/samples/product.ts'
import { samples } from './features/samples/samples.ts'
import { make } from './make.ts'
import { call, ownProduct } from './server.ts'

/**
 * Product with a feature folder that is registered by one line for the server (`more`) and one for the browser. Its plain
 * table, the matrix and the isolation of companies are covered by the general tests, its part of the demo by db/seed.test.ts.
 */
const product = ownProduct('has a feature of its own', withSamples)

const company = async () => {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  return { m, tenantId, admin, token: await m.token(admin) }
}

describe('a feature that is only named', () => {
  test('has its errors, in answers and for what the database refuses', async () => {
    const { token } = await company()
    const add = () => call(product(), samples.ops.create, token, { body: { name: 'Couro', amount: 1 } })
    const { id } = (await add()).body
    expect(await add()).toMatchObject({
      status: 409,
      body: { error: 'ERR_SAMPLE_EXISTS', message: 'Já existe uma amostra com este nome.' },
    })
    const take = () => call(product(), sampleUse.take, token, { params: { id } })
    expect((await take()).status).toBe(200)
    expect(await take()).toMatchObject({ status: 409, body: { error: 'ERR_SAMPLE_USED_UP' } })
  })

  test('has its settings, which take effect at once', async () => {
    const { m, tenantId, token } = await company()
    const id = await m.row(tenantId, samples, { amount: 0 })
    const take = () => call(product(), sampleUse.take, token, { params: { id } })
    expect((await take()).status).toBe(409)
    const key = 'samplesOnCredit'
    expect((await call(product(), settings.get, token, { params: { key } })).body).toMatchObject({ value: 'disabled' })
    await call(product(), settings.set, token, { params: { key }, body: { value: 'enabled' } })
    expect((await take()).status).toBe(200)
  })

  test('has its plan features: a company whose plan leaves it out is refused, the others keep it', async () => {
    const { m, tenantId, token, admin } = await company()
    const owner = await m.token(await m.user(1, { profile: 'superadmin' }))
    const change = (excludedFeatures: string[]) =>
      call(product(), companies.update, owner, { params: { id: tenantId }, body: { excludedFeatures } })
    const create = (name: string) => call(product(), samples.ops.create, token, { body: { name } })
    const refusalOf = async () => {
      const about = await call(product(), access.get, token, { params: { id: admin.id } })
      const { person, permissions } = about.body
      const { refusal } = permissions.find(({ permission }) => permission === 'samples:write')!
      return [person.features.includes('samples'), refusal]
    }
    expect((await create('Seda')).status).toBe(200)
    expect(await refusalOf()).toEqual([true, null])

    expect((await change(['samples'])).body).toMatchObject({ excludedFeatures: ['samples'] })
    expect(await create('Linho')).toMatchObject({ status: 403, body: { error: 'ERR_FEATURE_NOT_ALLOWED' } })
    expect(await refusalOf()).toEqual([false, 'plan'])
    expect((await call(product(), samples.ops.list, token, {})).body).toMatchObject({ items: [{ name: 'Seda' }] })

    expect(await change(['telex'])).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    await change([])
    expect((await create('Linho')).status).toBe(200)
  })

  test('has its permissions: who lacks one is refused, and its screen may be taken from one person', async () => {
    const { m, tenantId, admin } = await company()
    const user = await m.token(await m.user(tenantId))
    const create = (token: string) => call(product(), samples.ops.create, token, { body: { name: 'Seda' } })
    expect((await create(user)).status).toBe(403)
    expect((await call(product(), samples.ops.list, user, {})).status).toBe(200)
    const about = await call(product(), access.get, await m.token(admin), { params: { id: admin.id } })
    expect(JSON.stringify(about.body)).toContain('samples:write')
    expect(assignableRoutes('super')).toContain('amostras')
    expect(assignableRoutes('user')).not.toContain('amostras')
  })
})
