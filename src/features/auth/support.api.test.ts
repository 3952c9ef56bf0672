import { beforeAll, describe, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { settings } from '#features/settings/contract.ts'
import { users } from '#features/users/contract.ts'
import { userTenants } from '#features/users/user-tenants.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { auth } from './contract.ts'
import { support } from './support.ts'

let ahead = 0
const product = withProduct({ now: () => new Date(Date.now() + ahead) })
let tenantId: number
let owner: { id: number; tenantId: number; email: string }
let ownerToken: string
let person: { id: number; tenantId: number; email: string }

const made = () => make(product().platform)
const makeKey = async (): Promise<string> => (await call(product(), support.makeKey, ownerToken, {})).body.key
const enter = (email: string, password: string, of = product(), headers = {}) =>
  call(of, support.enter, null, { body: { email, password }, headers })
const tokenOf = (reply: { body: unknown }) => (reply.body as { token: string }).token
const accessOf = async (token: string) => (await call(product(), support.access, token, {})).body

beforeAll(async () => {
  tenantId = await made().tenant()
  owner = await made().user(tenantId, { profile: 'superadmin' })
  ownerToken = await made().token(owner)
  const other = await made().tenant()
  person = await made().user(other, { profile: 'user', name: 'Bia Ramos' })
})

describe('the master key', () => {
  it('does not exist until somebody makes it, and opens nothing before', async () => {
    expect((await call(product(), support.keyState, ownerToken, {})).body).toEqual({
      enabled: false,
      createdAt: null,
      createdBy: '',
    })
    for (const key of ['', 'qualquer', 'null', 'undefined'])
      expect([400, 401]).toContain((await enter(person.email, key)).status)
  })

  it('is shown once, kept as a hash, and replaced by the next', async () => {
    const key = await makeKey()
    expect(key).toMatch(/^[\w-]{43}$/)
    const state = await call(product(), support.keyState, ownerToken, {})
    expect(state.body).toMatchObject({ enabled: true })
    const { data } = await product().platform.db.asPlatform((db) =>
      db.selectFrom('installation').select('data').executeTakeFirstOrThrow(),
    )
    for (const text of [JSON.stringify(state.body), JSON.stringify(data)]) expect(text).not.toContain(key)
    expect(JSON.stringify(data)).toContain('$argon2id$')
    const next = await makeKey()
    expect((await enter(person.email, key)).status).toBe(401)
    expect((await enter(person.email, next)).status).toBe(200)
    await call(product(), support.dropKey, ownerToken, {})
    expect((await enter(person.email, next)).status).toBe(401)
  })

  it('opens one named account for an hour, and nobody’s who runs the installation', async () => {
    const key = await makeKey()
    const opened = await enter(person.email, key)
    expect(opened.body).toMatchObject({ userId: person.id, username: 'Bia Ramos' })
    const token = tokenOf(opened)
    expect((await call(product(), users.get, token, { params: { id: person.id } })).status).toBe(200)
    expect((await enter(owner.email, key)).body).toMatchObject({ error: 'ERR_INVALID_CREDENTIALS' })
    expect((await enter('ninguem@loja.test', key)).body).toMatchObject({ error: 'ERR_INVALID_CREDENTIALS' })
    expect((await enter(person.email, PASSWORD)).body).toMatchObject({ error: 'ERR_INVALID_CREDENTIALS' })
    // The key is no password: the ordinary way in does not know it.
    const wrongDoor = await call(product(), auth.login, null, { body: { email: person.email, password: key } })
    expect(wrongDoor.status).toBe(401)
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    ahead = 50 * 60_000
    const renewed = await call(product(), auth.refresh, null, { headers: { cookie } })
    expect(renewed.status).toBe(200)
    ahead = 61 * 60_000
    const later = renewed.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await call(product(), auth.refresh, null, { headers: { cookie: later } })).status).toBe(401)
    const over = await call(product(), users.get, tokenOf(renewed), { params: { id: person.id } })
    expect(over.status).toBe(401)
    ahead = 0
  })

  it('is seen by the company’s administrators, who can send it away, and stands in both logs', async () => {
    const guest = await made().user(await made().tenant(), { name: 'Caio Lins' })
    const admin = await made().token(await made().user(guest.tenantId, { profile: 'admin' }))
    const colleague = await made().token(await made().user(guest.tenantId))
    const stranger = await made().token(await made().user(tenantId, { profile: 'admin' }))
    const token = tokenOf(await enter(guest.email, await makeKey()))
    expect(await accessOf(token)).toMatchObject({ isOwn: true, sessions: [{ userName: 'Caio Lins' }] })
    expect(await accessOf(admin)).toMatchObject({ isOwn: false, sessions: [{ userName: 'Caio Lins' }] })
    for (const other of [colleague, stranger]) expect(await accessOf(other)).toEqual({ isOwn: false, sessions: [] })
    expect((await call(product(), support.end, colleague, {})).status).toBe(403)
    const still = () => call(product(), users.get, token, { params: { id: guest.id } })
    expect((await call(product(), support.end, stranger, {})).status).toBe(200)
    expect((await still()).status).toBe(200)
    expect((await call(product(), support.end, admin, {})).status).toBe(200)
    expect((await still()).status).toBe(401)
    expect(await accessOf(admin)).toEqual({ isOwn: false, sessions: [] })
    const logs = await product().platform.db.asPlatform(async (db) => ({
      tenant: await db
        .selectFrom('audit_log')
        .select(['user_name', 'method', 'is_support'])
        .where('tenant_id', '=', guest.tenantId)
        .where('action', '=', 'masterkey.used')
        .orderBy('seq')
        .execute(),
      platform: await db
        .selectFrom('platform_audit_log')
        .select(['user_name', 'target'])
        .where('action', '=', 'masterkey.used')
        .orderBy('seq')
        .execute(),
    }))
    expect(logs.tenant.at(-1)).toEqual({ user_name: 'Caio Lins', method: 'masterkey', is_support: true })
    expect(logs.platform.at(-1)).toMatchObject({ target: { tenantId: guest.tenantId, userId: guest.id } })
  })

  it('makes nobody seem to be there, and keeps nobody there who leaves', async () => {
    const guest = await made().user(await made().tenant(), { name: 'Davi Lins' })
    const presence = () =>
      product().platform.db.read(guest.tenantId, (db) =>
        db.selectFrom('users').select(['is_online', 'last_login']).where('id', '=', guest.id).executeTakeFirst(),
      )
    await enter(guest.email, await makeKey())
    expect(await presence()).toEqual({ is_online: false, last_login: null })
    const own = await call(product(), auth.login, null, { body: { email: guest.email, password: PASSWORD } })
    expect(await presence()).toMatchObject({ is_online: true })
    const cookie = own.headers.getSetCookie()[0]!.split(';')[0]!
    await call(product(), auth.logout, null, { headers: { cookie } })
    expect(await presence()).toMatchObject({ is_online: false })
  })

  it('is not bound to the hours of the person, who may have locked themselves out', async () => {
    const guest = await made().user(await made().tenant())
    await product().platform.db.write(guest.tenantId, async (db) => {
      const closed = JSON.stringify(USUAL_WEEK.map((day) => ({ ...day, type: 'C' })))
      await db.updateTable('users').set({ business_hours: closed }).where('id', '=', guest.id).execute()
    })
    const admin = await made().token(await made().user(guest.tenantId, { profile: 'admin' }))
    const flag = { params: { key: 'useUserBusinessHours' }, body: { value: 'enabled' } }
    expect((await call(product(), settings.set, admin, flag)).status).toBe(200)
    const own = await call(product(), auth.login, null, { body: { email: guest.email, password: PASSWORD } })
    expect(own.body).toMatchObject({ error: 'OUT_RANGE' })
    const opened = await enter(guest.email, await makeKey())
    expect(opened.status).toBe(200)
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await call(product(), auth.refresh, null, { headers: { cookie } })).status).toBe(200)
  })

  it('may be tried five times in a quarter of an hour', async () => {
    const key = await makeKey()
    const limited = await startProduct({ env: { RATE_LIMITS: true } }, product().ownerUrl)
    try {
      const tried = []
      for (let n = 0; n < 5; n++) tried.push((await enter(person.email, `palpite${n}`, limited)).status)
      const last = await enter(person.email, key, limited)
      expect([...tried, last.status]).toEqual([401, 401, 401, 401, 401, 429])
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(600)
    } finally {
      await limited.close()
    }
  })
})

