import { beforeEach, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { users } from './contract.ts'
import { ownProfile } from './profile.ts'
import { userTenants } from './user-tenants.ts'

const product = withProduct()
let m: ReturnType<typeof make>
let home: number
let tenantId: number
let owner: { id: number; token: string }
let counter = 0
const address = () => `alguem${++counter}@loja.dev`

const create = async (body: object) =>
  (await call(product(), userTenants.create, owner.token, { body: body as never })).body
const update = async (id: number, body: object) =>
  (await call(product(), userTenants.update, owner.token, { params: { id }, body: body as never })).body
const remove = async (id: number, tenant: number) =>
  (await call(product(), userTenants.remove, owner.token, { params: { id }, body: { tenantId: tenant } })).body
const login = (email: string, password: string) => call(product(), auth.login, null, { body: { email, password } })

beforeEach(async () => {
  m = make(product().platform)
  home = await m.tenant('Plataforma')
  tenantId = await m.tenant(`Oficina ${++counter}`)
  const made = await m.user(home, { profile: 'superadmin' })
  owner = { id: made.id, token: await m.token(made) }
})

describe('the users of a company', () => {
  it('are written by the superadmin: made, changed, deleted, in the company that is named', async () => {
    const email = address()
    const made = await create({ tenantId, name: 'Rosa Leal', email, profile: 'admin', password: 'Girassol!7' })
    expect(made).toMatchObject({ name: 'Rosa Leal', profile: 'admin', isMailed: false })
    expect((await login(email, 'Girassol!7')).body).toMatchObject({ tenantId, userId: made.id })
    expect(await update(made.id, { tenantId, isSupport: true })).toMatchObject({ isSupport: true })
    const other = await create({ tenantId, name: 'Outra Rosa', email: address(), profile: 'admin' })
    expect(await remove(made.id, tenantId)).toEqual({ message: 'ok' })
    expect((await login(email, 'Girassol!7')).status).toBe(401)
    expect(await remove(other.id, tenantId)).toMatchObject({ error: 'ERR_LAST_ADMIN' })
  })

  it('are found by company and name, with how much of the plan is used', async () => {
    const name = `Zulmira ${Date.now()}`
    await create({ tenantId, name, email: address(), profile: 'user', phone: '11 5555-0000' })
    const read = async (query: object) => (await call(product(), userTenants.list, owner.token, { query })).body
    const found = await read({ searchParam: name.toUpperCase() })
    expect(found).toMatchObject({ users: [{ name, tenantId, phone: '1155550000' }], count: 1 })
    expect((await read({ tenantId, searchParam: 'oficina' })).users).toHaveLength(1)
    expect((await read({ tenantId: home, searchParam: name })).users).toEqual([])
    const companies = (await call(product(), userTenants.companies, owner.token, { query: { searchParam: 'OFICINA' } }))
      .body
    expect(companies.companies).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: tenantId, used: 1, max: 10 })]),
    )
  })

  it('are not reached through another company, and no superadmin is made outside of the own', async () => {
    const { id } = await m.user(tenantId)
    expect(await update(id, { tenantId: home, name: 'Perdida' })).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
    expect(await remove(id, home)).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
    expect(await update(id, { tenantId: 999_999, name: 'Perdida' })).toMatchObject({ error: 'ERR_NO_TENANT_FOUND' })
    expect(await update(id, { tenantId, profile: 'superadmin' })).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    const colleague = await m.user(home)
    expect(await update(colleague.id, { tenantId: home, profile: 'superadmin' })).toMatchObject({
      profile: 'superadmin',
    })
    expect(await update(owner.id, { tenantId: home, isActive: false })).toMatchObject({ error: 'ERR_OWN_ACCESS' })
  })

  it('are as many as the plan of their company allows', async () => {
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ max_users: 1 }).where('id', '=', tenantId).execute(),
    )
    const replies = await Promise.all(
      [1, 2, 3].map(() => create({ tenantId, name: 'Nova Rosa', email: address(), profile: 'user' })),
    )
    expect(replies.map(({ error }) => error ?? 'ok').sort()).toEqual(['ERR_MAX_USERS', 'ERR_MAX_USERS', 'ok'])
  })

  it('are invited again with a link of their own company', async () => {
    const { id } = await create({ tenantId, name: 'Rosa Leal', email: address(), profile: 'user' })
    const { body } = await call(product(), userTenants.invite, owner.token, { params: { id }, body: { tenantId } })
    const used = await call(product(), auth.setup, null, {
      body: { code: body.link!.split('=')[1]!, password: 'Girassol!7' },
    })
    expect(used.body).toMatchObject({ tenantId, userId: id })
  })
})

