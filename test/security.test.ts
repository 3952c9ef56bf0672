import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#features/auth/contract.ts'
import { queues } from '#features/queues/contract.ts'
import { type WebchatChannel, webchatChannels } from '#features/webchat/contract.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, type Product, startProduct } from '#test/server.ts'

let product: Product
let proxied: Product
let dist = ''
let tenantId: number
let email: string
let token: string
let channel: WebchatChannel

beforeAll(async () => {
  // The pages as they are written; the built ones differ in the names of their files.
  dist = mkdtempSync(join(tmpdir(), 'guiche-dist-'))
  mkdirSync(join(dist, 'web', 'assets'), { recursive: true })
  mkdirSync(join(dist, 'widget', 'assets'), { recursive: true })
  for (const name of ['index.html', 'login.html']) cpSync(name, join(dist, 'web', name))
  cpSync('src/widget/frame.html', join(dist, 'widget', 'frame.html'))
  product = await startProduct({ env: { WEB_DIST: dist, PUBLIC_URL: 'https://guiche.loja.test' } })
  proxied = await startProduct({ env: { WEB_DIST: dist, TRUST_PROXY: true, RATE_LIMITS: true } }, product.ownerUrl)
  const made = make(product.platform)
  tenantId = await made.tenant()
  const admin = await made.user(tenantId, { profile: 'admin' })
  email = admin.email
  token = await made.token(admin)
  const look = { title: 'a', welcome: '', away: '', color: null, position: 'left', theme: 'auto' } as const
  const body = { name: 'Site', queueId: null, look, domains: ['loja.com.br', '*.loja.com.br'], requiresProof: false }
  channel = (await call(product, webchatChannels.create, token, { body })).body
})
afterAll(async () => {
  await proxied?.close()
  await product?.close()
  rmSync(dist, { recursive: true, force: true })
})

const get = (path: string, init: RequestInit = {}, of: Product = product) => fetch(of.address + path, init)
const directives = (reply: Response): Map<string, string> =>
  new Map(
    reply.headers
      .get('content-security-policy')!
      .split('; ')
      .map((one) => {
        const [name, ...values] = one.split(' ')
        return [name!, values.join(' ')]
      }),
  )

describe('pages', () => {
  const pages = [
    '/',
    '/login',
    '/reset/abc',
    '/atendimento/7',
    '/nada/que/exista',
    '/api/docs',
    '/widget/preview?',
    '/widget/frame?',
  ]
  const open = (path: string) => get(path.endsWith('?') ? `${path}token=${channel.token}` : path)

  it.each(pages)('%s runs what carries its nonce and loads nothing from elsewhere', async (path) => {
    const reply = await open(path)
    expect(reply.status).toBe(200)
    const html = await reply.text()
    const policy = directives(reply)
    const nonce = /'nonce-([^']+)'/.exec(policy.get('script-src')!)![1]!
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(policy.get('script-src')).toBe(`'self' 'nonce-${nonce}'`)
    expect(policy.get('style-src')).toBe(`'self' 'nonce-${nonce}'`)
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('object-src')).toBe("'none'")
    expect(policy.get('base-uri')).toBe("'none'")
    expect(policy.get('form-action')).toBe("'self'")
    expect(policy.get('connect-src')).toBe("'self'")
    for (const [name, value] of policy) {
      if (name !== 'frame-ancestors') expect(value).not.toMatch(/\*|https?:|wss?:/)
      if (name !== 'style-src-attr') expect(value).not.toMatch(/unsafe/)
    }
    for (const [tag] of html.matchAll(/<(script|style)\b[^>]*>/g))
      if (!tag.includes('application/json') && !tag.includes('src="/src/') && !tag.includes('src="./')) {
        expect(tag).toContain(`nonce="${nonce}"`)
      }
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(html).not.toMatch(/%NONCE%|%BOOT%|\son\w+="/)
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  it('get another nonce each time', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 5 }, async () => directives(await get('/login')).get('script-src')),
    )
    expect(new Set(nonces).size).toBe(5)
  })

  it('may be framed by ours alone, the conversation by its sites', async () => {
    for (const path of ['/', '/login', '/api/docs', '/widget/preview?'])
      expect(directives(await open(path)).get('frame-ancestors')).toBe("'self'")
    expect((await get('/')).headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const frame = await open('/widget/frame?')
    expect(directives(frame).get('frame-ancestors')).toBe("'self' loja.com.br *.loja.com.br")
    expect(frame.headers.get('x-frame-options')).toBeNull()
    const answer = await get('/api/publicEncryptionKey')
    expect([directives(answer).get('frame-ancestors'), answer.headers.get('x-frame-options')]).toEqual([
      "'none'",
      'DENY',
    ])
  })

  it('a domain cannot smuggle in a policy', async () => {
    for (const domain of [
      "x.dev; script-src 'unsafe-inline'",
      'x.dev *',
      "'unsafe-inline'",
      'javascript:',
      'https://x.dev',
    ]) {
      const { look, name, queueId, requiresProof } = channel
      const body = { look, name, queueId, requiresProof, domains: [domain] }
      const reply = await call(product, webchatChannels.update, token, { params: { id: channel.id }, body })
      expect([domain, reply.status]).toEqual([domain, 400])
    }
  })
})

