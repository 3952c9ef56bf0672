import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

type Asked = { address: string; bearer: string | null }
let asked: Asked[] = []
let answers: (call: Asked) => Response | Promise<Response>
let early: typeof import('./preload.ts')

const values = new Map<string, string>()
const now = Math.floor(Date.now() / 1000)
const tokenOf = (id: number, secondsLeft = 600) =>
  `x.${btoa(JSON.stringify({ id, tenantId: 3, sid: 's', exp: now + secondsLeft }))}.y`
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const addresses = () => asked.map(({ address }) => address)
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(async () => {
  vi.resetModules()
  asked = []
  values.clear()
  answers = ({ address }) => json(200, { address })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  })
  vi.stubGlobal('location', { pathname: '/atendimento', search: '', replace: () => {} })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const call = { address, bearer: new Headers(init.headers).get('authorization') }
    asked.push(call)
    return answers(call)
  })
  early = await import('./preload.ts')
})
afterEach(() => {
  early.clearPreloaded()
  vi.unstubAllGlobals()
})

describe('what a page asks before its code is there', () => {
  test('is the place in the feed first, and the rest when that is known', async () => {
    values.set('token', tokenOf(7))
    let arrive: (answer: Response) => void = () => {}
    answers = ({ address }) =>
      address === '/api/changes' ? new Promise((resolve) => (arrive = resolve)) : json(200, { address })
    early.preload(['/tickets?tab=open'])
    await settled()
    expect(addresses()).toEqual(['/api/changes'])
    arrive(json(200, { lastSeq: 4 }))
    await settled()
    expect(addresses()).toEqual(['/api/changes', '/api/users/7', '/api/tickets?tab=open'])
    expect(new Set(asked.map(({ bearer }) => bearer))).toEqual(new Set([`Bearer ${tokenOf(7)}`]))
  })

  test('is given to the first who reads it, and asked anew for the next', async () => {
    values.set('token', tokenOf(7))
    early.preload(['/tickets?tab=open'])
    const { request } = await import('../api.ts')
    const read = () => request('GET', '/tickets', { query: { tab: 'open' } })
    expect(await read()).toEqual({ address: '/api/tickets?tab=open' })
    expect(addresses()).toHaveLength(3)
    await read()
    expect(addresses().slice(3)).toEqual(['/api/tickets?tab=open'])
  })

  test.each([
    ['has ended', -1],
    ['is about to end', 3],
  ])('is nothing with a token that %s', async (_, secondsLeft) => {
    values.set('token', tokenOf(7, secondsLeft))
    early.preload(['/tickets'])
    await settled()
    expect(asked).toEqual([])
    expect(early.isPreloading()).toBe(false)
  })

  test('is nothing without a session, or with a token that cannot be read', async () => {
    early.preload(['/tickets'])
    values.set('token', 'damaged')
    early.preload(['/tickets'])
    await settled()
    expect(asked).toEqual([])
  })

  test('is not given to another token: somebody else, or the same person renewed', async () => {
    values.set('token', tokenOf(7))
    early.preload(['/tickets'])
    await settled()
    values.set('token', tokenOf(8))
    const { request } = await import('../api.ts')
    await request('GET', '/tickets')
    expect(asked.at(-1)).toEqual({ address: '/api/tickets', bearer: `Bearer ${tokenOf(8)}` })
    expect(asked).toHaveLength(4)
  })

  test('is refused (401): nothing more is asked early, and the session is renewed once', async () => {
    values.set('token', tokenOf(7))
    answers = ({ address, bearer }) => {
      if (address === '/api/auth/refresh_token') return json(200, { token: tokenOf(7, 900) })
      return bearer === `Bearer ${tokenOf(7, 900)}`
        ? json(200, { address })
        : json(401, { error: 'ERR_SESSION_EXPIRED' })
    }
    early.preload(['/tickets'])
    await settled()
    expect(addresses()).toEqual(['/api/changes'])
    const { request } = await import('../api.ts')
    const all = await Promise.all([request('GET', '/changes'), request('GET', '/tickets')])
    expect(all).toEqual([{ address: '/api/changes' }, { address: '/api/tickets' }])
    expect(addresses().filter((address) => address === '/api/auth/refresh_token')).toHaveLength(1)
  })

  test('did not arrive: who reads it asks by itself', async () => {
    values.set('token', tokenOf(7))
    answers = () => Promise.reject(new TypeError('Failed to fetch'))
    early.preload(['/tickets'])
    await settled()
    answers = ({ address }) => json(200, { address })
    const { request } = await import('../api.ts')
    expect(await request('GET', '/tickets')).toEqual({ address: '/api/tickets' })
  })

  test('is forgotten when the line opens: it may be older than what the line has told', async () => {
    values.set('token', tokenOf(7))
    const given: Response[] = []
    answers = ({ address }) => given[given.push(json(200, { address })) - 1] as Response
    early.preload(['/tickets'])
    await settled()
    early.clearPreloaded()
    expect(early.takePreloaded('/api/tickets', tokenOf(7))).toBeUndefined()
    await settled()
    expect(given.map(({ bodyUsed }) => bodyUsed)).toEqual([true, true, true])
  })

  test('is only ever read: a write to the same address is a call of its own', async () => {
    values.set('token', tokenOf(7))
    early.preload(['/tickets'])
    await settled()
    const { request } = await import('../api.ts')
    await request('POST', '/tickets', { body: {} })
    expect(asked).toHaveLength(4)
  })
})
