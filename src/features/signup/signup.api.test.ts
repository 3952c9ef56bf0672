import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { users } from '#features/users/contract.ts'
import type { CallInput } from '#kit/contract.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { plans, signup } from './contract.ts'
import { closeTrials } from './server/index.ts'

let ahead = 0
const product = withProduct({ now: () => new Date(Date.now() + ahead) })
let token: string
let trialPlan: number
let counter = 0

type Form = CallInput<typeof signup.create>['body']
const made = () => make(product().platform)
const form = (changes: Partial<Form> = {}): Form => ({
  name: 'Padaria Pão Quente',
  cpfCnpj: '529.982.247-25',
  email: `dona${++counter}@pao.test`,
  mobilePhone: '(11) 98765-4321',
  password: PASSWORD,
  planId: trialPlan,
  ...changes,
})
const join = (changes: Partial<Form> & Record<string, unknown> = {}) =>
  call(product(), signup.create, null, { body: form(changes) })
const login = (email: string) => call(product(), auth.login, null, { body: { email, password: PASSWORD } })
const open = (isOpen: boolean) => call(product(), plans.open, token, { body: { isOpen } })
const aPlan = {
  name: 'Crescer',
  value: '149.90',
  connections: 3,
  users: 2,
  trial: true,
  trialPeriod: 7,
  isActive: true,
}
const save = (changes: object = {}) => call(product(), plans.create, token, { body: { ...aPlan, ...changes } })
const tenantOf = async (email: string) => {
  const found = await product().platform.db.asPlatform((db) =>
    db
      .selectFrom('users')
      .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
      .selectAll('tenants')
      .select(['users.id as userId', 'users.profile', 'users.phone'])
      .where('users.email', '=', email)
      .execute(),
  )
  return found
}

beforeAll(async () => {
  const tenantId = await made().tenant()
  token = await made().token(await made().user(tenantId, { profile: 'superadmin' }))
  trialPlan = (await save()).body.id
})

describe('plans', () => {
  it('begin with one; active ones are offered to everybody, the cheapest first', async () => {
    await save({ name: 'Guardado', isActive: false })
    const { body } = await call(product(), plans.offered, null, {})
    expect(body).toMatchObject({ isOpen: false, plan: [{ name: 'Padrão', value: '0.00' }, { name: 'Crescer' }] })
    const all = await call(product(), plans.list, token, {})
    expect(all.body).toMatchObject({ hasMore: false, nextCursor: null })
    expect(all.body.plan.map(({ name }) => name)).toEqual(expect.arrayContaining(['Crescer', 'Guardado', 'Padrão']))
    const found = await call(product(), plans.list, token, { query: { searchParam: 'guard' } })
    expect(found.body).toMatchObject({ plan: [{ name: 'Guardado', isActive: false, tenants: 0 }] })
  })

  it('are changed and deleted, unless a company has them', async () => {
    const { id } = (await save({ name: 'Breve' })).body
    const body = { ...aPlan, name: 'Breve', value: '9.5' }
    expect((await call(product(), plans.update, token, { params: { id }, body })).body).toMatchObject({ value: '9.50' })
    expect((await save({ name: 'Breve' })).body).toMatchObject({ error: 'ERR_DUPLICATED' })
    expect((await save({ name: 'Sem dias', trialPeriod: 0 })).body).toMatchObject({
      details: { trialPeriod: 'Informe quantos dias dura o teste.' },
    })
    await open(true)
    expect((await join({ planId: id })).status).toBe(200)
    expect((await call(product(), plans.remove, token, { params: { id } })).body).toMatchObject({
      error: 'ERR_PLAN_IN_USE',
    })
    const unused = (await save({ name: 'Nunca' })).body.id
    expect((await call(product(), plans.remove, token, { params: { id: unused } })).status).toBe(200)
    expect((await call(product(), plans.get, token, { params: { id: unused } })).body).toMatchObject({
      error: 'ERR_NO_PLAN_FOUND',
    })
    await open(false)
  })

  it('are read page by page, none twice and none left out', async () => {
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('plans')
        .values(
          Array.from({ length: 90 }, (_, n) => ({
            name: `Muitos ${n}`,
            value: '1',
            connections: 1,
            users: 1,
            is_active: false,
          })),
        )
        .execute(),
    )
    const names: string[] = []
    let cursor: string | null = null
    do {
      const query = { searchParam: 'Muitos', ...(cursor ? { cursor } : {}) }
      const page = (await call(product(), plans.list, token, { query })).body as {
        plan: { name: string }[]
        nextCursor: string | null
      }
      names.push(...page.plan.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor)
    expect([names.length, new Set(names).size]).toEqual([90, 90])
  })

  it('are offered a hundred at most, and it says that there are others', async () => {
    const offered = async () => {
      const { plan, hasMore } = (await call(product(), plans.offered, null, {})).body
      return [plan.length, hasMore]
    }
    const [before] = await offered()
    const more = Array.from({ length: 101 - Number(before) }, (_, n) => `Oferta ${n}`)
    const row = { value: '1', connections: 1, users: 1, is_active: true }
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('plans')
        .values(more.map((name) => ({ name, ...row })))
        .execute(),
    )
    expect(await offered()).toEqual([100, true])
    await product().platform.db.asPlatform((db) => db.deleteFrom('plans').where('name', '=', more[0]!).execute())
    expect(await offered()).toEqual([100, false])
    await product().platform.db.asPlatform((db) => db.deleteFrom('plans').where('name', 'in', more).execute())
  })
})