describe('every answer', () => {
  const answers: [string, string, RequestInit, number][] = [
    ['page', '/login', {}, 200],
    ['operation', '/api/publicEncryptionKey', {}, 200],
    ['description', '/api/openapi.json', {}, 200],
    ['health', '/health', {}, 200],
    ['metrics', '/metrics', {}, 200],
    ['no such operation', '/api/nada', {}, 404],
    ['no such file', '/assets/nada.js', {}, 404],
    ['no such method', '/api/publicEncryptionKey', { method: 'DELETE' }, 404],
    ['preflight', '/api/tickets', { method: 'OPTIONS', headers: { origin: 'https://x.test' } }, 404],
    ['no session', '/api/tickets', {}, 401],
    [
      'bad body',
      '/api/auth/login',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['bad address', '/api/tickets/%zz', {}, 400],
    ['sockets', '/socket.io/?EIO=4&transport=polling', {}, 200],
  ]
  it.each(answers)('of a %s tells version and request, and forbids guessing', async (_, path, init, status) => {
    const reply = await get(path, init)
    expect(reply.status).toBe(status)
    const header = (name: string) => reply.headers.get(name)
    expect(header('x-guiche-version')).toBe(product.platform.version)
    expect(header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(header('x-content-type-options')).toBe('nosniff')
    // The page that removes one-time codes from its address sends no referrer.
    expect(header('referrer-policy')).toBe(path === '/login' ? 'no-referrer' : 'same-origin')
    expect(header('cross-origin-opener-policy')).toBe('same-origin')
    expect(header('cross-origin-resource-policy')).toBe('same-origin')
    expect(header('content-security-policy')).toContain('frame-ancestors')
    expect(header('server') ?? header('x-powered-by')).toBeNull()
    for (const name of reply.headers.keys()) expect(name).not.toMatch(/^access-control-/)
  })

  it('of an operation is kept by nobody, also when it fails', async () => {
    const headers = { authorization: `Bearer ${token}` }
    for (const path of ['/api/queues', '/api/queues/999999', '/api/nada'])
      expect((await get(path, { headers })).headers.get('cache-control')).toBe('no-store')
  })

  it('ignores the request id that a client makes up', async () => {
    const reply = await get('/health', { headers: { 'x-request-id': 'forjado', 'request-id': 'forjado' } })
    expect(reply.headers.get('x-request-id')).not.toBe('forjado')
  })
})

describe('the session’s cookie', () => {
  const login = (of: Product, headers: Record<string, string> = {}) =>
    call(of, auth.login, null, { body: { email, password: PASSWORD }, headers })
  const cookie = async (of: Product, headers: Record<string, string> = {}) =>
    (await login(of, headers)).headers.getSetCookie().join()

  it('is for the server alone, for its own site and for one path', async () => {
    const set = await cookie(product)
    expect(set).toMatch(/^guiche_refresh=[\w-]{43};/)
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/api/auth']) expect(set).toContain(part)
    expect(set).not.toMatch(/Secure|Domain/)
  })

  it('is Secure where a trusted proxy says https, and only there', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    expect(await cookie(proxied, https)).toContain('Secure')
    expect(await cookie(proxied)).not.toContain('Secure')
    expect(await cookie(product, https)).not.toContain('Secure')
    const strict = async (of: Product) =>
      (await get('/health', { headers: https }, of)).headers.get('strict-transport-security')
    expect(await strict(proxied)).toMatch(/^max-age=/)
    expect(await strict(product)).toBeNull()
  })

  it('opens nothing but itself: changes want the token in the header', async () => {
    const set = (await cookie(product)).split(';')[0]!
    const reply = await call(product, queues.create, null, { body: { queue: 'Alheia' }, headers: { cookie: set } })
    expect(reply.status).toBe(401)
  })

  const foreign: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://mal.test' }],
    ['a sister site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.loja.test' }],
    ['another site in an old browser', { origin: 'https://mal.test' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['a frame without an origin', { origin: 'null' }],
    ['a name that begins like ours', { origin: 'https://guiche.loja.test.mal.test' }],
    ['nonsense', { origin: '::' }],
  ]
  it.each(foreign)('is not used by %s', async (_, headers) => {
    const set = (await cookie(product)).split(';')[0]!
    for (const op of [auth.refresh, auth.logout, auth.login]) {
      const body = op === auth.login ? { body: { email, password: PASSWORD } } : {}
      const reply = await call(product, op, null, { ...body, headers: { cookie: set, ...headers } })
      expect([op.name, reply.status, reply.headers.getSetCookie()]).toEqual([op.name, 403, []])
    }
    expect((await call(product, auth.refresh, null, { headers: { cookie: set } })).status).toBe(200)
  })

  it('is used by our own pages', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: product.address },
      { origin: product.address },
      { origin: 'https://guiche.loja.test' },
      {},
    ]) {
      const set = (await cookie(product)).split(';')[0]!
      const reply = await call(product, auth.refresh, null, { headers: { cookie: set, ...headers } as never })
      expect([headers, reply.status]).toEqual([headers, 200])
    }
  })

  it('a form of another site cannot do it either', async () => {
    const set = (await cookie(product)).split(';')[0]!
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain']) {
      const headers = { cookie: set, origin: 'https://mal.test', 'content-type': type }
      const reply = await get('/api/auth/logout', { method: 'POST', headers, body: '--b--' })
      expect([type, reply.status]).toEqual([type, 403])
    }
    expect((await call(product, auth.refresh, null, { headers: { cookie: set } })).status).toBe(200)
  })
})

