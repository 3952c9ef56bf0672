import CryptoJS from 'crypto-js'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secondFactor } from '#features/second-factor/contract.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { createRateLimits, limitRules } from '#server/http/rate-limits.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, ownProduct, type Product, startProduct, testSecrets } from '#test/server.ts'
import { auth } from './contract.ts'
import { entry } from './entry.ts'
import { recovery } from './recovery.ts'

const env = { RATE_LIMITS: true, TRUST_PROXY: true }
const product = ownProduct('counts attempts', { env })
let other: Product
let tenantId: number
const made = () => make(product().platform)
const NEW = 'Nova!senha7'

let counter = 0
/** Returns an IP address not used before. */
const somewhere = () => `198.51.${(counter >> 8) + 1}.${counter++ & 255}`
type From = { ip?: string; cookie?: string; of?: Product }
const headersOf = ({ ip = somewhere(), cookie }: From) => ({
  'x-forwarded-for': ip,
  ...(cookie ? { cookie } : {}),
})
const login = (email: string, password: string, from: From = {}) =>
  call(from.of ?? product(), auth.login, null, {
    body: { email, password: sealed(password) },
    headers: headersOf(from),
  })
const sealed = (password: string) => CryptoJS.AES.encrypt(password, testSecrets.publicPassphrase).toString()
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error
const deviceOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith('guiche_device='))!
    .split(';')[0]!

beforeAll(async () => {
  other = await startProduct({ env }, product().ownerUrl)
  tenantId = await made().tenant()
})
afterAll(() => other.close())

/** Records failed logins of a day without password checks. */
async function fail(account: string, times: number) {
  for (let n = 0; n < times; n++) await (n % 2 ? product() : other).platform.limits.isWithin('loginDay', account)
}

describe('after 200 failures of a day on one account', () => {
  it('the password is enough only where somebody has been in it; everywhere, and told alike', async () => {
    const user = await made().user(tenantId)
    const device = deviceOf(await login(user.email, PASSWORD))
    await fail(`${tenantId}:${user.id}`, 199)
    expect(errorOf(await login(user.email, 'errada'))).toBe('ERR_INVALID_CREDENTIALS')
    for (const of of [product(), other])
      for (const password of [PASSWORD, 'errada']) {
        const reply = await login(user.email, password, { of })
        expect([reply.status, reply.body]).toMatchObject([
          429,
          { error: 'ERR_LOGIN_LOCKED', message: expect.stringContaining('dispositivo que você já usou') },
        ])
      }
    expect((await login(user.email, PASSWORD, { cookie: device, of: other })).status).toBe(200)
    // A known device has a separate limit of 200.
    expect(errorOf(await login(user.email, 'errada', { cookie: device }))).toBe('ERR_INVALID_CREDENTIALS')
    const stranger = await made().user(tenantId)
    const theirs = deviceOf(await login(stranger.email, PASSWORD))
    for (const cookie of [theirs, 'guiche_device=inventado', `${device.slice(0, -3)}AAA`])
      expect(errorOf(await login(user.email, PASSWORD, { cookie }))).toBe('ERR_LOGIN_LOCKED')
  })

  it('a name that nobody has is refused the same way', async () => {
    await fail('name ninguem@loja.test', 200)
    expect(errorOf(await login('ninguem@loja.test', 'errada'))).toBe('ERR_LOGIN_LOCKED')
  })

  it('a right password costs nothing', async () => {
    const user = await made().user(tenantId)
    await fail(`${tenantId}:${user.id}`, 199)
    for (let n = 0; n < 3; n++) expect((await login(user.email, PASSWORD)).status).toBe(200)
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => login(user.email, 'errada', { of: n % 2 ? other : product() })),
    )
    expect(replies.map(errorOf).sort()).toEqual(['ERR_INVALID_CREDENTIALS', ...Array(5).fill('ERR_LOGIN_LOCKED')])
  })

  it('a second factor still lets in, and a mailed link does, on its own device', async () => {
    const user = await made().user(tenantId)
    const { codes, secret } = await withSecondFactor(user)
    await fail(`${tenantId}:${user.id}`, 200)
    expect(errorOf(await login(user.email, 'errada'))).toBe('ERR_LOGIN_LOCKED')
    const step = (await login(user.email, PASSWORD)).body as { pendingSessionId: string }
    const body = { pendingSessionId: step.pendingSessionId, a2fCode: codes[0]! }
    expect((await call(product(), entry.validateA2f, null, { body, headers: headersOf({}) })).status).toBe(200)
    expect(secret).toBeTruthy()

    const plain = await made().user(tenantId)
    const old = deviceOf(await login(plain.email, PASSWORD))
    await fail(`${tenantId}:${plain.id}`, 200)
    const key = `link-${plain.id}`
    const link = { kind: 'reset', key, tenantId, subjectId: String(plain.id), expiresAt: new Date(Date.now() + 60_000) }
    await product().platform.db.asPlatform((db) => addToDirectory(db, link))
    const reset = await call(product(), recovery.reset, null, {
      body: { token: key, password: sealed(NEW) },
      headers: headersOf({}),
    })
    expect(reset.status).toBe(200)
    expect(errorOf(await login(plain.email, NEW))).toBe('ERR_LOGIN_LOCKED')
    expect(errorOf(await login(plain.email, NEW, { cookie: old }))).toBe('ERR_LOGIN_LOCKED')
    expect((await login(plain.email, NEW, { cookie: deviceOf(reset) })).status).toBe(200)
  })
})