describe('signing up', () => {
  it('is refused while the installation is closed, which a fresh one is', async () => {
    const reply = await join()
    expect([reply.status, reply.body]).toMatchObject([403, { error: 'ERR_USER_CREATION_DISABLED' }])
  })

  it('makes a company with the plan’s limits and an administrator who can log in', async () => {
    await open(true)
    const body = form({ cpfCnpj: '12.abc.345/01de-35' })
    const reply = await join(body)
    expect([reply.status, reply.body]).toEqual([200, { message: 'Cliente criado com sucesso.' }])
    const [tenant] = await tenantOf(body.email)
    expect(tenant).toMatchObject({
      name: 'Padaria Pão Quente',
      identity: '12ABC34501DE35',
      plan_id: trialPlan,
      max_users: 2,
      max_connections: 3,
      profile: 'admin',
      phone: '11987654321',
      owner_id: tenant!.userId,
    })
    const days = (tenant!.trial_ends_at!.getTime() - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    expect((await login(body.email)).body).toMatchObject({ profile: 'admin', tenantId: tenant!.id })
  })

  it.each([
    ['cpfCnpj', '529.982.247-26', 'Informe um CPF ou CNPJ válido.'],
    ['cpfCnpj', '111.111.111-11', 'Informe um CPF ou CNPJ válido.'],
    ['cpfCnpj', '12.ABC.345/01DE-36', 'Informe um CPF ou CNPJ válido.'],
    ['email', 'sem arroba', 'Informe um e-mail válido.'],
    ['email', 'a@b.test\r\nBcc: x@y.test', 'Informe um e-mail válido.'],
    ['mobilePhone', '98765', 'Informe o celular com DDD.'],
    ['mobilePhone', '(01) 98765-4321', 'Informe o celular com DDD.'],
    ['name', 'ab', 'Use ao menos 3 caracteres.'],
    ['password', 'Senha123', 'A senha precisa de um caractere especial.'],
    ['password', 'a!1', 'A senha precisa de ao menos 7 caracteres.'],
  ])('says at the field what is wrong: %s “%s”', async (field, value, message) => {
    const body = form({ [field]: value })
    const reply = await join(body)
    expect([reply.status, reply.body]).toMatchObject([400, { details: { [field]: message } }])
    expect(await tenantOf(body.email)).toEqual([])
  })

  it('takes limits, price and role from nobody', async () => {
    for (const extra of [
      { maxUsers: 999 },
      { value: '0' },
      { trial: true },
      { profile: 'superadmin' },
      { tenantId: 1 },
    ]) {
      const reply = await join(extra)
      expect([reply.status, reply.body]).toMatchObject([
        400,
        { details: { [Object.keys(extra)[0]!]: 'Campo desconhecido.' } },
      ])
    }
  })

  it('happens once for an e-mail, however often it is sent at once; nothing of the others stays', async () => {
    const email = 'uma@pao.test'
    const replies = await Promise.all([1, 2, 3, 4].map(() => join({ email })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({
      error: 'ERR_DUPLICATED',
      details: { email: 'Já existe um usuário com este e-mail.' },
    })
    expect(await tenantOf(email)).toHaveLength(1)
  })

  it('is for plans that are offered', async () => {
    for (const planId of [999_999, (await save({ name: 'Fechado', isActive: false })).body.id])
      expect((await join({ planId })).body).toMatchObject({ error: 'ERR_NO_PLAN_FOUND' })
  })

  it('is possible five times an hour from one address', async () => {
    const limited = await startProduct({ env: { RATE_LIMITS: true } }, product().ownerUrl)
    try {
      const statuses = []
      for (let n = 0; n < 6; n++) statuses.push((await call(limited, signup.create, null, { body: form() })).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('what a plan permits', () => {
  it('ends with its trial: at the login by the clock, for open screens by the daily round', async () => {
    const body = form()
    await join(body)
    const entered = (await login(body.email)).body as { token: string; userId: number }
    const read = () => call(product(), users.get, entered.token, { params: { id: entered.userId } })
    try {
      ahead = 7 * 86_400_000 - 60_000
      expect((await login(body.email)).status).toBe(200)
      await closeTrials(product().platform)
      expect((await tenantOf(body.email))[0]).toMatchObject({ status: 'active' })
      ahead += 120_000
      const late = await login(body.email)
      expect([late.status, late.body]).toMatchObject([403, { error: 'ERR_TENANT_INACTIVE' }])
      await closeTrials(product().platform)
      expect((await tenantOf(body.email))[0]).toMatchObject({ status: 'inactive' })
    } finally {
      ahead = 0
    }
    expect((await read()).body).toMatchObject({ error: 'ERR_TENANT_INACTIVE' })
  })

  it('is a number of users: who comes after it stays outside, the owner never', async () => {
    const body = form()
    await join(body)
    const [tenant] = await tenantOf(body.email)
    const second = await made().user(tenant!.id)
    const third = await made().user(tenant!.id, { profile: 'admin' })
    expect((await login(second.email)).status).toBe(200)
    const reply = await login(third.email)
    expect([reply.status, reply.body]).toMatchObject([403, { error: 'INVALID_LICENSE' }])
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ owner_id: third.id }).where('id', '=', tenant!.id).execute(),
    )
    expect((await login(third.email)).status).toBe(200)
    expect((await login(second.email)).body).toMatchObject({ error: 'INVALID_LICENSE' })
  })

  it('that cannot be read lets nobody in, and says so', async () => {
    const body = form()
    await join(body)
    const client = new pg.Client({ connectionString: product().ownerUrl })
    await client.connect()
    try {
      await client.query('revoke select on plans from guiche_platform')
      const reply = await login(body.email)
      expect([reply.status, reply.body]).toMatchObject([403, { error: 'LICENSE_ERROR' }])
    } finally {
      await client.query('grant select on plans to guiche_platform')
      await client.end()
    }
    expect((await login(body.email)).status).toBe(200)
  })

  it('does not open another company’s address', async () => {
    const body = form()
    await join(body)
    const [tenant] = await tenantOf(body.email)
    const stranger = await made().user(await made().tenant())
    await product().platform.db.asPlatform((db) =>
      addToDirectory(db, { kind: 'domain', key: '127.0.0.1', tenantId: tenant!.id, subjectId: 'domain' }),
    )
    expect((await login(body.email)).status).toBe(200)
    expect((await login(stranger.email)).body).toMatchObject({ error: 'INVALID_DOMAIN' })
  })
})
