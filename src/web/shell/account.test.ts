import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const values = new Map<string, string>()
const replaced: string[] = []
let calls: string[] = []
let binding = 'enabled'
let refresh: () => Response

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  calls = []
  replaced.length = 0
  binding = 'enabled'
  refresh = () => json(200, { token: 'new' })
  values.clear()
  values.set('token', 'old').set('userId', '7').set('profile', 'user')
  const storage = (kept: Map<string, string>) => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('localStorage', storage(values))
  vi.stubGlobal('sessionStorage', storage(new Map()))
  vi.stubGlobal('location', { pathname: '/home', search: '', replace: (to: string) => replaced.push(to) })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('document', {
    getElementById: () => null,
    documentElement: { style: { setProperty: () => {}, removeProperty: () => {} } },
  })
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    if (url === '/api/auth/refresh_token') return refresh()
    const settings = { useUserBusinessHours: binding }
    return json(200, {
      id: 7,
      name: 'Ana',
      email: 'a@b.dev',
      profile: 'super',
      queues: [],
      settings,
      menuVisibility: {},
    })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const login = async () => {
  vi.advanceTimersByTime(200)
  return { replaced, flash: (await import('../session/session.ts')).takeArrival().flash }
}

test('what changes while one is being read is read behind it', async () => {
  const { reloadOwn } = await import('./account.ts')
  const first = reloadOwn()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  binding = 'disabled'
  await Promise.all([reloadOwn(), reloadOwn()])
  await first
  expect(calls).toHaveLength(2)
  expect(values.get('configuracoes')).toContain('"disabled"')
})

test('the profile that is read again is stored', async () => {
  const { reloadOwn } = await import('./account.ts')
  await reloadOwn()
  expect([calls, values.get('profile'), values.get('username')]).toEqual([['/api/users/7'], 'super', 'Ana'])
})

test('the hours’ check reads the user again, and outside of them logs out with the reason', async () => {
  refresh = () => json(403, { error: 'OUT_RANGE' })
  const { checkHours } = await import('./account.ts')
  await checkHours()
  expect([calls, values.has('token')]).toEqual([['/api/users/7', '/api/auth/refresh_token'], false])
  expect(await login()).toEqual({
    replaced: ['/login'],
    flash: { title: 'Outside permitted opening hours', text: 'Fora do horário de atendimento.' },
  })
})

test('within them the session goes on', async () => {
  const { checkHours } = await import('./account.ts')
  await checkHours()
  expect([values.get('token'), (await login()).replaced]).toEqual(['new', []])
})

test('where hours bind nobody the check only reads', async () => {
  binding = 'disabled'
  refresh = () => json(403, { error: 'OUT_RANGE' })
  const { checkHours } = await import('./account.ts')
  await checkHours()
  expect([calls, values.get('token')]).toEqual([['/api/users/7'], 'old'])
})

test('what another tab has stored before this one has read anything is a change for it, too', async () => {
  values.set('usuario', JSON.stringify({ permissions: ['contacts:read'], restrictedUser: false }))
  const before = [...values]
  const put = (entries: readonly (readonly [string, string])[]) => {
    values.clear()
    for (const [key, value] of entries) values.set(key, value)
  }
  await (await import('./account.ts')).reloadOwn()
  const after = [...values]
  put(before)
  vi.resetModules()
  const { onPermissions } = await import('../session/permissions.ts')
  const { reloadOwn, requirePermissions } = await import('./account.ts')
  await requirePermissions()
  const changed = vi.fn()
  onPermissions(changed)
  put(after)
  await reloadOwn()
  expect(changed).toHaveBeenCalledOnce()
})
