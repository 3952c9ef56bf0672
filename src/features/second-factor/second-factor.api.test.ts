import { generateSync } from 'otplib'
import { beforeEach, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { entry } from '#features/auth/entry.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, startProduct, withProduct } from '#test/server.ts'
import { secondFactor } from './contract.ts'

let clock = Date.parse('2026-11-20T12:00:00Z')
const product = withProduct({ now: () => new Date(clock) })
const m = () => make(product().platform)

type Person = { id: number; tenantId: number; email: string }
type Step = { requiresA2F: true; pendingSessionId: string; methods: string[] }
let ana: Person
let token: string

const codeAt = (secret: string, time = clock) => generateSync({ secret, epoch: Math.floor(time / 1000) })
const wrong = (secret: string) => String((Number(codeAt(secret)) + 1) % 1_000_000).padStart(6, '0')
const login = ({ email }: Person, password = PASSWORD) =>
  call(product(), auth.login, null, { body: { email, password } })
const second = (pendingSessionId: string, a2fCode: string) =>
  call(product(), entry.validateA2f, null, { body: { pendingSessionId, a2fCode } })
const pending = async (person: Person): Promise<string> => ((await login(person)).body as Step).pendingSessionId
const again = { body: { password: PASSWORD } }

/** Enables a person's second factor, as the profile does. */
async function enrolled(as = token): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await call(product(), secondFactor.start, as, again)).body
  const done = await call(product(), secondFactor.confirm, as, { body: { code: codeAt(secret) } })
  expect(done.status).toBe(200)
  clock += 30_000
  return { secret, codes: done.body.recoveryCodes }
}

async function require(tenantId: number): Promise<void> {
  await make(product().platform).setting(tenantId, 'requireSecondFactor')
}

beforeEach(async () => {
  clock += 3_600_000
  ana = await m().user(await m().tenant())
  token = await m().token(ana)
})