async function withSecondFactor(user: { id: number; tenantId: number }) {
  const token = await made().token(user)
  const started = await call(product(), secondFactor.start, token, { body: { password: PASSWORD } })
  const { secret } = started.body
  const code = generateSync({ secret })
  const confirmed = await call(product(), secondFactor.confirm, token, { body: { code } })
  const { recoveryCodes } = confirmed.body
  return { secret, codes: recoveryCodes }
}

describe('a second step', () => {
  const begin = async (email: string, from: From = {}) =>
    ((await login(email, PASSWORD, from)).body as { pendingSessionId: string }).pendingSessionId
  const send = (pendingSessionId: string, a2fCode: string, from: From = {}) =>
    call(from.of ?? product(), entry.validateA2f, null, {
      body: { pendingSessionId, a2fCode },
      headers: headersOf(from),
    })

  it('is limited by where the codes come from: nobody keeps another out, and a recovery code always works', async () => {
    const user = await made().user(tenantId)
    const { codes } = await withSecondFactor(user)
    const ip = somewhere()
    const seen = []
    for (let n = 0; n < 3; n++) {
      const step = await begin(user.email)
      for (let m = 0; m < 4; m++) seen.push(errorOf(await send(step, '000000', { ip, of: m % 2 ? other : product() })))
    }
    expect(seen).toEqual([...Array(10).fill('ERR_A2F_INVALID'), 'ERR_LIMIT_MAX', 'ERR_LIMIT_MAX'])
    expect(errorOf(await send(await begin(user.email), '000000'))).toBe('ERR_A2F_INVALID')
    // Even from the address whose tries are used up.
    expect((await send(await begin(user.email), codes[0]!, { ip })).status).toBe(200)
  })

  it('takes no more codes from strangers after 200 wrong ones of a day, but from devices it knows and for recovery', async () => {
    const user = await made().user(tenantId)
    const { codes } = await withSecondFactor(user)
    const entered = await send(await begin(user.email), codes[0]!)
    const cookie = deviceOf(entered)
    for (let n = 0; n < 200; n++) await other.platform.limits.isWithin('secondFactorDay', `${tenantId}:${user.id}`)
    const refused = await send(await begin(user.email), '000000')
    expect([refused.status, errorOf(refused)]).toEqual([429, 'ERR_A2F_LOCKED'])
    expect(errorOf(await send(await begin(user.email), '000000', { cookie }))).toBe('ERR_A2F_INVALID')
    expect((await send(await begin(user.email), codes[1]!)).status).toBe(200)
  })
})

describe('limits of two processes', () => {
  it('are one, exactly, for what guesses could open', async () => {
    const ip = somewhere()
    const { points } = limitRules.loginAddress
    const replies = await Promise.all(
      Array.from({ length: points + 6 }, (_, n) =>
        login(`n${n}@loja.test`, 'errada', { ip, of: n % 2 ? other : product() }),
      ),
    )
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  it('are one, a second later, for what is asked all the time', async () => {
    const [one, two] = [product().platform.limits, other.platform.limits]
    const key = `api ${somewhere()}`
    const spend = async (limits: typeof one, times: number) => {
      let within = 0
      for (let n = 0; n < times; n++) if (await limits.isWithin('api', key)) within++
      return within
    }
    expect([await spend(one, 400), await spend(two, 150)]).toEqual([400, 150])
    for (const limits of [one, two, one]) await limits.share()
    expect(await spend(one, 100)).toBe(50)
    for (const limits of [one, two]) await limits.share()
    expect(await spend(two, 100)).toBe(0)
    const names = await product().platform.db.asPlatform((db) => db.selectFrom('rate_limits').select('key').execute())
    expect(names.filter((row) => row.key.includes('198.51'))).toEqual([])
  })

  it('of hot rules ask the database nothing while they are used; who uses little is told to nobody', async () => {
    let asked = 0
    const limits = createRateLimits(true, {
      askAsPlatform: async () => {
        asked++
        throw new Error('no database')
      },
    })
    for (let n = 0; n < 59; n++) await limits.use('api', 'pouco')
    await limits.share()
    expect(asked).toBe(0)
    for (let n = 0; n < 60; n++) await limits.use('api', 'muito')
    expect(asked).toBe(0)
    await expect(limits.share()).rejects.toThrow('no database')
    expect(asked).toBe(1)
  })

  it('let nobody pass while the database is down', async () => {
    const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const limits = createRateLimits(true, { askAsPlatform: () => Promise.reject(down) })
    const refusal = await limits.use('login', 'ana').catch((error: unknown) => error)
    expect(isInfrastructure(refusal)).toBe(true)
  })
})