describe('who is support', () => {
  it('works for eight hours at a time, seen by the administrators, who can end it', async () => {
    const helper = await made().user(await made().tenant(), { name: 'Eva Lins' })
    const admin = await made().token(await made().user(helper.tenantId, { profile: 'admin' }))
    const logIn = () => call(product(), auth.login, null, { body: { email: helper.email, password: PASSWORD } })
    const before = await logIn()
    const params = { id: helper.id }
    const body = { tenantId: helper.tenantId, isSupport: true }
    expect((await call(product(), userTenants.update, ownerToken, { params, body })).status).toBe(200)
    const me = (token: string) => call(product(), users.get, token, { params })
    expect(await accessOf(tokenOf(before))).toMatchObject({ isOwn: true, sessions: [{ userName: 'Eva Lins' }] })
    const old = before.headers.getSetCookie()[0]!.split(';')[0]!
    const opened = await logIn()
    const token = tokenOf(opened)
    expect(await accessOf(token)).toMatchObject({ isOwn: true, sessions: [{}, {}] })
    expect(await accessOf(admin)).toMatchObject({ isOwn: false, sessions: [{ userName: 'Eva Lins' }, {}] })
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    const renew = (of: string) => call(product(), auth.refresh, null, { headers: { cookie: of } })
    ahead = 8 * 3600_000 + 1000
    expect([(await renew(old)).status, (await renew(cookie)).status]).toEqual([401, 401])
    ahead = 0
    const again = tokenOf(await logIn())
    expect((await call(product(), support.end, admin, {})).status).toBe(200)
    expect((await me(again)).status).toBe(401)
  })
})
