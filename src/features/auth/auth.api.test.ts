import CryptoJS from 'crypto-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { users } from '#features/users/contract.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, ownProduct, testSecrets } from '#test/server.ts'
import { auth } from './contract.ts'
import { ownerSetupLink } from './server/index.ts'

let clock = Date.parse('2026-11-20T12:00:00Z')
const product = ownProduct('counts attempts', { now: () => new Date(clock), env: { RATE_LIMITS: true } })

const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]?.split(';')[0] ?? ''
const encrypted = CryptoJS.AES.encrypt(PASSWORD, testSecrets.publicPassphrase).toString()

describe('owner set-up', () => {
  it('refuses every login before there is an owner, and creates the owner once', async () => {
    const early = await call(product(), auth.login, null, { body: { email: 'a@b.co', password: 'x' } })
    expect(early.body).toMatchObject({ error: 'ERROR_NO_PERMISSION_API_ADMIN' })
    const link = new URL((await ownerSetupLink(product().platform, product().address))!)
    const code = link.searchParams.get('tokenSetup')!
    const check = await call(product(), auth.checkSetup, null, { body: { code } })
    expect(check.body).toMatchObject({ kind: 'owner' })
    const body = { code, name: 'Dona Marta', email: 'Marta@Dona.dev', companyName: 'Padaria', password: 'Pão!quente1' }
    const made = await call(product(), auth.setup, null, { body })
    expect(made.body).toMatchObject({ profile: 'superadmin', username: 'Dona Marta', email: 'marta@dona.dev' })
    const again = await call(product(), auth.setup, null, { body: { ...body, email: 'outra@dona.dev' } })
    expect(again.status).toBe(400)
    expect(await ownerSetupLink(product().platform, product().address)).toBeNull()
  })
})

describe('login', () => {
  let tenantId: number
  beforeAll(async () => {
    const m = make(product().platform)
    tenantId = await m.tenant()
    await m.user(tenantId, { email: 'ana@loja.dev', username: 'ana.lima', name: 'Ana Lima' })
    await m.user(tenantId, { email: 'bia@loja.dev' })
  })

  it.each([
    ['e-mail, encrypted password', { email: 'ana@loja.dev', password: encrypted }],
    ['e-mail with spaces and capitals', { email: '  ANA@Loja.dev ', password: encrypted }],
    ['username, plain password over loopback', { username: 'Ana.Lima', password: PASSWORD }],
  ])('enters with %s', async (_, body) => {
    const reply = await call(product(), auth.login, null, { body })
    expect(reply.body).toMatchObject({
      username: 'Ana Lima',
      profile: 'user',
      tenantId,
      queues: [],
      blockWavoip: false,
    })
    expect(reply.headers.getSetCookie()[0]).toMatch(/guiche_refresh=.*HttpOnly.*SameSite=Lax/)
    expect(reply.headers.getSetCookie()[0]).toContain('Path=/api/auth')
  })

  it('answers alike for a wrong password and an unknown account, and throttles the sixth try in a minute', async () => {
    for (let n = 0; n < 5; n++) {
      const wrong = await call(product(), auth.login, null, { body: { email: 'bia@loja.dev', password: 'errada' } })
      const unknown = await call(product(), auth.login, null, {
        body: { email: 'ninguem@loja.dev', password: 'errada' },
      })
      expect([wrong.status, (wrong.body as { error: string }).error]).toEqual([401, 'ERR_INVALID_CREDENTIALS'])
      expect(unknown.body).toMatchObject({ error: 'ERR_INVALID_CREDENTIALS' })
    }
    const sixth = await call(product(), auth.login, null, { body: { email: 'bia@loja.dev', password: PASSWORD } })
    expect(sixth.body).toMatchObject({ error: 'ERR_LIMIT_MAX' })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('session', () => {
  async function enter() {
    const m = make(product().platform)
    const user = await m.user(await m.tenant())
    await product().platform.limits.forget('loginAddress', '127.0.0.1')
    const reply = await call(product(), auth.login, null, { body: { email: user.email, password: PASSWORD } })
    return { user, token: (reply.body as { token: string }).token, cookie: cookieOf(reply.headers) }
  }
  const refresh = (cookie: string) => call(product(), auth.refresh, null, { headers: { cookie } })

  it('expires after 15 minutes and is renewed by the cookie, which rotates', async () => {
    const { user, token, cookie } = await enter()
    expect((await call(product(), users.get, token, { params: { id: user.id } })).status).toBe(200)
    clock += 15 * 60_000 + 1000
    expect((await call(product(), users.get, token, { params: { id: user.id } })).body).toMatchObject({
      error: 'ERR_SESSION_EXPIRED',
    })
    const renewed = await refresh(cookie)
    expect(cookieOf(renewed.headers)).not.toBe(cookie)
    expect((await call(product(), users.get, renewed.body.token, { params: { id: user.id } })).status).toBe(200)
  })

  it('gives the predecessor the same successor for 30 s, then ends the whole session', async () => {
    const { user, cookie } = await enter()
    const [one, two] = await Promise.all([refresh(cookie), refresh(cookie)])
    expect(cookieOf(one.headers)).toBe(cookieOf(two.headers))
    clock += 31_000
    expect((await refresh(cookie)).status).toBe(401)
    const stolen = await refresh(cookieOf(one.headers))
    expect(stolen.status).toBe(401)
    const token = one.body.token
    expect((await call(product(), users.get, token, { params: { id: user.id } })).status).toBe(401)
  })

  it('ends at logout: neither token nor cookie works afterwards', async () => {
    const { user, token, cookie } = await enter()
    const out = await call(product(), auth.logout, null, { body: { userId: user.id }, headers: { cookie } })
    expect(out.body).toEqual({ message: 'USER_LOGOUT' })
    expect((await call(product(), users.get, token, { params: { id: user.id } })).status).toBe(401)
    expect((await refresh(cookie)).status).toBe(401)
  })
})
