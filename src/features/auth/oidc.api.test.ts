import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identityProvider } from '#features/identity-provider/contract.ts'
import { identityProviderFeature } from '#features/identity-provider/server/index.ts'
import { secondFactor } from '#features/second-factor/contract.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { createLog } from '#server/log.ts'
import { make } from '#test/make.ts'
import { type Account, CLIENT, type Lie, startOidc } from '#test/peers/oidc.ts'
import { call, ownProduct, startProduct } from '#test/server.ts'
import { entry } from './entry.ts'

let ahead = 0
const product = ownProduct('may call other hosts of this machine', {
  env: { OUTBOUND_ALLOW: ['127.0.0.0/8'] },
  now: () => new Date(Date.now() + ahead),
})
const m = () => make(product().platform)

const accounts: Account[] = [
  { sub: 'g-ana', email: 'Ana@loja.test', name: 'Ana' },
  { sub: 'g-nova', email: 'nova@loja.test', name: 'Nova' },
  { sub: 'g-fora', email: 'fora@outra.test', name: 'De fora' },
  { sub: 'g-talvez', email: 'talvez@loja.test', name: 'Talvez', isVerified: false },
  { sub: 'g-herdeira', email: 'ana@loja.test', name: 'Outra Ana' },
]
const redirectUris: string[] = []
let peer: Awaited<ReturnType<typeof startOidc>>
let boss: string
let ana: { id: number; tenantId: number }

const settings = () => ({
  isOn: true,
  label: 'Entrar com a Loja',
  issuer: peer.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  domains: ['loja.test'],
})
const configure = (change: object = {}) =>
  call(product(), identityProvider.save, boss, { body: { ...settings(), ...change } })
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error

/**
 * Goes through the login as a browser up to its return from the provider; returns its cookie and the returned parameters.
 */
async function visit(sub?: string, headers: Record<string, string> = {}) {
  const started = await call(product(), entry.externalStart, null, { headers })
  expect(started.status).toBe(200)
  const [cookie] = started.headers.getSetCookie()
  const back = await peer.visit(started.body.url, sub)
  return { cookie: cookie!.split(';')[0]!, set: cookie!, back, returned: Object.fromEntries(back.searchParams) }
}
const finish = (cookie: string, body: object) =>
  call(product(), entry.externalFinish, null, { body, headers: cookie ? { cookie } : {} })
async function enter(sub?: string) {
  const { cookie, returned } = await visit(sub)
  return finish(cookie, returned)
}

beforeAll(async () => {
  redirectUris.push(`${product().address}/auth/google/callback`)
  peer = await startOidc({ redirectUris, accounts })
  const tenantId = await m().tenant()
  boss = await m().token(await m().user(tenantId, { profile: 'superadmin' }))
})
afterAll(() => peer.close())
beforeEach(async () => {
  ahead = 0
  peer.lie()
  await product().platform.db.asPlatform(async (db) => {
    await db.deleteFrom('directory').where('kind', 'in', ['oidc', 'login']).execute()
  })
  ana = await m().user(await m().tenant(), { email: 'ana@loja.test', isProven: true })
  expect((await configure()).status).toBe(200)
})