describe('a login with a second factor', () => {
  it('gives neither token nor cookie before the code, and a session after it', async () => {
    const { secret } = await enrolled()
    const first = await login(ana)
    expect(first.body).toEqual({
      requiresA2F: true,
      pendingSessionId: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery'],
    })
    expect(first.headers.getSetCookie()).toEqual([])
    const done = await second((first.body as Step).pendingSessionId, codeAt(secret).replace(/^.../, '$& '))
    expect(done.body).toMatchObject({ userId: ana.id, tenantId: ana.tenantId, recoveryCodes: null })
    expect(done.headers.getSetCookie()[0]).toMatch(/^guiche_refresh=/)
  })

  it('takes each code once, and each step once', async () => {
    const { secret } = await enrolled()
    const [one, two] = [await pending(ana), await pending(ana)]
    const code = codeAt(secret)
    const both = await Promise.all([second(one, code), second(two, code)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    // A completed login ends the other pending ones.
    expect((await second(two, codeAt(secret, clock + 30_000))).body).toMatchObject({ error: 'ERR_A2F_OVER' })
    clock += 30_000
    const three = await pending(ana)
    expect((await second(three, code)).body).toMatchObject({ error: 'ERR_A2F_INVALID' })
    expect((await second(three, codeAt(secret))).status).toBe(200)
    expect((await second(three, codeAt(secret))).body).toMatchObject({ error: 'ERR_A2F_OVER' })
  })

  it('is over after five wrong codes, also when they come at once, and after five minutes', async () => {
    const { secret } = await enrolled()
    const guessed = await pending(ana)
    const guesses = await Promise.all(Array.from({ length: 8 }, () => second(guessed, wrong(secret))))
    const errors = guesses.map(({ body }) => (body as { error: string }).error)
    expect(errors.filter((error) => error === 'ERR_A2F_INVALID')).toHaveLength(4)
    expect((await second(guessed, codeAt(secret))).body).toMatchObject({ error: 'ERR_A2F_OVER' })
    const late = await pending(ana)
    clock += 5 * 60_000 + 1
    expect((await second(late, codeAt(secret))).body).toMatchObject({ error: 'ERR_A2F_OVER' })
    expect((await second('inventado', codeAt(secret))).body).toMatchObject({ error: 'ERR_A2F_OVER' })
  })

  it('limits the codes of an account beyond the single login, and forgets nothing for the password alone', async () => {
    const limited = await startProduct({ env: { RATE_LIMITS: true }, now: () => new Date(clock) }, product().ownerUrl)
    try {
      const { secret } = await enrolled()
      const seen: string[] = []
      for (let round = 0; round < 3; round++) {
        const body = { email: ana.email, password: PASSWORD }
        const step = (await call(limited, auth.login, null, { body })).body as Step
        for (let n = 0; n < 4; n++) {
          const guess = { pendingSessionId: step.pendingSessionId, a2fCode: wrong(secret) }
          seen.push(((await call(limited, entry.validateA2f, null, { body: guess })).body as { error: string }).error)
        }
      }
      expect(seen.slice(0, 10)).toEqual(Array(10).fill('ERR_A2F_INVALID'))
      expect(seen.slice(10)).toEqual(['ERR_LIMIT_MAX', 'ERR_LIMIT_MAX'])
      const body = { email: ana.email, password: PASSWORD }
      for (let n = 0; n < 2; n++) expect((await call(limited, auth.login, null, { body })).status).toBe(200)
      expect((await call(limited, auth.login, null, { body })).body).toMatchObject({ error: 'ERR_LIMIT_MAX' })
    } finally {
      await limited.close()
    }
  })

  it('takes a recovery code once, however it is written, and renewed codes make the old ones void', async () => {
    const { codes } = await enrolled()
    const written = codes[0]!.toUpperCase().replaceAll('-', ' ')
    expect((await second(await pending(ana), written)).status).toBe(200)
    expect((await second(await pending(ana), codes[0]!)).body).toMatchObject({ error: 'ERR_A2F_INVALID' })
    expect((await call(product(), secondFactor.get, token)).body).toMatchObject({ isOn: true, recoveryLeft: 9 })
    const renewed = await call(product(), secondFactor.renewCodes, token, again)
    const fresh = renewed.body.recoveryCodes
    expect((await second(await pending(ana), codes[1]!)).status).toBe(400)
    expect((await second(await pending(ana), fresh[0]!)).status).toBe(200)
  })

  it('is required by the company: who has none sets it up before the first session', async () => {
    await require(ana.tenantId)
    const first = await login(ana)
    expect(first.body).toMatchObject({ requiresA2F: true, methods: ['enrol'] })
    const { pendingSessionId } = first.body as Step
    expect((await second(pendingSessionId, '000000')).status).toBe(400)
    const body = { pendingSessionId }
    const { secret, uri } = (await call(product(), entry.enrol, null, { body })).body
    expect(uri).toContain(encodeURIComponent(ana.email))
    const done = await second(pendingSessionId, codeAt(secret))
    expect((done.body as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10)
    expect(done.body.token).toBeTruthy()
    expect((await login(ana)).body).toMatchObject({ methods: ['totp', 'recovery'] })
    const off = await call(product(), secondFactor.disable, token, again)
    expect(off.body).toMatchObject({ error: 'ERR_A2F_REQUIRED' })
  })

  it('lets nobody with the password alone replace a factor that is there', async () => {
    await require(ana.tenantId)
    const early = await pending(ana)
    const { secret } = await enrolled()
    const theirs = (await call(product(), entry.enrol, null, { body: { pendingSessionId: early } })).body
    expect((await second(early, codeAt(theirs.secret))).status).toBe(400)
    const body = { pendingSessionId: await pending(ana) }
    expect((await call(product(), entry.enrol, null, { body })).body).toMatchObject({ error: 'ERR_A2F_OVER' })
    expect((await second(body.pendingSessionId, codeAt(secret))).status).toBe(200)
  })
})

describe('one’s own second factor', () => {
  it('is changed with the password only, and is off with it', async () => {
    for (const op of [secondFactor.start, secondFactor.renewCodes, secondFactor.disable]) {
      const refused = await call(product(), op, token, { body: { password: 'errada' } })
      expect([refused.status, refused.body]).toMatchObject([400, { details: { password: 'A senha não confere.' } }])
    }
    expect((await call(product(), secondFactor.renewCodes, token, again)).body).toMatchObject({ error: 'ERR_A2F_OFF' })
    await enrolled()
    expect((await call(product(), secondFactor.disable, token, again)).status).toBe(200)
    expect((await login(ana)).body).toMatchObject({ userId: ana.id })
    expect((await call(product(), secondFactor.disable, token, again)).body).toMatchObject({ error: 'ERR_A2F_OFF' })
  })

  it('stays with the old app until the new one has shown its first code', async () => {
    const { secret } = await enrolled()
    const next = (await call(product(), secondFactor.start, token, again)).body
    expect((await call(product(), secondFactor.confirm, token, { body: { code: codeAt(secret) } })).status).toBe(400)
    expect((await second(await pending(ana), codeAt(secret))).status).toBe(200)
    const body = { code: codeAt(next.secret) }
    expect((await call(product(), secondFactor.confirm, token, { body })).status).toBe(200)
    clock += 30_000
    expect((await second(await pending(ana), codeAt(secret))).status).toBe(400)
    expect((await second(await pending(ana), codeAt(next.secret))).status).toBe(200)
  })

  it('is stored encrypted, bound to its person, and recovery codes as hashes', async () => {
    const { secret, codes } = await enrolled()
    const bea = await m().user(ana.tenantId)
    const row = await product().platform.db.asPlatform((db) =>
      db.selectFrom('second_factors').selectAll().where('user_id', '=', ana.id).executeTakeFirstOrThrow(),
    )
    const stored = JSON.stringify(row)
    for (const plain of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(plain)
    const place = (id: number) => `${ana.tenantId}/second_factors/${id}`
    expect(product().platform.secrets.decrypt(row.secret!, place(ana.id))).toBe(secret)
    expect(() => product().platform.secrets.decrypt(row.secret!, place(bea.id))).toThrow()
  })

  it('is taken away by an admin for whoever lost it, and not by others; never the superadmin’s', async () => {
    await enrolled()
    const admin = await m().token(await m().user(ana.tenantId, { profile: 'admin' }))
    const boss = await m().user(ana.tenantId, { profile: 'superadmin' })
    const colleague = await m().token(await m().user(ana.tenantId))
    const reset = (as: string, id: number) => call(product(), secondFactor.reset, as, { params: { id } })
    expect((await reset(colleague, ana.id)).status).toBe(403)
    expect((await reset(admin, boss.id)).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await reset(admin, ana.id)).status).toBe(200)
    expect((await login(ana)).body).toMatchObject({ userId: ana.id })
    const peer = await m().token(await m().user(ana.tenantId, { profile: 'superadmin' }))
    expect((await reset(peer, boss.id)).status).toBe(200)
  })

  it('is not taken away by oneself past the password', async () => {
    const admin = await m().user(ana.tenantId, { profile: 'admin' })
    const token = await m().token(admin)
    expect((await call(product(), secondFactor.reset, token, { params: { id: admin.id } })).body).toMatchObject({
      error: 'ERR_OWN_ACCESS',
    })
  })
})