describe('one’s own account', () => {
  const me = async () => {
    const made = await m.user(tenantId)
    return { ...made, token: await m.token(made) }
  }
  const changePassword = async (token: string, body: object) => {
    const reply = await call(product(), ownProfile.changePassword, token, { body: body as never })
    return { status: reply.status, body: reply.body }
  }

  it('has name and phone changed by oneself, and nothing else', async () => {
    const one = await me()
    const save = (body: object) => call(product(), ownProfile.save, one.token, { body: body as never })
    expect((await save({ name: 'Nome novo', phone: '(11) 5555-1234' })).status).toBe(200)
    const read = await call(product(), users.get, one.token, { params: { id: one.id } })
    expect(read.body).toMatchObject({ name: 'Nome novo', phone: '1155551234', profile: 'user' })
    for (const part of [{ profile: 'admin' }, { isSupport: true }, { queueIds: [1] }, { restrictedUser: false }])
      expect((await save({ name: 'Nome novo', phone: '', ...part })).status).toBe(400)
  })

  it('has its password changed by who knows the one of now; other devices leave when asked', async () => {
    const one = await me()
    const elsewhere = await m.token(one)
    const wrong = await changePassword(one.token, { current: 'errada!9', password: 'Girassol!7', endOthers: true })
    expect([wrong.status, wrong.body.details]).toEqual([400, { current: 'Esta não é a sua senha atual.' }])
    const short = await changePassword(one.token, { current: PASSWORD, password: 'curta', endOthers: true })
    expect(short.body.details).toHaveProperty('password')
    const own = (token: string) => call(product(), users.get, token, { params: { id: one.id } })
    const kept = await changePassword(one.token, { current: PASSWORD, password: 'Girassol!7', endOthers: false })
    expect([kept.body, (await own(elsewhere)).status]).toEqual([{ ended: 0 }, 200])
    const left = await changePassword(one.token, { current: 'Girassol!7', password: 'Margarida!8', endOthers: true })
    expect(left.body).toEqual({ ended: 1 })
    expect([(await own(elsewhere)).status, (await own(one.token)).status]).toEqual([401, 200])
    expect((await login(one.email, 'Margarida!8')).status).toBe(200)
  })

  it('has the e-mail of entry changed by an administrator who knows the password of now, and by no session alone', async () => {
    const made = await m.user(tenantId, { profile: 'admin' })
    const token = await m.token(made)
    const changeEmail = async (body: object, by = token) => {
      const reply = await call(product(), ownProfile.changeEmail, by, { body: body as never })
      return { status: reply.status, body: reply.body }
    }
    const email = address()
    const past = await call(product(), users.update, token, { params: { id: made.id }, body: { email } })
    expect(past.body).toMatchObject({ error: 'ERR_VALIDATION', details: { email: expect.stringContaining('perfil') } })
    expect((await changeEmail({ email, current: 'errada!9' })).body.details).toEqual({
      current: 'Esta não é a sua senha atual.',
    })
    const other = await m.user(tenantId)
    expect((await changeEmail({ email: other.email, current: PASSWORD })).body.error).toBe('ERR_DUPLICATED')
    expect((await login(made.email, PASSWORD)).status).toBe(200)
    expect((await changeEmail({ email: email.toUpperCase(), current: PASSWORD })).status).toBe(200)
    expect([(await login(email, PASSWORD)).status, (await login(made.email, PASSWORD)).status]).toEqual([200, 401])
    expect((await changeEmail({ email, current: PASSWORD }, (await me()).token)).status).toBe(403)
  })

  it('keeps preferences beside each other, each set by itself', async () => {
    const one = await me()
    const params = { id: one.id }
    const set = (body: object) => call(product(), users.setConfigs, one.token, { params, body: body })
    await Promise.all([
      set({ isDark: true }),
      set({ preferences: { enterSends: false } }),
      set({ preferences: { signature: 'Vendas' } }),
      set({ preferences: { quiet: true, quietFrom: '21:30', volume: 40 } }),
      set({ filtrosAtendimento: { status: ['open'] } }),
    ])
    const { body } = await call(product(), users.get, one.token, { params })
    expect(body.configs).toEqual({
      isDark: true,
      filtrosAtendimento: { status: ['open'] },
      preferences: { enterSends: false, signature: 'Vendas', quiet: true, quietFrom: '21:30', volume: 40 },
    })
    const wrong = [{ outra: 1 }, { enterSends: 'sim' }, { signature: 'a*b' }, { volume: 101 }, { quietFrom: '24:00' }]
    for (const preferences of wrong) expect((await set({ preferences })).status).toBe(400)
    expect((await set({ filtrosAtendimento: { searchParam: 'x'.repeat(20_000) } })).body).toMatchObject({
      details: { filtrosAtendimento: 'Estes filtros ocupam espaço demais.' },
    })
    const colleague = await me()
    const refused = await call(product(), users.setConfigs, colleague.token, { params, body: { isDark: false } })
    expect(refused.body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  })
})