describe('a login at the provider', () => {
  it('opens a session for an existing user whose address it has verified, and knows them again by its own id', async () => {
    expect((await enter('g-ana')).body).toMatchObject({ userId: ana.id, tenantId: ana.tenantId })
    await product().platform.db.asPlatform((db) => db.deleteFrom('directory').where('kind', '=', 'login').execute())
    expect((await enter('g-ana')).body).toMatchObject({ userId: ana.id })
    const { method } = await product().platform.db.asPlatform((db) =>
      db
        .selectFrom('sessions')
        .select('method')
        .where('user_id', '=', ana.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    )
    expect(method).toBe('oidc')
    expect(peer.asked).toContain('GET /jwks')
  })

  it('keeps what it needs in a sealed cookie of ten minutes, and nothing in addresses', async () => {
    const { set, back } = await visit('g-ana')
    expect(set).toMatch(/^guiche_external=[^;]+; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Lax$/)
    expect(Buffer.from(set, 'base64url').toString()).not.toContain('verifier')
    expect(`${back.origin}${back.pathname}`).toBe(`${product().address}/auth/google/callback`)
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
  })

  it.each<[string, string | undefined, string]>([
    ['nobody by that address', 'g-nova', 'ERR_EXTERNAL_USER'],
    ['another domain', 'g-fora', 'ERR_EXTERNAL_DOMAIN'],
    ['an address that is not verified', 'g-talvez', 'ERR_EXTERNAL_EMAIL'],
    ['somebody who cancels', undefined, 'ERR_EXTERNAL_REFUSED'],
  ])('refuses %s, and makes no user', async (_, sub, error) => {
    if (sub === 'g-talvez') await m().user(ana.tenantId, { email: 'talvez@loja.test' })
    const reply = await enter(sub)
    expect([reply.status, errorOf(reply), reply.headers.getSetCookie().join()]).toEqual([
      400,
      error,
      expect.not.stringContaining('guiche_refresh'),
    ])
  })

  it.each<[string, () => Lie]>([
    ['another issuer', () => ({ issuer: 'https://accounts.example' })],
    ['another audience', () => ({ audience: 'outro-cliente' })],
    ['another nonce', () => ({ nonce: 'de-outra-entrada' })],
    ['an end in the past', () => ({ expiredSeconds: 3600 })],
    ['a signature by an unknown key', () => ({ isForged: true })],
  ])('refuses an identity with %s', async (_, lie) => {
    peer.lie(lie())
    expect(errorOf(await enter('g-ana'))).toBe('ERR_EXTERNAL_REFUSED')
  })

  it('refuses what another browser has begun, what is over, and what came back once already', async () => {
    const one = await visit('g-ana')
    const two = await visit('g-ana')
    expect(errorOf(await finish('', one.returned))).toBe('ERR_EXTERNAL_STATE')
    expect(errorOf(await finish('guiche_external=inventado', one.returned))).toBe('ERR_EXTERNAL_STATE')
    expect(errorOf(await finish(one.cookie, two.returned))).toBe('ERR_EXTERNAL_STATE')
    expect(errorOf(await finish(one.cookie, { ...one.returned, state: '' }))).toBe('ERR_EXTERNAL_STATE')
    // The code of one login with the proof of another: the provider compares them (PKCE).
    const mixed = { ...one.returned, code: two.returned.code }
    expect(errorOf(await finish(one.cookie, mixed))).toBe('ERR_EXTERNAL_REFUSED')
    const three = await visit('g-ana')
    const done = await finish(three.cookie, three.returned)
    expect(done.status).toBe(200)
    expect(done.headers.getSetCookie().join()).toMatch(
      /guiche_external=; Max-Age=0|guiche_external=;.*Expires=Thu, 01 Jan/,
    )
    expect(errorOf(await finish(three.cookie, three.returned))).toBe('ERR_EXTERNAL_STATE')
    const four = await visit('g-ana')
    ahead = 600_001
    expect(errorOf(await finish(four.cookie, four.returned))).toBe('ERR_EXTERNAL_STATE')
  })

  it('takes what came back once, whichever process it comes to, also where limits are off', async () => {
    const env = { OUTBOUND_ALLOW: ['127.0.0.0/8'], PUBLIC_URL: product().address }
    const other = await startProduct({ env }, product().ownerUrl)
    try {
      const { cookie, returned } = await visit('g-ana')
      const asked = peer.asked.filter((one) => one.startsWith('POST /token')).length
      const replies = await Promise.all(
        [product(), other, product(), other].map((of) =>
          call(of, entry.externalFinish, null, { body: returned, headers: { cookie } }),
        ),
      )
      expect(replies.map((reply) => errorOf(reply) ?? 'entered').sort()).toEqual([
        'ERR_EXTERNAL_STATE',
        'ERR_EXTERNAL_STATE',
        'ERR_EXTERNAL_STATE',
        'entered',
      ])
      expect(peer.asked.filter((one) => one.startsWith('POST /token'))).toHaveLength(asked + 1)
    } finally {
      await other.close()
    }
  })

  it('takes an address that was given to somebody else for somebody else, until an admin says otherwise', async () => {
    expect((await enter('g-ana')).status).toBe(200)
    expect(errorOf(await enter('g-herdeira'))).toBe('ERR_EXTERNAL_USER')
    const admin = await m().token(await m().user(ana.tenantId, { profile: 'admin' }))
    expect((await call(product(), secondFactor.reset, admin, { params: { id: ana.id } })).status).toBe(200)
    expect((await enter('g-herdeira')).body).toMatchObject({ userId: ana.id })
  })

  it('lets nobody in who is gone, and their successor under the same address again', async () => {
    expect((await enter('g-ana')).status).toBe(200)
    await product().platform.db.asPlatform(async (db) => {
      await db.updateTable('users').set({ is_active: false }).where('id', '=', ana.id).execute()
    })
    product().platform.actors.delete(`${ana.tenantId}:${ana.id}`)
    expect(errorOf(await enter('g-ana'))).toBe('ERR_EXTERNAL_USER')
    await product().platform.db.asPlatform((db) => db.deleteFrom('directory').where('kind', '=', 'login').execute())
    const next = await m().user(await m().tenant(), { email: 'ana@loja.test', isProven: true })
    expect((await enter('g-ana')).body).toMatchObject({ userId: next.id })
  })

  it('still asks for the second factor of the company', async () => {
    await make(product().platform).setting(ana.tenantId, 'requireSecondFactor')
    const reply = await enter('g-ana')
    expect(reply.body).toMatchObject({ requiresA2F: true, methods: ['enrol'] })
    expect(reply.headers.getSetCookie().join()).not.toContain('guiche_refresh')
  })

  it('returns to the public address whatever host a request names', async () => {
    const env = { OUTBOUND_ALLOW: ['127.0.0.0/8'], PUBLIC_URL: 'https://atende.example' }
    const named = await startProduct({ env }, product().ownerUrl)
    try {
      const reply = await named.app.http.inject({
        method: 'POST',
        url: '/api/auth/google/start',
        headers: { host: 'pesca.example' },
      })
      const url = new URL(reply.json().url)
      expect(url.origin).toBe(peer.issuer)
      expect(url.searchParams.get('redirect_uri')).toBe('https://atende.example/auth/google/callback')
    } finally {
      await named.close()
    }
  })
})

describe('without a public address', () => {
  const start = (host: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    product().app.http.inject({
      method: 'POST',
      url: '/api/auth/google/start',
      headers: { host, ...headers },
      remoteAddress,
    })
  const shownTo = async (host: string) =>
    (
      await product().app.http.inject({
        url: '/api/identity-provider',
        headers: { host, authorization: `Bearer ${boss}` },
      })
    ).json()

  it.each([
    'pesca.example',
    'localhost.pesca.example',
    '127.0.0.1.pesca.example',
    '203.0.113.7',
    'localhost@pesca.example',
  ])('nobody is sent to %s, which a request named', async (host) => {
    const reply = await start(host)
    expect([reply.statusCode, reply.json()]).toMatchObject([422, { error: 'ERR_EXTERNAL_ADDRESS' }])
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect((await shownTo(host)).callbackUrl).toBeNull()
  })

  it.each([
    ['another machine', {}, '203.0.113.9'],
    ['a proxy of which nothing was said', { 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'],
  ])('nobody is sent to localhost by %s', async (_, headers, address) => {
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000'])
      expect((await start(host, headers, address)).statusCode).toBe(422)
  })

  it('this machine and the companies’ own domains are known', async () => {
    await product().platform.db.asPlatform((db) =>
      addToDirectory(db, { kind: 'domain', key: 'loja.example', tenantId: ana.tenantId, subjectId: 'x' }),
    )
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'loja.example', 'Loja.Example']) {
      const reply = await start(host)
      const back = new URL(reply.json().url).searchParams.get('redirect_uri')
      expect(back).toBe(`http://${host}/auth/google/callback`)
      expect((await shownTo(host)).callbackUrl).toBe(back)
    }
  })
})

it('what the provider says when it refuses stays out of the log', async () => {
  const words = 'Fulana de Tal (fulana@segredo.test) has no access'
  let lines = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines += chunk
      done()
    },
  })
  const env = { OUTBOUND_ALLOW: ['127.0.0.0/8'] }
  const other = await startProduct({ env, log: createLog({ LOG_LEVEL: 'debug' }, sink) }, product().ownerUrl)
  try {
    redirectUris.push(`${other.address}/auth/google/callback`)
    const started = await call(other, entry.externalStart, null)
    const back = await peer.visit(started.body.url, 'g-ana')
    peer.lie({ refusal: words })
    const reply = await call(other, entry.externalFinish, null, {
      body: Object.fromEntries(back.searchParams),
      headers: { cookie: started.headers.getSetCookie()[0]!.split(';')[0]! },
    })
    expect(reply).toMatchObject({ status: 400, body: { error: 'ERR_EXTERNAL_REFUSED' } })
    expect(JSON.stringify(reply.body)).not.toContain('Fulana')
  } finally {
    await other.close()
  }
  expect(lines).toContain('external login refused')
  expect(lines).not.toMatch(/fulana|has no access/i)
})