describe('sockets', () => {
  const connect = (origin: string | undefined, transports: ('polling' | 'websocket')[]) =>
    new Promise<string>((resolve) => {
      const extraHeaders: Record<string, string> = origin ? { origin } : {}
      const socket = io(product.address, { auth: { token }, transports, reconnection: false, extraHeaders })
      socket.on('connect', () => resolve('connected'))
      socket.on('connect_error', () => resolve('refused'))
      setTimeout(() => socket.close(), 3000)
    })

  it.each([['polling'], ['websocket']] as const)('are for our own pages (%s)', async (transport) => {
    expect(await connect(undefined, [transport])).toBe('connected')
    expect(await connect(product.address, [transport])).toBe('connected')
    expect(await connect('https://guiche.loja.test', [transport])).toBe('connected')
    for (const origin of ['https://mal.test', 'null', 'http://127.0.0.1:1'])
      expect([origin, await connect(origin, [transport])]).toEqual([origin, 'refused'])
  })
})

describe('behind a proxy', () => {
  it('the address that counts is the one that the proxy saw, not the one that a client wrote', async () => {
    const tries = Array.from({ length: 31 }, (_, n) =>
      call(proxied, auth.login, null, {
        body: { email: `ninguem${n}@loja.test`, password: 'errada' },
        headers: { 'x-forwarded-for': `10.0.0.${n}, 203.0.113.9` },
      }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('without one, what a client writes of it means nothing', async () => {
    const reply = await call(product, auth.login, null, {
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-for': '203.0.113.77' },
    })
    expect(reply.status).toBe(200)
    const { ip } = await product.platform.db.read(tenantId, (db) =>
      db.selectFrom('sessions').select('ip').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
    expect(ip).toBe('127.0.0.1')
  })
})

describe('what the process measures', () => {
  const status = async (headers: Record<string, string> = {}, of: Product = product) =>
    (await get('/metrics', { headers }, of)).status

  it('is read from this machine, and not by way of a proxy on it', async () => {
    expect(await status()).toBe(200)
    for (const [name, value] of [
      ['x-forwarded-for', '203.0.113.9'],
      ['x-forwarded-for', '127.0.0.1'],
      ['forwarded', 'for=127.0.0.1'],
    ] as const) {
      expect([name, await status({ [name]: value })]).toEqual([name, 404])
      expect([name, await status({ [name]: value }, proxied)]).toEqual([name, 404])
    }
  })

  it('is read with the token where one is set, and with nothing else', async () => {
    const METRICS_TOKEN = 'um-segredo-de-teste'
    const guarded = await startProduct({ env: { METRICS_TOKEN } }, product.ownerUrl)
    try {
      expect(await status({ authorization: `Bearer ${METRICS_TOKEN}` }, guarded)).toBe(200)
      const elsewhere = { authorization: `Bearer ${METRICS_TOKEN}`, 'x-forwarded-for': '203.0.113.9' }
      expect(await status(elsewhere, guarded)).toBe(200)
      for (const authorization of ['', `Bearer ${METRICS_TOKEN}x`, METRICS_TOKEN, 'Bearer ', `Bearer ${token}`])
        expect([authorization, await status({ authorization }, guarded)]).toEqual([authorization, 404])
    } finally {
      await guarded.close()
    }
  })
})