describe('the provider’s settings', () => {
  it('show the secret’s last four characters and keep it encrypted; saving without one keeps it', async () => {
    const { clientSecret: _, ...rest } = settings()
    const saved = await call(product(), identityProvider.save, boss, { body: rest })
    expect(saved.body).toEqual({
      ...rest,
      secretHint: '1968',
      callbackUrl: `${product().address}/auth/google/callback`,
    })
    const row = await product().platform.db.asPlatform((db) =>
      db.selectFrom('installation').select('data').executeTakeFirstOrThrow(),
    )
    expect(JSON.stringify(row)).not.toContain(CLIENT.secret)
    expect((await enter('g-ana')).status).toBe(200)
  })

  it('ask for the secret again when it would be told to another issuer; masked it stays with its own', async () => {
    const { clientSecret: _, ...rest } = settings()
    const save = (change: object) => call(product(), identityProvider.save, boss, { body: { ...rest, ...change } })
    expect((await save({ clientSecret: '••••1968' })).status).toBe(200)
    expect((await enter('g-ana')).status).toBe(200)
    for (const secret of [{}, { clientSecret: '••••1968' }])
      expect((await save({ ...secret, issuer: 'https://pesca.example' })).body).toMatchObject({
        details: { clientSecret: 'Informe o segredo de novo: o emissor mudou.' },
      })
    expect((await save({ clientSecret: '••••9999' })).status).toBe(400)
  })

  it('switch the way in on and off', async () => {
    const { boot } = identityProviderFeature
    expect(await boot!(product().platform)).toEqual({ external: { label: 'Entrar com a Loja' } })
    await configure({ isOn: false })
    expect(await boot!(product().platform)).toEqual({ external: null })
    expect(errorOf(await call(product(), entry.externalStart, null))).toBe('ERR_EXTERNAL_OFF')
  })

  it.each([
    ['issuer', 'http://accounts.google.com'],
    ['issuer', 'https://accounts.google.com/?x=1'],
    ['issuer', 'javascript:alert(1)'],
    ['domains', ['loja']],
    ['domains', ['@loja.test']],
    ['label', 'x'],
    ['clientId', ''],
  ])('refuse %s %j', async (field, value) => {
    const reply = await configure({ [field]: value })
    expect(reply.status).toBe(400)
    expect(Object.keys((reply.body as { details: object }).details)[0]).toMatch(new RegExp(`^${field}`))
  })

  it('are tried before they are saved, through the guard of outside calls', async () => {
    const test = (issuer: string, of = product()) => call(of, identityProvider.test, boss, { body: { issuer } })
    expect((await test(peer.issuer)).body).toMatchObject({ issuer: peer.issuer, asksAt: new URL(peer.issuer).host })
    expect(errorOf(await test(`${peer.issuer}/nada`))).toBe('ERR_EXTERNAL_ISSUER')
    const guarded = await startProduct({}, product().ownerUrl)
    try {
      const before = peer.asked.length
      expect(errorOf(await test(peer.issuer, guarded))).toBe('ERR_ADDRESS_REFUSED')
      expect(errorOf(await call(guarded, entry.externalStart, null))).toBe('ERR_ADDRESS_REFUSED')
      expect(peer.asked).toHaveLength(before)
    } finally {
      await guarded.close()
    }
  })
})
